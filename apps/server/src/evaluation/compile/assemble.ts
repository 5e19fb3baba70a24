import type { Schema } from "@gatehouse/contract/console";
import type { Spec } from "@gatehouse/evaluation";
import type { Entities, Kind } from "./evaluated-entities.ts";
import { isArchived } from "./evaluated-entities.ts";
import { experimentGroupName, type GroupCondition } from "./experiment-group-gate.ts";
import { overridesFor } from "./layer-overrides.ts";
import type { Specs } from "./memoized-specs.ts";
import { holdoutName } from "./names.ts";
import type { Node } from "./node.ts";
import type { ProjectState } from "./project-state.ts";
import { evaluatedRules } from "./release-rules.ts";

type Experiment = Schema<"Experiment">;

/** Compiles single entities, for keys of one reach. Undefined for an entity that does not exist or is not for these keys. */
export type Assembly = ReturnType<typeof createAssembly>;

const NONE: ReadonlyMap<string, Spec> = new Map();

/** @param isNeeded whether these keys get a node. The state must not change while the assembly is in use. */
export function createAssembly({ project, activeHoldouts, experimentsOn }: ProjectState, specs: Specs, isNeeded: (node: Node) => boolean) {
  const experimentsOnLayers = new Map<string, Experiment[]>();
  const assembly = {
    entity<K extends Kind>(kind: K, id: string): Entities[K] | undefined {
      const entity = project[kind].get(id);
      return entity && !isArchived(kind, entity) && isNeeded({ kind, id }) ? (entity as Entities[K]) : undefined;
    },

    /** The experiments on a layer, sorted by id. */
    onLayer(layerID: string): Experiment[] {
      const known = experimentsOnLayers.get(layerID);
      if (known) return known;
      const ids = assembly.entity("layers", layerID) ? [...experimentsOn(layerID)].sort() : [];
      const experiments = ids.flatMap((id) => assembly.entity("experiments", id) ?? []);
      experimentsOnLayers.set(layerID, experiments);
      return experiments;
    },

    gate(id: string): Spec | undefined {
      const gate = assembly.entity("gates", id);
      return gate && specs.gate(gate, project.gateOverrides.get(id), activeHoldouts.names(activeHoldouts.of("gates", id)));
    },

    /** The gates that a release of a gate or dynamic config adds, by name. */
    releaseGates({ kind, id }: Node & { kind: "gates" | "dynamicConfigs" }): ReadonlyMap<string, Spec> {
      const entity = assembly.entity(kind, id);
      return entity?.activeRelease ? specs.releaseGates(entity) : NONE;
    },

    holdout(id: string): Spec | undefined {
      const holdout = assembly.entity("holdouts", id);
      return holdout && specs.holdout(holdout, project.holdoutOverrides.get(id), holdoutName(project, id));
    },

    segment(id: string): Spec | undefined {
      const segment = assembly.entity("segments", id);
      return segment && specs.segment(segment, project.segmentIDs.get(id));
    },

    inlineTargeting(experimentID: string): Spec | undefined {
      const experiment = assembly.entity("experiments", experimentID);
      return experiment && specs.inlineTargeting(experiment);
    },

    /** Autotunes share the namespace too, and give way: their ids were reserved from the first one on. */
    autotune(id: string): Spec | undefined {
      const autotune = assembly.entity("autotunes", id);
      if (!autotune || assembly.dynamicConfig(id) || assembly.experiment(id)) return undefined;
      return specs.autotune(autotune, project.autotuneWeights.get(id));
    },

    /** Dynamic configs and experiments share one namespace. If two have the same id, the older one is compiled. */
    dynamicConfig(id: string): Spec | undefined {
      const config = assembly.entity("dynamicConfigs", id);
      if (!config || config.createdTime > (project.experiments.get(id)?.createdTime ?? config.createdTime)) return undefined;
      return specs.dynamicConfig(config);
    },

    experiment(id: string): Spec | undefined {
      const experiment = assembly.entity("experiments", id);
      if (!experiment || assembly.dynamicConfig(id)) return undefined;
      const { layerID } = experiment;
      const layer = project.layers.get(layerID ?? "");
      const holders = [...activeHoldouts.of("experiments", id), ...(layer ? activeHoldouts.of("layers", layer.id) : [])];
      const heldBy = [...new Set(activeHoldouts.names(holders))].sort();
      const ofLayer = overridesFor(experiment, project.layerOverrides.get(layerID ?? ""), layerID ? assembly.onLayer(layerID) : []);
      const defaults = layer ? specs.layerDefaults(layer) : null;
      const own = project.experimentOverrides.get(id);
      return specs.experiment(experiment, own, ofLayer.conditionalOverrides, ofLayer.idOverrides, heldBy, defaults);
    },

    layer(id: string): Spec | undefined {
      const layer = assembly.entity("layers", id);
      if (!layer) return undefined;
      const experiments = assembly.onLayer(id);
      const own = experiments.map((experiment) => project.experimentOverrides.get(experiment.id));
      const heldBy = activeHoldouts.names(activeHoldouts.of("layers", id));
      return specs.layer(layer, project.layerOverrides.get(id), experiments, own, heldBy, specs.layerDefaults(layer));
    },

    /** The experiment_group conditions of an entity's rules, by the names of the gates that replace them. */
    groupConditions({ kind, id }: Node): ReadonlyMap<string, GroupCondition> {
      const entity = assembly.entity(kind, id);
      const rules =
        entity && "rules" in entity
          ? evaluatedRules(entity)
          : entity && "inlineTargetingRules" in entity
            ? entity.inlineTargetingRules
            : [];
      const conditions = rules.flatMap((rule) => rule.conditions.filter(({ type, field }) => type === "experiment_group" && field));
      return new Map(conditions.map((one) => [experimentGroupName(one), one]));
    },
  };
  return assembly;
}
