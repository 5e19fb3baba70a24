import type { Schema } from "@gatehouse/contract/console";
import type { Condition, Rule, Spec } from "@gatehouse/evaluation";
import { everyone, inBuckets } from "./conditions.ts";
import { type OverrideSources, toOverrides } from "./experiment-overrides.ts";
import { hasGroups, isRunning, trialConditions } from "./experiment-state.ts";
import { holdoutRules } from "./holdout-spec.ts";
import type { RulesetScope } from "./ruleset-scope.ts";
import { rule } from "./specs.ts";

type Layer = Schema<"Layer">;
type Experiment = Schema<"Experiment">;

/** An experiment on a layer, and the overrides that apply to it. */
type OnLayer = { experiment: Experiment; overrides: OverrideSources };

/** The values of units that are in no experiment of the layer. */
export function layerDefaults({ parameters }: Pick<Layer, "parameters">): Record<string, unknown> {
  return Object.fromEntries(parameters.map(({ name, defaultValue }) => [name, defaultValue]));
}

/**
 * Compiles a layer. Each rule, except those of holdouts, delegates to an experiment: first by overrides, then by the unit's bucket, and
 * last to experiments that run in an environment before their start.
 */
export function layerSpec(
  layer: Layer,
  experiments: readonly OnLayer[],
  heldBy: readonly string[],
  defaults: Record<string, unknown>,
  reach: RulesetScope,
): Spec {
  const { id, idType, version } = layer;
  const to = (ruleID: string, experimentID: string, conditions: Condition[]) =>
    rule({ id: ruleID, idType, conditions, returnValue: defaults, configDelegate: experimentID });
  const assigned = experiments.flatMap(({ experiment }) =>
    isRunning(experiment) ? [to("experimentAssignment", experiment.id, [inBuckets("any", experiment.userBuckets, id, idType)])] : [],
  );
  const trials = experiments.flatMap(({ experiment }) => {
    const conditions = trialConditions(experiment, reach);
    return conditions ? [to("experimentAssignment", experiment.id, conditions.length > 0 ? conditions : [everyone(idType)])] : [];
  });
  return {
    name: id,
    type: "dynamic_config",
    salt: id,
    enabled: true,
    defaultValue: defaults,
    idType,
    entity: "layer",
    rules: [
      ...overrideRules(experiments, reach, to),
      ...holdoutRules(heldBy, idType, { passPercentage: 100, returnValue: defaults }),
      ...assigned,
      ...trials,
    ],
    version,
  };
}

type Delegate = (ruleID: string, experimentID: string, conditions: Condition[]) => Rule;

/** Overrides by id precede those by gate or segment in the whole layer. */
function overrideRules(experiments: readonly OnLayer[], reach: RulesetScope, to: Delegate): Rule[] {
  const overrides = experiments.flatMap(({ experiment, overrides: sources }) =>
    hasGroups(experiment) ? toOverrides(experiment, sources, reach).map((override) => ({ ...override, experiment })) : [],
  );
  const ofIDs = overrides.filter(({ unit }) => unit !== null);
  const ofGates = overrides.filter(({ unit }) => unit === null);
  return [
    ...ofIDs.map(({ experiment: { id }, group, conditions }) => to(`${id} ${group.id}:id_override`, id, conditions)),
    ...ofGates.map(({ experiment: { id }, group, conditions }) => to(`${id} ${group.id}:override`, id, conditions)),
  ];
}
