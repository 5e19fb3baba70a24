import type { Schema } from "@gatehouse/contract/console";
import type { Condition } from "@gatehouse/evaluation";
import { everyone } from "./conditions.ts";
import { outsideEnvironments, withinEnvironments } from "./environments.ts";
import type { Reach } from "./reach.ts";

type Experiment = Schema<"Experiment">;

/** Whether units can be in groups of the experiment: those that it divides, or those that overrides put there before it starts. */
export function hasGroups({ status }: Experiment): boolean {
  return status === "setup" || isRunning({ status });
}

export function isRunning({ status }: Pick<Experiment, "status">): boolean {
  return status === "active" || status === "assignment_stopped";
}

/**
 * Where the experiment runs before it is started: the conditions for it to run there, undefined if it does not where the key is used.
 * It divides all units there, since it holds no buckets yet.
 */
export function trialConditions({ status, enabledNonProdEnvironments = [], idType }: Experiment, reach: Reach): Condition[] | undefined {
  if (status !== "setup" || enabledNonProdEnvironments.length === 0) return undefined;
  return withinEnvironments(enabledNonProdEnvironments, reach, idType);
}

/** The conditions for the experiment not to run yet, undefined if it runs wherever the key is used. */
export function prestartConditions({ enabledNonProdEnvironments = [], idType }: Experiment, reach: Reach): Condition[] | undefined {
  const outside = outsideEnvironments(enabledNonProdEnvironments, reach, idType);
  return outside?.length === 0 ? [everyone(idType)] : outside;
}
