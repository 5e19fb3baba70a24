import { useMemo, useState } from "react";
import type { ConsoleApiError } from "../api.ts";
import type { DraftModel } from "./draft-model.ts";

export type Step = "edit" | "review" | "conflict";

/** A page's draft: the entity as read, until the first edit, then the edits. */
export type Drafting<Draft> = {
  draft: Draft;
  /** Undefined as long as the draft does not differ. */
  edits: Draft | undefined;
  /** How many things differ. */
  count: number;
  /** Whether someone else saved since the edits began. */
  isBehind: boolean;
  step: Step;
  setStep: (step: Step) => void;
  edit: (draft: Draft) => void;
  discard: () => void;
  /** The server's last refusal, until the next edit. */
  refused: ConsoleApiError | undefined;
  setRefused: (error: ConsoleApiError) => void;
};

/** Collects edits of the version that was read. A page shows one entity: give it a key, so that each entity starts fresh. */
export function useDraft<Read, Draft extends { readonly stored: Read }, Parts extends object>(
  model: DraftModel<Read, Draft, Parts>,
  stored: Read,
): Drafting<Draft> {
  const [edits, setEdits] = useState<Draft>();
  const [step, setStep] = useState<Step>("edit");
  const [refused, setRefused] = useState<ConsoleApiError>();
  const unchanged = useMemo(() => model.createDraft(stored, model.storedParts(stored)), [model, stored]);
  const count = useMemo(() => (edits ? model.countChanges(edits) : 0), [model, edits]);
  return {
    draft: edits ?? unchanged,
    edits,
    count,
    isBehind: edits !== undefined && model.getEtag(edits.stored) !== model.getEtag(stored),
    step,
    setStep,
    edit: (changed) => {
      setRefused(undefined);
      setEdits(model.countChanges(changed) === 0 ? undefined : changed);
    },
    discard: () => {
      setRefused(undefined);
      setEdits(undefined);
      setStep("edit");
    },
    refused,
    setRefused,
  };
}
