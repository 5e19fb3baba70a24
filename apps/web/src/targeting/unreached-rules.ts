// Rules that never decide, because an earlier one decides for everyone. Pure.
import { listed } from "../ui/list-text.ts";
import { type DraftRule, isAudienceMissing } from "./rule-draft.ts";
import { isFor } from "./rule-environments.ts";

/** Whether the rule decides for every user who reaches it, whatever its percentage. */
export const isForEveryone = (rule: DraftRule): boolean =>
  !isAudienceMissing(rule) && rule.conditions.every(({ type }) => type === "public");

/** The rules that are never reached in any environment, each by its index, with the indexes of the rules that match everyone before it. */
export function unreachedRules(rules: readonly DraftRule[]): ReadonlyMap<number, readonly number[]> {
  const unreached = new Map<number, number[]>();
  const deciding: number[] = [];
  for (const [index, rule] of rules.entries()) {
    const before = decidingBefore(rule, rules, deciding);
    if (before !== undefined) unreached.set(index, before);
    else if (rule.isEnabled !== false && isForEveryone(rule)) deciding.push(index);
  }
  return unreached;
}

/** The earlier rules that decide in every environment of a rule. Undefined if one of its environments has none. */
function decidingBefore({ environments }: DraftRule, rules: readonly DraftRule[], deciding: readonly number[]): number[] | undefined {
  const everywhere = deciding.find((index) => (rules[index]?.environments ?? []).length === 0);
  if (everywhere !== undefined) return [everywhere];
  if (!environments || environments.length === 0) return;
  const found = environments.map((name) => deciding.find((index) => isFor(rules[index] as DraftRule, name)));
  return found.includes(undefined) ? undefined : [...new Set(found as number[])].toSorted((a, b) => a - b);
}

/** “Never reached: rule 1 matches everyone.” @param before the indexes of the rules that match everyone */
export function unreachedText(before: readonly number[]): string {
  const numbers = before.map((index) => String(index + 1));
  const names = listed(numbers);
  return numbers.length === 1 ? `Never reached: rule ${names} matches everyone.` : `Never reached: rules ${names} match everyone.`;
}
