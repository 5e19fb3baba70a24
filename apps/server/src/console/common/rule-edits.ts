import type { WritableSchema } from "@gatehouse/contract/console";
import { invalid, type Violation } from "../../errors.ts";
import { type Rule, readRules, type WritableRule } from "./rule.ts";

type RulePatch = WritableSchema<"RulePatch">;

/** The rules with others behind them. @throws AppError invalid_request naming every violation under `rules`, as places among `given` */
export function addedRules(rules: Rule[], given: WritableRule[]): Rule[] {
  const violations: Violation[] = [];
  const added = readRules(given, [], "rules", violations);
  for (const [index, { id, name }] of given.entries()) {
    const taken = (property: string, value: string) =>
      violations.push({
        property: `rules[${index}].${property}`,
        errorMessage: `must be new, and ${value} is taken by a rule that is there`,
      });
    if (rules.some((rule) => rule.name === name)) taken("name", name);
    if (id !== undefined && rules.some((rule) => rule.id === id)) taken("id", id);
  }
  if (violations.length > 0) throw invalid(violations);
  return [...rules, ...added];
}

/**
 * The rules with some of them changed. A patch names its rule by `id` or, failing that, `baseID`.
 * @throws AppError invalid_request naming every violation under `rules`, as places among the patches
 */
export function patchedRules(rules: Rule[], patches: RulePatch[]): Rule[] {
  const violations: Violation[] = [];
  const given = [...rules];
  const places = new Map<number, number>();
  for (const [index, patch] of patches.entries()) {
    const at = findRule(rules, patch.id ?? patch.baseID);
    if (at === undefined) {
      violations.push({ property: `rules[${index}].id`, errorMessage: "must be the id or baseID of a rule that is there" });
    } else if (places.has(at)) {
      violations.push({ property: `rules[${index}].id`, errorMessage: "must name another rule than the patches before it" });
    } else {
      places.set(at, index);
      given[at] = { ...rules[at], ...patch, id: rules[at]?.id, baseID: rules[at]?.baseID } as Rule;
    }
  }
  const found: Violation[] = [];
  const patched = readRules(given, rules, "rules", found);
  violations.push(...found.map((violation) => asGiven(violation, places)));
  if (violations.length > 0) throw invalid(violations);
  return patched;
}

/** The position of the rule with this id or, if there is none, with this baseID. */
export function findRule(rules: Rule[], ruleID: string | undefined): number | undefined {
  const byID = rules.findIndex(({ id }) => id === ruleID);
  const at = byID >= 0 ? byID : rules.findIndex(({ baseID }) => baseID === ruleID);
  return at >= 0 ? at : undefined;
}

/** A place among all rules as the place among the patches. */
function asGiven({ property, errorMessage }: Violation, places: Map<number, number>): Violation {
  return {
    property: property.replace(/^rules\[(\d+)\]/, (whole, at) => (places.has(Number(at)) ? `rules[${places.get(Number(at))}]` : whole)),
    errorMessage,
  };
}
