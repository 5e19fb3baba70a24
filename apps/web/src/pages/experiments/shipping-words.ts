// Users who get the values of a shipped group, in words. Pure.
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

/** The users who get a shipped group, after the decision. */
export const describeReach = (experiment: Targeted & Pick<Experiment, "layerID">): string =>
  experiment.layerID === null && isTargeted(experiment) ? "users who pass the targeting" : "everyone";
