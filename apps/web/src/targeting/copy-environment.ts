// Giving an environment the rules of another one. Pure.
import { type RulesDraft, removeRule, setEnvironments } from "./rule-draft.ts";
import { isFor, otherEnvironments } from "./rule-environments.ts";
import type { Rule } from "./types.ts";

/** The draft after a copy, and what happens to the rules, by their names and in their order. */
export type EnvironmentCopy = {
  draft: RulesDraft;
  /** Rules that now apply in the target as well. */
  added: string[];
  /** Rules that no longer apply in the target, but in other environments. */
  withdrawn: string[];
  /** Rules that applied only in the target, which are deleted. */
  deleted: string[];
  /** Rules of the source with a condition on the environment, which may not match in the target. */
  conditional: string[];
};

/**
 * Makes exactly the rules that apply in one environment apply in another. Both share the rules, so they have the same order and pass the same users,
 * now and after scheduled rollouts. Nothing changes in other environments.
 */
export function copyEnvironment(draft: RulesDraft, from: string, to: string): EnvironmentCopy {
  const result: EnvironmentCopy = { draft, added: [], withdrawn: [], deleted: [], conditional: [] };
  for (const { key, rule } of draft.items) {
    const [isInSource, isInTarget] = [isFor(rule, from), isFor(rule, to)];
    if (isInSource && rule.conditions.some(namesEnvironment)) result.conditional.push(rule.name);
    if (isInSource === isInTarget) continue;
    if (isInSource) {
      result.added.push(rule.name);
      result.draft = setEnvironments(result.draft, key, [...(rule.environments ?? []), to]);
      continue;
    }
    const others = otherEnvironments(rule, to, []);
    result[others.length > 0 ? "withdrawn" : "deleted"].push(rule.name);
    result.draft = others.length > 0 ? setEnvironments(result.draft, key, others) : removeRule(result.draft, key);
  }
  return result;
}

const namesEnvironment = ({ type }: Rule["conditions"][number]): boolean => type === "environment_tier";
