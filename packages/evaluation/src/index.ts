import { countryOfIP } from "./country.ts";
import { createEvaluator as create, type EvaluatorOptions } from "./create-evaluator.ts";
import type { Evaluator } from "./evaluator.ts";
import type { IndexedRuleset, Ruleset } from "./ruleset.ts";

export { objectValue, secondaryExposures } from "./answers.ts";
export type { EvaluatorOptions } from "./create-evaluator.ts";
export { type Decision, keptWithDecision } from "./decision.ts";
export type * from "./evaluator.ts";
export type { ExplainedCondition, ExplainedRule, Explanation } from "./explain.ts";
export { bucket, hashID, hashName } from "./hash.ts";
export type * from "./ruleset.ts";
export type { User } from "./user.ts";
export { readUserField } from "./user-value.ts";

/**
 * Creates an evaluator of a ruleset, which must not change afterwards. Each spec is compiled at its first use and cached by its object, so
 * an evaluator of a ruleset that shares specs with an older one reuses them. Results are shared objects: do not change them.
 */
export function createEvaluator(ruleset: Ruleset | IndexedRuleset, options: EvaluatorOptions = {}): Evaluator {
  return create(ruleset, { ipToCountry: countryOfIP, ...options });
}
