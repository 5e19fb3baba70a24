import { countryOfIP } from "./country.ts";
import { createEvaluator as create, type EvaluatorOptions } from "./create-evaluator.ts";
import type { Evaluator } from "./evaluator.ts";
import type { IndexedRuleset, Ruleset } from "./ruleset.ts";

export { objectValue } from "./answers.ts";
export type { EvaluatorOptions } from "./create-evaluator.ts";
export { type Decision, keptWithDecision } from "./decision.ts";
export type * from "./evaluator.ts";
export { bucket, hashID, hashName } from "./hash.ts";
export type * from "./ruleset.ts";
export type { User } from "./user.ts";

/**
 * Answers for a ruleset, which must not change from now on. Each spec is made ready at its first use, and kept with the spec's object: an
 * evaluator of a ruleset that shares specs with an older one starts from what is ready already. Answers are shared: they are not to be changed.
 */
export function createEvaluator(ruleset: Ruleset | IndexedRuleset, options: EvaluatorOptions = {}): Evaluator {
  return create(ruleset, { ipToCountry: countryOfIP, ...options });
}
