import type { Schema } from "@gatehouse/contract/console";
import { isRunning } from "./experiment-state.ts";

type Experiment = Schema<"Experiment">;
type LayerOverrides = Schema<"LayerOverrides">;
export type OfLayer = Pick<LayerOverrides, "conditionalOverrides" | "idOverrides">;

const NONE: OfLayer = { conditionalOverrides: [], idOverrides: [] };

/** The overrides of a layer that apply to an experiment: those that reference it, and those without an experiment that match its groups. */
export function overridesFor(experiment: Experiment, overrides: LayerOverrides | undefined, onLayer: readonly Experiment[]): OfLayer {
  if (!overrides) return NONE;
  return {
    conditionalOverrides: overrides.conditionalOverrides.filter(({ experimentName }) => experimentName === experiment.id),
    idOverrides: overrides.idOverrides.filter(({ experimentName, groupName }) =>
      experimentName ? experimentName === experiment.id : experimentWithGroup(groupName, onLayer) === experiment,
    ),
  };
}

/** The experiment that has the group. If several have it, the one that runs, or else the first by id. */
function experimentWithGroup(groupName: string, onLayer: readonly Experiment[]): Experiment | undefined {
  const having = onLayer.filter(({ groups }) => groups.some(({ name }) => name === groupName));
  return having.find(isRunning) ?? having[0];
}
