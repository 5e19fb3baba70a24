import { equal } from "./equal.ts";
import { freshName, withEnding } from "./names.ts";
import { listSteps } from "./rollouts.ts";
import { copyRule, insertRule, type RuleItem, type RulesDraft, ruleNames, setEnvironments } from "./rule-draft.ts";
import type { Rule } from "./types.ts";

type Limited = { environments?: readonly string[] | null };

/** Whether the rule is meant for the environment. Null and an empty list mean all; the case of names does not count. */
export function isFor({ environments }: Limited, environment: string): boolean {
  return !environments || environments.length === 0 || includes(environments, environment);
}

/** The environments of a new rule: the ones without real users. Null means all, if no environment of the project serves real users. */
export function startingEnvironments(all: readonly { name: string; isProduction: boolean }[]): string[] | null {
  return all.some(({ isProduction }) => isProduction) ? all.filter(({ isProduction }) => !isProduction).map(({ name }) => name) : null;
}

/** The rule's environments without one. @param all the names of the project's environments */
export function otherEnvironments({ environments }: Limited, environment: string, all: readonly string[]): string[] {
  const names = environments && environments.length > 0 ? environments : all;
  return names.filter((name) => name.toLowerCase() !== environment.toLowerCase());
}

/** The rules that are meant for an environment, in their order, including the ones that are switched off. */
export function rulesIn<R extends Limited>(rules: readonly R[], environment: string): R[] {
  return rules.filter((rule) => isFor(rule, environment));
}

/** The rules that decide in an environment, in their order. */
export function activeRulesIn<R extends Rule>(rules: readonly R[], environment: string): R[] {
  return rulesIn(rules, environment).filter(({ isEnabled }) => isEnabled !== false);
}

/**
 * A row of two environments side by side. `shared`: one rule is meant for both. `equal`: two rules do the same. `different`: two rules are for the
 * same users, but do something else. Otherwise only one of the environments has such a rule.
 */
export type EnvironmentRow =
  | { state: "shared" | "equal" | "different"; a: RuleItem; b: RuleItem }
  | { state: "only-a"; a: RuleItem; b: null }
  | { state: "only-b"; a: null; b: RuleItem };

/** The rules of two environments side by side, both in the order of evaluation. */
export function compareEnvironments({ items }: RulesDraft, a: string, b: string): EnvironmentRow[] {
  const rows: EnvironmentRow[] = [];
  let [left, right]: [RuleItem[], RuleItem[]] = [[], []];
  for (const item of items) {
    const [inA, inB] = [isFor(item.rule, a), isFor(item.rule, b)];
    if (inA && inB) {
      rows.push(...aligned(left, right), { state: "shared", a: item, b: item });
      [left, right] = [[], []];
    } else if (inA) left.push(item);
    else if (inB) right.push(item);
  }
  return [...rows, ...aligned(left, right)];
}

/** Rows of rules that are each in one environment: rules for the same users stand side by side as far as the order permits. */
function aligned(left: RuleItem[], right: RuleItem[]): EnvironmentRow[] {
  const rows: EnvironmentRow[] = [];
  let next = 0;
  for (const a of left) {
    const at = right.findIndex((one, index) => index >= next && equal(one.rule.conditions, a.rule.conditions));
    if (at === -1) {
      rows.push({ state: "only-a", a, b: null });
      continue;
    }
    rows.push(...right.slice(next, at).map((b) => ({ state: "only-b" as const, a: null, b })));
    const b = right[at] as RuleItem;
    rows.push({ state: doesTheSame(a.rule, b.rule) ? "equal" : "different", a, b });
    next = at + 1;
  }
  return [...rows, ...right.slice(next).map((b) => ({ state: "only-b" as const, a: null, b }))];
}

/** The rule's current effect, without its name and ids. */
function toDeed(rule: Rule): Omit<Rule, "name"> {
  const { name: _name, environments: _environments, pendingAutomatedRollouts: _pending, ...deed } = copyRule(rule);
  return deed;
}

function doesTheSame(a: Rule, b: Rule): boolean {
  const comparable = (rule: Rule) => ({ ...toDeed(rule), isEnabled: rule.isEnabled !== false, pending: listSteps(rule) });
  return equal(comparable(a), comparable(b));
}

/**
 * The ways to add a rule to another environment. `share`: the rule is meant for both, and later edits change both. `copy`: a separate rule,
 * edited independently, divides its units differently and has no scheduled rollouts.
 */
export type CopyMode = "share" | "copy";

export type CopiedRules = {
  draft: RulesDraft;
  /** The keys of the rules that were shared or copied. */
  copied: string[];
};

/**
 * Brings rules of an environment to others. Rules that apply there already stay as they are. Copies stand behind their originals, so that their
 * order is the same.
 * @param keys of the rules to bring; all rules of the environment if left out
 */
export function copyToEnvironments(
  draft: RulesDraft,
  from: string,
  to: readonly string[],
  mode: CopyMode,
  keys?: Iterable<string>,
): CopiedRules {
  const chosen = keys && new Set(keys);
  const copied: string[] = [];
  let result = draft;
  for (const { key, rule } of draft.items) {
    const missing = to.filter((environment) => !isFor(rule, environment));
    if (missing.length === 0 || !isFor(rule, from) || (chosen && !chosen.has(key))) continue;
    copied.push(key);
    if (mode === "share") result = setEnvironments(result, key, [...(rule.environments ?? []), ...missing]);
    else for (const environment of missing.toReversed()) result = insertCopy(result, key, rule, environment);
  }
  return { draft: result, copied };
}

function insertCopy(draft: RulesDraft, key: string, rule: Rule, environment: string): RulesDraft {
  const name = freshName(withEnding(rule.name, ` (${environment})`), ruleNames(draft));
  const at = draft.items.findIndex((item) => item.key === key);
  return insertRule(draft, at + 1, { ...toDeed(rule), name, environments: [environment] });
}

function includes(names: readonly string[], name: string): boolean {
  const sought = name.toLowerCase();
  return names.some((one) => one.toLowerCase() === sought);
}
