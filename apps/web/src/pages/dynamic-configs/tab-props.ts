import type { Fault } from "../../targeting/types.ts";
import type { ConfigDraft } from "./dynamic-config-draft.ts";

/** What every tab that edits the dynamic config takes. */
export type TabProps = {
  draft: ConfigDraft;
  onChange: (draft: ConfigDraft) => void;
  /** Why it cannot be edited; undefined if it can. */
  disabledReason: string | undefined;
  faults: readonly Fault[];
};
