import type { Schema } from "@gatehouse/contract/console";
import { isRunning } from "./experiment-state.ts";

type Experiment = Schema<"Experiment">;
type LayerOverrides = Schema<"LayerOverrides">;
export type OfLayer = Pick<LayerOverrides, "conditionalOverrides" | "idOverrides">;

const NONE: OfLayer = { conditionalOverrides: [], idOverrides: [] };

/** The overrides of a layer that an experiment on it follows: those that name it, and those that name none and mean it. */
export function overridesFor(experiment: Experiment, overrides: LayerOverrides | undefined, onLayer: readonly Experiment[]): OfLayer {
  if (!overrides) return NONE;
  return {
    conditionalOverrides: overrides.conditionalOverrides.filter(({ experimentName }) => experimentName === experiment.id),
    idOverrides: overrides.idOverrides.filter(({ experimentName, groupName }) =>
      experimentName ? experimentName === experiment.id : meant(groupName, onLayer) === experiment,
    ),
  };
}

/** The experiment that has the group; of several the one that runs, and else the first by id. */
function meant(groupName: string, onLayer: readonly Experiment[]): Experiment | undefined {
  const having = onLayer.filter(({ groups }) => groups.some(({ name }) => name === groupName));
  return having.find(isRunning) ?? having[0];
}
