import type { RulesDraft } from "../targeting/rule-draft.ts";

/** Owners of rules: a gate or dynamic config, or a segment. Segments have fewer conditions and no scheduled rollouts. */
export type Place = "flag" | "segment";

/** Changes the latest draft of the rules. */
export type EditRules = (change: (draft: RulesDraft) => RulesDraft) => void;
