// Edits of rules that take effect in one environment only. Pure.
import { type DraftRule, type RulesDraft, removeRule, setEnabled, setEnvironments } from "./rule-draft.ts";
import { isFor, otherEnvironments } from "./rule-environments.ts";

/** Whether the rule decides in an environment. */
export const isOnIn = (rule: DraftRule, environment: string): boolean => rule.isEnabled !== false && isFor(rule, environment);

/**
 * Switches a rule on or off in one environment. In others it keeps its effect: a rule that is off everywhere is then on only here.
 * @param all the names of the project's environments
 */
export function setEnabledIn(draft: RulesDraft, key: string, environment: string, isOn: boolean, all: readonly string[]): RulesDraft {
  const rule = findRule(draft, key);
  if (rule === undefined || isOnIn(rule, environment) === isOn) return draft;
  const others = otherEnvironments(rule, environment, all);
  if (!isOn) return others.length > 0 ? setEnvironments(draft, key, others) : setEnabled(draft, key, false);
  if (rule.isEnabled !== false) return setEnvironments(draft, key, inOrder([...others, environment], all));
  const only = others.length > 0 || !isFor(rule, environment) ? setEnvironments(draft, key, [environment]) : draft;
  return setEnabled(only, key, true);
}

/** Takes a rule out of an environment. A rule that applies in no other is deleted. */
export function removeRuleFrom(draft: RulesDraft, key: string, environment: string, all: readonly string[]): RulesDraft {
  const rule = findRule(draft, key);
  if (rule === undefined) return draft;
  const others = otherEnvironments(rule, environment, all);
  return others.length > 0 ? setEnvironments(draft, key, others) : removeRule(draft, key);
}

const findRule = (draft: RulesDraft, key: string): DraftRule | undefined => draft.items.find((item) => item.key === key)?.rule;

/** The names in the project's order; names that it does not have come last. */
const inOrder = (names: readonly string[], all: readonly string[]): string[] => [
  ...all.filter((name) => names.includes(name)),
  ...names.filter((name) => !all.includes(name)),
];
