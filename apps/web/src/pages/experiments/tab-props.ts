import type { Fault } from "../../targeting/types.ts";
import type { ExperimentDraft } from "./experiment-draft.ts";

/** What every tab that edits the experiment takes. */
export type TabProps = {
  draft: ExperimentDraft;
  onChange: (draft: ExperimentDraft) => void;
  /** Why it cannot be edited; undefined if it can. */
  disabledReason: string | undefined;
  faults: readonly Fault[];
};
