import type { RulesDraft } from "../targeting/rule-draft.ts";

/** What rules belong to: a gate or dynamic config, or a segment. Segments know fewer conditions, and no scheduled rollouts. */
export type Place = "flag" | "segment";

/** Changes the draft of the rules, as it is by then. */
export type EditRules = (change: (draft: RulesDraft) => RulesDraft) => void;
