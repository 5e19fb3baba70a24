import { invalid, notFound, type Violation } from "../../common/errors.ts";
import { toPlace } from "../../common/place.ts";
import { checkRuleCount, patchedRule, type Rule, type RulePatch, readRules, type WritableRule } from "./rule.ts";

/** Appends rules. @throws AppError invalid_request with every violation, under `rules` by its place in `given` */
export function addedRules(rules: Rule[], given: WritableRule[], now: number): Rule[] {
  const violations: Violation[] = [];
  const all = withAdded(rules, given, now, violations);
  if (violations.length > 0) throw invalid(violations);
  return all;
}

/** Appends one rule. @throws AppError invalid_request with every violation, by its place in the rule */
export function withAddedRule(rules: Rule[], given: WritableRule, now: number): Rule[] {
  const violations: Violation[] = [];
  const all = withAdded(rules, [given], now, violations);
  const inRule = (place: string) => place.replace(/^rules\[0\]\./, "").replace(/^rules$/, "body");
  if (violations.length > 0) throw invalid(violations.map((violation) => ({ ...violation, property: inRule(violation.property) })));
  return all;
}

function withAdded(rules: Rule[], given: WritableRule[], now: number, violations: Violation[]): Rule[] {
  const added = readRules(given, [], now, "rules", violations);
  checkRuleCount(rules.length + given.length, "rules", violations);
  const names = new Set(rules.map((rule) => rule.name));
  const ids = new Set(rules.map((rule) => rule.id));
  for (const [index, { id, name }] of given.entries()) {
    const taken = (property: string, value: string) =>
      violations.push({
        property: `rules[${index}].${property}`,
        errorMessage: `must be unique, but ${value} belongs to an existing rule`,
      });
    if (names.has(name)) taken("name", name);
    if (id && ids.has(id)) taken("id", id);
  }
  return [...rules, ...added];
}

/**
 * Patches some of the rules. A patch identifies its rule by `id` or else by `baseID`.
 * @throws AppError invalid_request with every violation, under `rules` by its place in `patches`
 */
export function patchedRules(rules: Rule[], patches: RulePatch[], now: number): Rule[] {
  const violations: Violation[] = [];
  const patched = [...rules];
  const places = new Map<number, string>();
  const findPosition = ruleFinder(rules);
  for (const [index, patch] of patches.entries()) {
    const place = `rules[${index}]`;
    const refuse = (errorMessage: string) => violations.push({ property: `${place}.id`, errorMessage });
    const at = findPosition(patch.id || patch.baseID);
    if (at === undefined) refuse("must be the id or baseID of an existing rule");
    else if (places.has(at)) refuse("must not identify the same rule as an earlier item");
    else {
      places.set(at, place);
      patched[at] = patchedRule(rules[at] as Rule, patch, now, place, violations);
    }
  }
  const count = countNames(patched);
  for (const [at, place] of places) checkNewName(patched[at] as Rule, count, place, violations);
  if (violations.length > 0) throw invalid(violations);
  return patched;
}

/** Patches the rule at an index. @throws AppError invalid_request with every violation, by its place in the patch */
export function withPatchedRule(list: Rule[], at: number, patch: RulePatch, now: number): Rule[] {
  const { rules, violations } = ruleChange(list, at, patch, now);
  if (violations.length > 0) throw invalid(violations);
  return rules;
}

/** The rules after a patch of the one at index `at`, that rule, and its violations by their place in the patch. */
export function ruleChange(
  list: Rule[],
  at: number,
  patch: RulePatch,
  now: number,
): { rules: Rule[]; rule: Rule; violations: Violation[] } {
  const violations: Violation[] = [];
  const rule = patchedRule(list[at] as Rule, patch, now, "", violations);
  const rules = list.with(at, rule);
  checkNewName(rule, countNames(rules), "", violations);
  return { rules, rule, violations };
}

/** The index of a rule. `owner` is for the message, such as `gate new_checkout`. @throws AppError not_found */
export function requireRule(rules: Rule[], ruleID: string, owner: string): number {
  const at = findRule(rules, ruleID);
  if (at === undefined) throw notFound("Rule", `${ruleID} of ${owner}`);
  return at;
}

/** The index of the rule with this id, or else with this baseID. */
export function findRule(rules: Rule[], ruleID: string | undefined): number | undefined {
  return ruleFinder(rules)(ruleID);
}

function ruleFinder(rules: Rule[]): (ruleID: string | undefined) => number | undefined {
  // Reversed, so that the first of several rules with the same id overwrites the others.
  const positions = [...rules.entries()].reverse();
  const byBaseID = new Map(positions.map(([at, { baseID }]) => [baseID as string | undefined, at]));
  const byID = new Map(positions.map(([at, { id }]) => [id as string | undefined, at]));
  // Rules that once had no id still have an empty baseID, which salts their units. An empty id must not find them.
  return (ruleID) => (ruleID ? (byID.get(ruleID) ?? byBaseID.get(ruleID)) : undefined);
}

function countNames(rules: Rule[]): Map<string, number> {
  const count = new Map<string, number>();
  for (const { name } of rules) count.set(name, (count.get(name) ?? 0) + 1);
  return count;
}

function checkNewName({ name }: Rule, count: Map<string, number>, place: string, violations: Violation[]): void {
  if ((count.get(name) ?? 0) < 2) return;
  violations.push({
    property: toPlace(["name"], place),
    errorMessage: `must be unique among the rules, but ${name} belongs to another rule`,
  });
}
