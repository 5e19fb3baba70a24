import type { Fault } from "../../targeting/types.ts";
import type { GateDraft } from "./gate-draft.ts";

/** What every tab that edits the gate takes. */
export type TabProps = {
  draft: GateDraft;
  onChange: (draft: GateDraft) => void;
  /** Why the gate cannot be edited; undefined if it can. */
  disabledReason: string | undefined;
  faults: readonly Fault[];
};
