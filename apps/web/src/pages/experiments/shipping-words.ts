// Users who get the values of a shipped group, in words. Pure.
import { numberText } from "../../results/verdicts.ts";
import type { Experiment } from "./states.ts";

type Targeted = Pick<Experiment, "targetingGateID" | "inlineTargetingRules">;

/** Outside a layer, a shipped group keeps the targeting unless the decision removes it. */
export const SHIP_TO_EVERYONE = "Also ship to users outside the targeting (removes it)";
/** The targeting of an experiment that ships to everyone, or not at all, matters only once it starts again. */
export const REMOVE_TARGETING = "Remove targeting, so that a later start includes everyone";

export const isTargeted = ({ targetingGateID, inlineTargetingRules }: Targeted): boolean =>
  Boolean(targetingGateID) || inlineTargetingRules.length > 0;

/** The consequences of shipping a group, before the decision. */
export function describeShipping(experiment: Targeted & Pick<Experiment, "layerID">, removesTargeting: boolean): string {
  const { layerID } = experiment;
  if (layerID !== null)
    return `The values of this group become the defaults of the layer ${layerID}, so everyone gets them. The experiment ends and frees its part of the layer.`;
  return isTargeted(experiment) && !removesTargeting
    ? "Users who pass the targeting get this group’s values, and the experiment ends."
    : "Everyone outside holdouts gets this group’s values, and the experiment ends.";
}

type Split = Targeted & Pick<Experiment, "layerID" | "allocation" | "groups" | "duration">;

/** Who takes part after a start, and the groups they get. */
export function describeStart({ layerID, allocation, groups, duration, ...targeting }: Split): string {
  const users = layerID === null ? "users" : `the users in the layer ${layerID}`;
  const limits = isTargeted(targeting) ? " who pass the targeting" : "";
  const split = groups.map(({ name, size }) => `${numberText(size)}% get ${name}`).join(", ");
  return `${numberText(allocation)}% of ${users}${limits} take part. Of them, ${split}. Planned for ${duration} days. You can’t add, remove, or resize groups while the experiment is running.`;
}

type Status = Pick<Experiment, "status" | "statusBeforeArchive" | "layerID">;

/** Whether a group is shipped by the experiment, not by its layer. */
const isShipping = ({ status, statusBeforeArchive, layerID }: Status) =>
  layerID === null && (status === "decision_made" || statusBeforeArchive === "decision_made");

const LOCKED = "You can’t change it until you unarchive it.";

/** The users' values that archiving changes. */
export function describeArchive(experiment: Status): string {
  if (isShipping(experiment)) return `Users no longer get the shipped group’s values: apps use the defaults in their code. ${LOCKED}`;
  if (experiment.status === "assignment_stopped") return `The experiment ends, and users no longer get their group’s values. ${LOCKED}`;
  return LOCKED;
}

export const describeUnarchive = (experiment: Status): string =>
  isShipping(experiment) ? "It can be changed again, and users get the shipped group’s values again." : "It can be changed again.";

/** The users' values and the data that a reset changes. */
export function describeReset(experiment: Status): string {
  const values = isShipping(experiment)
    ? "Users no longer get the shipped group’s values."
    : experiment.status === "active" || experiment.status === "assignment_stopped"
      ? "The experiment stops, and users no longer get their group’s values."
      : "";
  return `${values} The experiment’s dates, decision, exposures, and alerts are deleted. Users are split again at the next start.`.trimStart();
}

/** What apps get after a deletion. */
export function describeDeletion({ layerID }: Pick<Experiment, "layerID">): string {
  const defaults = layerID === null ? "the defaults in their code" : `the defaults of the layer ${layerID}`;
  return `Apps get ${defaults} instead of this experiment’s values. You can restore the experiment later.`;
}

/** The users who get a shipped group, after the decision. */
export const describeReach = (experiment: Targeted & Pick<Experiment, "layerID">): string =>
  experiment.layerID === null && isTargeted(experiment) ? "users who pass the targeting" : "everyone";
