import type { Schema } from "@gatehouse/contract/console";
import type { Condition, Rule } from "@gatehouse/evaluation";
import { condition } from "./conditions.ts";
import { includesEnvironment, type RulesetScope } from "./ruleset-scope.ts";
import { rule } from "./specs.ts";

/**
 * The conditions that limit a rule to environments. Empty if it applies in all of the key's environments, undefined if it applies nowhere.
 * @param environments names; an empty list, null and undefined mean all
 */
export function withinEnvironments(
  environments: readonly string[] | null | undefined,
  reach: RulesetScope,
  idType: string,
): Condition[] | undefined {
  if (!environments || environments.length === 0) return [];
  const reached = environments.filter((name) => includesEnvironment(reach, name));
  if (reached.length === 0) return undefined;
  return reach.environments.length === 1 ? [] : [tier("any", reached, idType)];
}

/** The id of the rule that decides for users of environments where an entity is off. A disabled entity decides by the same id. */
const DISABLED_RULE = "disabled";

/**
 * How a key sees the environments where an entity is off: `isOff` if it is off in the key's only environment, otherwise `rules` that precede all
 * others and fail every user that they match.
 */
export function switchedOff(names: readonly string[] = [], reach: RulesetScope, idType: string): { isOff: boolean; rules: Rule[] } {
  const conditions = names.length === 0 ? undefined : withinEnvironments(names, reach, idType);
  if (conditions === undefined) return { isOff: false, rules: [] };
  if (conditions.length === 0) return { isOff: true, rules: [] };
  // A rule of percentage 0 fails every user. It returns true since SDKs disagree on rules that return false.
  return { isOff: false, rules: [rule({ id: DISABLED_RULE, idType, passPercentage: 0, conditions, returnValue: true })] };
}

/** Whether a rule is the one for environments where its entity is off. Rules of people can have the same id. */
export function isSwitch({ id, passPercentage, conditions: [only, ...others] }: Rule): boolean {
  return id === DISABLED_RULE && passPercentage === 0 && only?.type === "environment_field" && others.length === 0;
}

/** The conditions that exclude a rule from environments. Undefined if it applies in none of the key's environments. */
export function outsideEnvironments(environments: readonly string[], reach: RulesetScope, idType: string): Condition[] | undefined {
  const reached = environments.filter((name) => includesEnvironment(reach, name));
  if (reached.length === 0) return [];
  return reach.environments.length === 1 ? undefined : [tier("none", reached, idType)];
}

/** Sorts overrides of one environment before those of all environments. */
export function specificFirst<T extends { environment: string | null }>(overrides: readonly T[]): T[] {
  return [...overrides.filter(({ environment }) => environment !== null), ...overrides.filter(({ environment }) => environment === null)];
}

/** The tier of users without one: the key's only environment, else production, else the first that the key reaches. */
export function defaultEnvironment({ environments }: Schema<"EnvironmentSet">, reach: RulesetScope): string | null {
  const reached = environments.map(({ name }) => name).filter((name) => includesEnvironment(reach, name));
  const [only, another] = reach.environments;
  if (only !== undefined && another === undefined) return reached[0] ?? only;
  return reached.find((name) => name.toLowerCase() === "production") ?? reached[0] ?? null;
}

function tier(operator: "any" | "none", names: string[], idType: string): Condition {
  return condition("environment_field", idType, { operator, targetValue: names, field: "tier" });
}
