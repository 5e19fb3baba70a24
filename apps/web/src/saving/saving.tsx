import { type ReactNode, useRef } from "react";
import type { ConsoleApiError } from "../api.ts";
import { focusSoon } from "../ui/focus-soon.ts";
import { soonDialog } from "../ui/soon.tsx";
import { toast } from "../ui/toast.tsx";
import { conflictsIn, type DraftModel, mergedDraft } from "./draft-model.ts";
import { SaveBar } from "./save-bar.tsx";
import type { Drafting } from "./use-draft.ts";

const Conflict = soonDialog(() => import("./conflict.tsx"));

type ReviewHandlers = {
  onClose: () => void;
  onSaved: () => Promise<void>;
  onScheduled: () => void;
  onRequested: () => void;
  onConflict: () => void;
  conflictLabel: string;
  onRefused: (error: ConsoleApiError) => void;
};

type Props<Read, Draft extends { readonly stored: Read }, Parts extends object> = {
  model: DraftModel<Read, Draft, Parts>;
  drafting: Drafting<Draft>;
  /** The latest stored version. */
  stored: Read;
  /** The saves since the edits began: by whom, when, and what they changed. @param base the version that the edits began from */
  newer: (base: Read) => ReactNode;
  /** The faults of the draft, if they keep it from being reviewed. */
  disabledReason?: string | undefined;
  /** The review of the draft. */
  review: (edits: Draft, handlers: ReviewHandlers) => ReactNode;
  /** Reads the entity again, after someone else saved it. */
  onReadAgain: () => Promise<unknown>;
  /** Reads the entity again, after the draft is saved. The next edit begins from what was saved. */
  onSaved: () => Promise<void>;
};

/** The save bar of a page, its review, and the conflict of two saves. */
export function Saving<Read, Draft extends { readonly stored: Read }, Parts extends object>({
  model,
  drafting,
  stored,
  newer,
  disabledReason,
  review,
  onReadAgain,
  onSaved,
}: Props<Read, Draft, Parts>) {
  type Part = keyof Parts & string;
  const latest = useRef(drafting);
  latest.current = drafting;
  const takeBack = (discarded: Draft) => {
    if (latest.current.edits === undefined) latest.current.edit(discarded);
    else toast({ text: "You’ve made new changes, so the discarded ones can’t be restored." });
  };
  const { edits, count, isBehind, step, setStep, edit, discard, setRefused } = drafting;
  return (
    <>
      <SaveBar
        count={count}
        isBehind={isBehind && step !== "review"}
        onReview={() => setStep(isBehind ? "conflict" : "review")}
        onDiscard={() => {
          discard();
          if (edits === undefined) return;
          toast({
            text: count === 1 ? "1 change discarded" : `${count} changes discarded`,
            action: { label: "Undo", onPress: () => takeBack(edits) },
          });
        }}
        disabledReason={disabledReason}
      />
      {step === "review" &&
        edits &&
        review(edits, {
          onClose: () => setStep("edit"),
          onSaved: async () => {
            await onSaved();
            discard();
            focusSoon("[role=tab][aria-selected=true]", "#content");
          },
          onScheduled: discard,
          onRequested: discard,
          onConflict: () => void onReadAgain().then(() => setStep("conflict")),
          conflictLabel: "Review both changes",
          onRefused: setRefused,
        })}
      {step === "conflict" && edits && (
        <Conflict
          conflicts={conflictsIn(model, edits, stored)}
          getName={(part) => model.getName(part as Part)}
          toText={(part, value) => model.toText(part as Part, value, stored)}
          newer={newer(edits.stored)}
          onClose={() => setStep("edit")}
          onReload={discard}
          onMerge={(choices) => {
            const merged = mergedDraft(model, edits, stored, choices);
            edit(merged);
            setStep(model.countChanges(merged) === 0 ? "edit" : "review");
          }}
        />
      )}
    </>
  );
}
