import type { Schema } from "@gatehouse/contract/console";
import type { Condition } from "@gatehouse/evaluation";
import { condition } from "./conditions.ts";
import { includesEnvironment, type RulesetScope } from "./ruleset-scope.ts";

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
