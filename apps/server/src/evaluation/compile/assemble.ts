import type { Schema } from "@gatehouse/contract/console";
import type { Spec } from "@gatehouse/evaluation";
import type { Selection } from "./evaluated-entities.ts";
import type { EvaluatedProject } from "./evaluated-project.ts";
import { experimentGroupName, type GroupCondition } from "./experiment-group-gate.ts";
import type { Holdings } from "./holdings.ts";
import { overridesFor } from "./layer-overrides.ts";
import type { Specs } from "./memoized-specs.ts";
import { holdoutName } from "./names.ts";

type Experiment = Schema<"Experiment">;

/** The layers that experiments are on, each with its experiments, by id. */
export function toLayers({ experiments, layers }: Selection): Map<string, Experiment[]> {
  const onLayers = new Map<string, Experiment[]>(layers.map(({ id }) => [id, []]));
  for (const experiment of experiments) onLayers.get(experiment.layerID ?? "")?.push(experiment);
  return onLayers;
}

/** A dynamic config and an experiment share one space of names: of two with one id, the one that was made first keeps it. */
export function toConfigs(
  project: EvaluatedProject,
  { dynamicConfigs, experiments }: Selection,
  onLayers: Map<string, Experiment[]>,
  holdings: Holdings,
  specs: Specs,
): Spec[] {
  const configs = dynamicConfigs.filter(({ id, createdTime }) => createdTime <= (project.experiments.get(id)?.createdTime ?? createdTime));
  const taken = new Set(configs.map(({ id }) => id));
  return [
    ...configs.map((config) => specs.dynamicConfig(config)),
    ...experiments.filter(({ id }) => !taken.has(id)).map((experiment) => experimentSpec(project, experiment, onLayers, holdings, specs)),
  ];
}

function experimentSpec(
  project: EvaluatedProject,
  experiment: Experiment,
  onLayers: Map<string, Experiment[]>,
  holdings: Holdings,
  specs: Specs,
): Spec {
  const { id, layerID } = experiment;
  const layer = project.layers.get(layerID ?? "");
  const holders = [...holdings.of("experiments", id), ...(layer ? holdings.of("layers", layer.id) : [])];
  const heldBy = [...new Set(holdings.names(holders))].sort();
  const ofLayer = overridesFor(experiment, project.layerOverrides.get(layerID ?? ""), onLayers.get(layerID ?? "") ?? []);
  const defaults = layer ? specs.layerDefaults(layer) : null;
  const own = project.experimentOverrides.get(id);
  return specs.experiment(experiment, own, ofLayer.conditionalOverrides, ofLayer.idOverrides, heldBy, defaults);
}

export function toLayerConfigs(
  project: EvaluatedProject,
  { layers }: Selection,
  onLayers: Map<string, Experiment[]>,
  holdings: Holdings,
  specs: Specs,
): Spec[] {
  return layers.map((layer) => {
    const experiments = onLayers.get(layer.id) ?? [];
    const own = experiments.map(({ id }) => project.experimentOverrides.get(id));
    const heldBy = holdings.names(holdings.of("layers", layer.id));
    return specs.layer(layer, project.layerOverrides.get(layer.id), experiments, own, heldBy, specs.layerDefaults(layer));
  });
}

/** Gates, holdouts, segments, and the gates that stand for conditions. */
export function toGates(project: EvaluatedProject, selection: Selection, configs: Spec[], holdings: Holdings, specs: Specs): Spec[] {
  return [
    ...selection.gates.map((gate) => {
      const heldBy = holdings.names(holdings.of("gates", gate.id));
      return specs.gate(gate, project.gateOverrides.get(gate.id), heldBy);
    }),
    ...selection.holdouts.map((holdout) =>
      specs.holdout(holdout, project.holdoutOverrides.get(holdout.id), holdoutName(project, holdout.id)),
    ),
    ...selection.segments.map((segment) => specs.segment(segment, project.segmentIDs.get(segment.id))),
    ...selection.experiments.flatMap((experiment) => specs.inlineTargeting(experiment) ?? []),
    ...experimentGroupGates(selection, configs, specs),
  ];
}

function experimentGroupGates({ gates, segments, dynamicConfigs, experiments }: Selection, configs: Spec[], specs: Specs): Spec[] {
  const rules = [
    ...[...gates, ...segments, ...dynamicConfigs].flatMap((entity) => entity.rules),
    ...experiments.flatMap(({ inlineTargetingRules }) => inlineTargetingRules),
  ];
  const conditions = rules.flatMap((rule) => rule.conditions).filter(({ type, field }) => type === "experiment_group" && field);
  const byName = new Map<string, GroupCondition>(conditions.map((one) => [experimentGroupName(one), one]));
  const isExperiment = new Map(configs.filter(({ entity }) => entity === "experiment").map((spec) => [spec.name, spec]));
  return [...byName.values()].map((one) => specs.experimentGroup(one, isExperiment.get(one.field ?? "")));
}
