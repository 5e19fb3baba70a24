import { invalid, notFound, type Violation } from "../../errors.ts";
import { toPlace } from "../../place.ts";
import { patchedRule, type Rule, type RulePatch, readRules, type WritableRule } from "./rule.ts";

/** The rules with others behind them. @throws AppError invalid_request naming every violation under `rules`, as places among `given` */
export function addedRules(rules: Rule[], given: WritableRule[]): Rule[] {
  const violations: Violation[] = [];
  const all = withAdded(rules, given, violations);
  if (violations.length > 0) throw invalid(violations);
  return all;
}

/** The rules with another one behind them. @throws AppError invalid_request naming every violation by its place in the rule */
export function withAddedRule(rules: Rule[], given: WritableRule): Rule[] {
  const violations: Violation[] = [];
  const all = withAdded(rules, [given], violations);
  const inRule = (place: string) => place.replace(/^rules\[0\]\./, "");
  if (violations.length > 0) throw invalid(violations.map((violation) => ({ ...violation, property: inRule(violation.property) })));
  return all;
}

function withAdded(rules: Rule[], given: WritableRule[], violations: Violation[]): Rule[] {
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
  return [...rules, ...added];
}

/**
 * The rules with some of them changed. A patch names its rule by `id` or, failing that, `baseID`.
 * @throws AppError invalid_request naming every violation under `rules`, as places among the patches
 */
export function patchedRules(rules: Rule[], patches: RulePatch[]): Rule[] {
  const violations: Violation[] = [];
  const patched = [...rules];
  const places = new Map<number, string>();
  for (const [index, patch] of patches.entries()) {
    const place = `rules[${index}]`;
    const refuse = (errorMessage: string) => violations.push({ property: `${place}.id`, errorMessage });
    const at = findRule(rules, patch.id ?? patch.baseID);
    if (at === undefined) refuse("must be the id or baseID of a rule that is there");
    else if (places.has(at)) refuse("must name another rule than the patches before it");
    else {
      places.set(at, place);
      patched[at] = patchedRule(rules[at] as Rule, patch, place, violations);
    }
  }
  for (const [at, place] of places) checkNewName(patched, at, place, violations);
  if (violations.length > 0) throw invalid(violations);
  return patched;
}

/**
 * The rules with the one at a position changed.
 * @param check finds what else is wrong with the rule as it then is
 * @throws AppError invalid_request naming every violation by its place in the patch
 */
export function withPatchedRule(
  rules: Rule[],
  at: number,
  patch: RulePatch,
  check?: (rule: Rule, violations: Violation[]) => void,
): Rule[] {
  const violations: Violation[] = [];
  const rule = patchedRule(rules[at] as Rule, patch, "", violations);
  const patched = rules.with(at, rule);
  checkNewName(patched, at, "", violations);
  check?.(rule, violations);
  if (violations.length > 0) throw invalid(violations);
  return patched;
}

/** The position of the rule that a path names. `owner` is whose it is, such as `gate new_checkout`. @throws AppError not_found */
export function requireRule(rules: Rule[], ruleID: string, owner: string): number {
  const at = findRule(rules, ruleID);
  if (at === undefined) throw notFound("Rule", `${ruleID} of ${owner}`);
  return at;
}

/** The position of the rule with this id or, if there is none, with this baseID. */
export function findRule(rules: Rule[], ruleID: string | undefined): number | undefined {
  const byID = rules.findIndex(({ id }) => id === ruleID);
  const at = byID >= 0 ? byID : rules.findIndex(({ baseID }) => baseID === ruleID);
  return at >= 0 ? at : undefined;
}

function checkNewName(rules: Rule[], at: number, place: string, violations: Violation[]): void {
  const name = rules[at]?.name;
  if (rules.every((rule, index) => index === at || rule.name !== name)) return;
  violations.push({ property: toPlace(["name"], place), errorMessage: `must be unique among the rules, and ${name} is taken` });
}
