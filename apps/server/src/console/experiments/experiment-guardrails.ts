import type { Schema } from "@gatehouse/contract/console";
import { collectGuards, type Guard } from "../common/guards.ts";
import type { Experiment } from "./experiment.ts";
import { METRIC_LISTS } from "./metric-tests.ts";

export type ExperimentGuardrailCheck = Schema<"ExperimentGuardrailCheck">;

/** The guardrails of an experiment. */
export const guardsOfExperiment = (experiment: Experiment): Guard[] => collectGuards(METRIC_LISTS.flatMap((list) => experiment[list]));

/** The groups that are compared with the control group. Disabled groups no longer have users. */
export function guardedGroups({ groups, controlGroupID }: Pick<Experiment, "groups" | "controlGroupID">): string[] {
  return groups.flatMap(({ id, disabled }) => (id && id !== controlGroupID && !disabled ? [id] : []));
}
