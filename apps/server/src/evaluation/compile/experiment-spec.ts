import type { Schema } from "@gatehouse/contract/console";
import type { Condition, Rule, Spec } from "@gatehouse/evaluation";
import { BUCKETS } from "../../console/experiments/allocation.ts";
import { belowBucket, everyone, failsGate, inBuckets } from "./conditions.ts";
import { type OverrideSources, toOverrides } from "./experiment-overrides.ts";
import { hasGroups, isRunning, prestartConditions, trialConditions } from "./experiment-state.ts";
import { holdoutRules } from "./holdout-spec.ts";
import { inlineTargetingName } from "./names.ts";
import type { Reach } from "./reach.ts";
import { toBounds } from "./shares.ts";
import { rule } from "./specs.ts";

type Experiment = Schema<"Experiment">;
type Values = Record<string, unknown>;

/** Where an experiment's values come from beside its groups: the defaults of its layer, null where it has none. */
export type Defaults = Values | null;

/**
 * Overrides come first, then holdouts, then what the state says: who takes part, and the groups.
 * @param defaults all parameters of the layer: SDKs do not merge, so that each value has to hold them all
 */
export function experimentSpec(
  experiment: Experiment,
  overrides: OverrideSources,
  heldBy: readonly string[],
  defaults: Defaults,
  reach: Reach,
): Spec {
  const { id, salt, idType, groups, version } = experiment;
  const inLayer = defaults !== null;
  // In a layer, what units get who are held out is the answer of the layer; without one, it is no answer.
  const heldOut = { passPercentage: inLayer ? 100 : 0, returnValue: defaults ?? {} };
  const explicitParameters = [...new Set(groups.flatMap(({ parameterValues = {} }) => Object.keys(parameterValues)))];
  return {
    name: id,
    type: "dynamic_config",
    salt,
    enabled: true,
    defaultValue: defaults ?? {},
    idType,
    entity: "experiment",
    rules: [
      ...overrideRules(experiment, overrides, defaults, reach),
      ...holdoutRules(heldBy, idType, heldOut),
      ...stateRules(experiment, defaults, reach),
    ],
    isActive: isRunning(experiment),
    hasSharedParams: inLayer,
    ...(inLayer && { explicitParameters }),
    version,
  };
}

/** The values of a group, with the layer's defaults for parameters that it does not set. */
function groupValues({ parameterValues = {} }: Experiment["groups"][number], defaults: Defaults): Values {
  return { ...defaults, ...parameterValues };
}

function overrideRules(experiment: Experiment, sources: OverrideSources, defaults: Defaults, reach: Reach): Rule[] {
  if (!hasGroups(experiment)) return [];
  return toOverrides(experiment, sources, reach).map(({ group, conditions, unit }) =>
    rule({
      id: unit === null ? `${group.id}:override` : `${group.id}:${unit}:id_override`,
      groupName: group.name,
      idType: unit ?? experiment.idType,
      conditions,
      returnValue: groupValues(group, defaults),
    }),
  );
}

function stateRules(experiment: Experiment, defaults: Defaults, reach: Reach): Rule[] {
  const { status, idType, groups, launchedGroupID } = experiment;
  const plain = (id: string, conditions: Condition[]) => rule({ id, idType, conditions, returnValue: defaults ?? {} });
  switch (status) {
    case "setup": {
      const waiting = prestartConditions(experiment, reach);
      const trial = trialConditions(experiment, reach) ? [...targetingRules(experiment, plain), ...groupRules(experiment, defaults)] : [];
      return [...(waiting ? [plain("prestart", waiting)] : []), ...trial];
    }
    case "active":
    case "assignment_stopped":
      return [assignmentRule(experiment, plain), ...targetingRules(experiment, plain), ...groupRules(experiment, defaults)];
    case "decision_made": {
      const launched = groups.find(({ id }) => id === launchedGroupID);
      const values = launched ? groupValues(launched, defaults) : (defaults ?? {});
      const shipped = rule({
        id: "launchedGroup",
        groupName: launched?.name ?? null,
        idType,
        conditions: [everyone(idType)],
        returnValue: values,
      });
      return [...targetingRules(experiment, plain), shipped];
    }
    default:
      return [plain("abandoned", [everyone(idType)])];
  }
}

/** Who is in none of the experiment's buckets takes no part. */
function assignmentRule({ layerID, salt, userBuckets, idType }: Experiment, plain: (id: string, conditions: Condition[]) => Rule): Rule {
  const bucketSalt = layerID ?? `${salt}:allocation`;
  const isFull = layerID === null && userBuckets.length === BUCKETS;
  return plain("layerAssignment", [
    isFull ? inBuckets("any", [-1], bucketSalt, idType) : inBuckets("none", userBuckets, bucketSalt, idType),
  ]);
}

/** SDKs know these rules by their ids, and take one that passes as failed targeting. */
function targetingRules(
  { id, targetingGateID, inlineTargetingRules, idType }: Experiment,
  plain: (id: string, conditions: Condition[]) => Rule,
): Rule[] {
  return [
    ...(targetingGateID ? [plain("targetingGate", [failsGate(targetingGateID, idType)])] : []),
    ...(inlineTargetingRules.length > 0 ? [plain("inlineTargetingRules", [failsGate(inlineTargetingName(id), idType)])] : []),
  ];
}

/** Units of a disabled group get what those get who take no part, under the group's id. */
function groupRules({ groups, salt, idType }: Experiment, defaults: Defaults): Rule[] {
  const bounds = toBounds(groups.map(({ size }) => size));
  return groups.map((group, index) =>
    rule({
      id: group.id ?? group.name,
      groupName: group.name,
      idType,
      conditions: [belowBucket(bounds[index] as number, salt, idType)],
      returnValue: group.disabled ? (defaults ?? {}) : groupValues(group, defaults),
      isExperimentGroup: !group.disabled,
    }),
  );
}
