export { objectValue, secondaryExposures } from "./answers.ts";
export { createEvaluator, type EvaluatorOptions } from "./create-evaluator.ts";
export { type Decision, keptWithDecision } from "./decision.ts";
export type * from "./evaluator.ts";
export type { ExplainedCondition, ExplainedRule, Explanation } from "./explain.ts";
export { bucket, hashID, hashName } from "./hash.ts";
export type * from "./ruleset.ts";
export type { User } from "./user.ts";
export { readUserField } from "./user-value.ts";
