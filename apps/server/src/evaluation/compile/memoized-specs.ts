import type { Schema } from "@gatehouse/contract/console";
import type { Spec } from "@gatehouse/evaluation";
import { autotuneSpec } from "./autotune-spec.ts";
import { dynamicConfigSpec } from "./dynamic-config-spec.ts";
import { experimentGroupGate, type GroupCondition, noExperimentGroupGate } from "./experiment-group-gate.ts";
import { type Defaults, experimentSpec } from "./experiment-spec.ts";
import { featureGateSpec, inlineTargetingSpec, segmentSpec } from "./gate-specs.ts";
import { holdoutSpec } from "./holdout-spec.ts";
import { type OfLayer, overridesFor } from "./layer-overrides.ts";
import { layerDefaults, layerSpec } from "./layer-spec.ts";
import { memoize } from "./memoize.ts";
import { releaseGates } from "./release-rules.ts";
import type { RulesetScope } from "./ruleset-scope.ts";

type Experiment = Schema<"Experiment">;
type OverrideLists = Schema<"OverrideLists"> | undefined;
type ExperimentOverrides = Schema<"ExperimentOverrides"> | undefined;
type Names = readonly string[];

export type Specs = ReturnType<typeof createSpecs>;

/** Memoized compilation of each kind of spec, for keys of one reach. All inputs of a spec are arguments. */
export function createSpecs(reach: RulesetScope) {
  return {
    gate: memoize((gate: Schema<"Gate">, overrides: OverrideLists, heldBy: Names) => featureGateSpec(gate, overrides, heldBy, reach)),

    releaseGates: memoize((entity: Schema<"Gate"> | Schema<"DynamicConfig">) => releaseGates(entity, reach)),

    segment: memoize((segment: Schema<"Segment">, ids: readonly string[] | undefined) => segmentSpec(segment, ids, reach)),

    holdout: memoize((holdout: Schema<"Holdout">, overrides: OverrideLists, name: string) => holdoutSpec(holdout, overrides, reach, name)),

    inlineTargeting: memoize((experiment: Experiment) => inlineTargetingSpec(experiment, reach)),

    experimentGroup: memoize((given: GroupCondition, experiment: Spec | undefined) =>
      experiment ? experimentGroupGate(experiment, given) : noExperimentGroupGate(given),
    ),

    autotune: memoize(autotuneSpec),

    dynamicConfig: memoize((config: Schema<"DynamicConfig">) => dynamicConfigSpec(config, reach)),

    experiment: memoize(
      (
        experiment: Experiment,
        own: ExperimentOverrides,
        conditionalOverrides: OfLayer["conditionalOverrides"],
        idOverrides: OfLayer["idOverrides"],
        heldBy: Names,
        defaults: Defaults,
      ) => experimentSpec(experiment, { own, ofLayer: { conditionalOverrides, idOverrides } }, heldBy, defaults, reach),
    ),

    /** `own` has the overrides of each experiment. */
    layer: memoize(
      (
        layer: Schema<"Layer">,
        overrides: Schema<"LayerOverrides"> | undefined,
        experiments: Experiment[],
        own: ExperimentOverrides[],
        heldBy: Names,
        defaults: Record<string, unknown>,
      ) => {
        const onLayer = experiments.map((experiment, index) => ({
          experiment,
          overrides: { own: own[index], ofLayer: overridesFor(experiment, overrides, experiments) },
        }));
        return layerSpec(layer, onLayer, heldBy, defaults, reach);
      },
    ),

    layerDefaults: memoize(layerDefaults),
  };
}
