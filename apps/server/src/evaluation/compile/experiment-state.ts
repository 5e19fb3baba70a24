import type { Schema } from "@gatehouse/contract/console";
import type { Condition } from "@gatehouse/evaluation";
import { everyone } from "./conditions.ts";
import { outsideEnvironments, withinEnvironments } from "./environments.ts";
import type { RulesetScope } from "./ruleset-scope.ts";

type Experiment = Schema<"Experiment">;

/** Whether units can be in groups of the experiment: while it runs, and by overrides before it starts. */
export function hasGroups({ status }: Experiment): boolean {
  return status === "setup" || isRunning({ status });
}

export function isRunning({ status }: Pick<Experiment, "status">): boolean {
  return status === "active" || status === "assignment_stopped";
}

/**
 * The conditions under which the experiment runs before its start, in environments that enable that. Undefined if it does not run in any of
 * the key's environments. It divides all units, since it holds no buckets yet.
 */
export function trialConditions(
  { status, enabledNonProdEnvironments = [], idType }: Experiment,
  reach: RulesetScope,
): Condition[] | undefined {
  if (status !== "setup" || enabledNonProdEnvironments.length === 0) return undefined;
  return withinEnvironments(enabledNonProdEnvironments, reach, idType);
}

/** The conditions under which the experiment does not run yet. Undefined if it runs in all of the key's environments. */
export function prestartConditions({ enabledNonProdEnvironments = [], idType }: Experiment, reach: RulesetScope): Condition[] | undefined {
  const outside = outsideEnvironments(enabledNonProdEnvironments, reach, idType);
  return outside?.length === 0 ? [everyone(idType)] : outside;
}
