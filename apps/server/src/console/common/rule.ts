import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import { invalid, type Violation } from "../../common/errors.ts";
import { randomID } from "../../common/identifier.ts";
import { toPlace } from "../../common/place.ts";
import { checkCondition } from "./condition.ts";
import { checkDistinct } from "./distinct.ts";
import { checkFuture } from "./future.ts";
import { type Json5Source, json5Source } from "./json5-source.ts";
import { checkPercentage, checkSum } from "./percentage.ts";

export type Rule = Schema<"Rule">;
export type WritableRule = WritableSchema<"GivenRule">;
/** A stored rule. Rules of inline targeting may have no id. */
type Stored = Omit<Rule, "id"> & { id?: string };
export type RulePatch = WritableSchema<"RulePatch">;
type Variant = NonNullable<WritableRule["variants"]>[number];

/** The maximum number of rules of one entity. The contract bounds a list in a body. */
export const MAX_RULES = 1_000;

type Valued = Pick<WritableRule, "returnValue" | "returnValueJson5">;

/** `readRules` for the list at `rules` of a body. @throws AppError invalid_request with every violation under `rules` */
export function toRules(given: WritableRule[], current: Rule[], now: number): Rule[] {
  const violations: Violation[] = [];
  const rules = readRules(given, current, now, "rules", violations);
  if (violations.length > 0) throw invalid(violations);
  return rules;
}

/**
 * The rules as they are stored, in the order given. Each has an id, the `baseID` of the current rule with that id, and `environments`, null
 * if left out; none has an `isEnabled` that is true. Adds violations with places under `place`.
 * @param now ms since the epoch. New rollouts must be later.
 */
export function readRules(given: WritableRule[], current: Stored[], now: number, place: string, violations: Violation[]): Rule[] {
  checkDistinct(given, "name", place, violations);
  checkDistinct(given, "id", place, violations);
  const before = new Map(current.map((rule) => [rule.id, rule]));
  return given.map((rule, index) => toRule(rule, before, now, `${place}[${index}]`, violations));
}

/** Whether evaluation reads the rule. */
export function isRuleEnabled({ isEnabled = true }: Pick<WritableRule, "isEnabled">): boolean {
  return isEnabled;
}

/** Rejects more than MAX_RULES rules. `place` is that of the rules that are added. */
export function checkRuleCount(count: number, place: string, violations: Violation[]): void {
  if (count <= MAX_RULES) return;
  const [most, all] = [MAX_RULES, count].map((number) => number.toLocaleString("en"));
  violations.push({ property: place, errorMessage: `must not exceed ${most} rules in total, but there would be ${all}` });
}

/** The rule with the given fields changed. Adds violations under `place`, which is empty if the patch is the body. */
export function patchedRule(rule: Rule, { id, baseID, ...given }: RulePatch, now: number, place: string, violations: Violation[]): Rule {
  const refuse = (property: string) => violations.push({ property: toPlace([property], place), errorMessage: "cannot be changed" });
  if (id && id !== rule.id && id !== rule.baseID) refuse("id");
  if (baseID && baseID !== rule.baseID) refuse("baseID");
  return toRule({ ...rule, ...given }, new Map([[rule.id, rule]]), now, place, violations);
}

function toRule(given: WritableRule, current: Map<string | undefined, Stored>, now: number, place: string, violations: Violation[]): Rule {
  checkPercentage(given.passPercentage, toPlace(["passPercentage"], place), violations);
  for (const [index, condition] of given.conditions.entries()) {
    checkCondition(condition, toPlace(["conditions", `${index}`], place), violations);
  }
  const id = given.id || randomID();
  const before = current.get(id);
  const baseID = before?.baseID ?? (given.baseID || id);
  const { isEnabled: _isEnabled, ...others } = given;
  return {
    ...(isRuleEnabled(given) ? others : given),
    id,
    baseID,
    environments: given.environments ?? null,
    ...returnValue(given, before, place, violations),
    ...pendingRollouts(given, before, now, place, violations),
    ...(given.variants && { variants: toVariants(given.variants, before?.variants, toPlace(["variants"], place), violations) }),
  };
}

/** Sorted by due time. A time that has passed would take effect at once, so it is refused unless the rule has it already. */
function pendingRollouts(
  { pendingAutomatedRollouts: given }: WritableRule,
  before: Stored | undefined,
  now: number,
  place: string,
  violations: Violation[],
) {
  if (!given) return {};
  const known = new Set(before?.pendingAutomatedRollouts?.map(({ time }) => time));
  for (const [index, { time, passPercent }] of given.entries()) {
    const at = toPlace(["pendingAutomatedRollouts", `${index}`], place);
    checkPercentage(passPercent, `${at}.passPercent`, violations);
    if (!known.has(time)) checkFuture(time, now, `${at}.time`, violations);
  }
  return { pendingAutomatedRollouts: given.toSorted((a, b) => a.time - b.time) };
}

function toVariants(
  given: Variant[],
  current: Rule["variants"] = [],
  place: string,
  violations: Violation[],
): NonNullable<Rule["variants"]> {
  checkDistinct(given, "name", place, violations);
  checkDistinct(given, "id", place, violations);
  const percentages = given.map(({ passPercentage }) => passPercentage);
  if (given.length > 0) checkSum(percentages, "pass percentages", place, violations);
  const byID = new Map(current.map((variant) => [variant.id, variant]));
  return given.map((variant, index) => {
    const variantPlace = `${place}[${index}]`;
    checkPercentage(variant.passPercentage, `${variantPlace}.passPercentage`, violations);
    const id = variant.id || randomID();
    const before = byID.get(id);
    return { ...variant, id, ...returnValue(variant, before, variantPlace, violations) };
  });
}

function returnValue(given: Valued, before: Valued | undefined, place: string, violations: Violation[]): Valued {
  const pair = json5Source(
    { property: toPlace(["returnValue"], place), textProperty: toPlace(["returnValueJson5"], place) },
    { value: given.returnValue, text: given.returnValueJson5 },
    violations,
    before && storedSource(before),
  );
  return pair ? { returnValue: pair.value, returnValueJson5: pair.text } : {};
}

function storedSource({ returnValue: value, returnValueJson5: text }: Valued): Json5Source | undefined {
  return value && text !== undefined ? { value, text } : undefined;
}
