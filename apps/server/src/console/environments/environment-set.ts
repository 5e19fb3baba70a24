import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import { invalid, type Violation } from "../../common/errors.ts";
import { randomID } from "../../common/identifier.ts";
import { checkDistinct } from "../common/distinct.ts";

export type EnvironmentSet = Schema<"EnvironmentSet">;
type Environment = EnvironmentSet["environments"][number];
type Given = WritableSchema<"EnvironmentSetUpdate">["environments"];

/** Stands for the environments of a project that has none yet. */
export const NO_ENVIRONMENTS: EnvironmentSet = { environments: [], version: 0 };

/** The environments of a new project: development, staging and production. None requires a review. */
export function defaultEnvironments(): EnvironmentSet {
  const environments = ["development", "staging", "production"].map((name) => {
    const isProduction = name === "production";
    return { id: randomID(), name, isProduction, requiresReview: false, requiresReleasePipeline: false };
  });
  return { environments, version: 1 };
}

/**
 * Replaces the set. An item with an id changes that environment; one without an id is new.
 * @throws AppError invalid_request with every name and id that is given twice, and every unknown id
 */
export function replaceEnvironments(set: EnvironmentSet, given: Given): EnvironmentSet {
  const violations: Violation[] = [];
  const current = new Map(set.environments.map((environment) => [environment.id, environment]));
  checkDistinct(given, "name", "environments", violations, { ignoresCase: true });
  checkDistinct(given, "id", "environments", violations);
  for (const [index, { id }] of given.entries()) {
    const isKnown = !id || current.has(id);
    const errorMessage = "is not the id of an environment. Omit it to create an environment";
    if (!isKnown) violations.push({ property: `environments[${index}].id`, errorMessage });
  }
  if (violations.length > 0) throw invalid(violations);
  return { environments: given.map((one) => toEnvironment(one, current)), version: set.version + 1 };
}

/** The old version as a new one. */
export function restoreEnvironments(set: EnvironmentSet, old: EnvironmentSet): EnvironmentSet {
  return { ...old, version: set.version + 1 };
}

/** The set in which no environment requires a review. */
export function withoutReviews({ environments, version }: EnvironmentSet): EnvironmentSet {
  return { environments: environments.map((one) => ({ ...one, requiresReview: false })), version: version + 1 };
}

/** The names that a change removes from the set. */
export function droppedNames(before: EnvironmentSet, after: EnvironmentSet): string[] {
  const kept = new Set(after.environments.map(({ name }) => name));
  return before.environments.map(({ name }) => name).filter((name) => !kept.has(name));
}

/** The production environments, in lower case as applications report them. Checks without an environment ("") count as production. */
export function productionTiers({ environments }: EnvironmentSet): string[] {
  return ["", ...environments.filter(({ isProduction }) => isProduction).map(({ name }) => name.toLowerCase())];
}

function toEnvironment({ requiredReviewGroupID, id, ...rest }: Given[number], current: Map<string, Environment>): Environment {
  const before = id ? current.get(id) : undefined;
  const group = requiredReviewGroupID === undefined ? before?.requiredReviewGroupID : requiredReviewGroupID;
  return { id: id || randomID(), ...rest, ...(group && { requiredReviewGroupID: group }) };
}
