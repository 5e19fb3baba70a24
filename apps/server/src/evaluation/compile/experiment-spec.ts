import type { Schema } from "@gatehouse/contract/console";
import type { Condition, Rule, Spec } from "@gatehouse/evaluation";
import { BUCKETS } from "../../console/experiments/allocation.ts";
import { belowBucket, everyone, failsGate, inBuckets } from "./conditions.ts";
import { type OverrideSources, toOverrides } from "./experiment-overrides.ts";
import { hasGroups, isRunning, prestartConditions, trialConditions } from "./experiment-state.ts";
import { holdoutRules } from "./holdout-spec.ts";
import { inlineTargetingName } from "./names.ts";
import type { RulesetScope } from "./ruleset-scope.ts";
import { toBounds } from "./shares.ts";
import { rule } from "./specs.ts";

type Experiment = Schema<"Experiment">;
type Values = Record<string, unknown>;

/** The defaults of an experiment's layer; null if it has no layer. */
export type Defaults = Values | null;

/**
 * Compiles an experiment. Overrides come first, then holdouts, then the rules of its state: targeting and groups.
 * @param defaults all parameters of the layer. SDKs do not merge values, so each value contains all parameters.
 */
export function experimentSpec(
  experiment: Experiment,
  overrides: OverrideSources,
  heldBy: readonly string[],
  defaults: Defaults,
  reach: RulesetScope,
): Spec {
  const { id, salt, idType, groups, version } = experiment;
  const inLayer = defaults !== null;
  // Held-out units get the layer's defaults. Without a layer they get no value.
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

/** A group's values, with the layer's defaults for parameters that it does not set. */
function groupValues({ parameterValues = {} }: Experiment["groups"][number], defaults: Defaults): Values {
  return { ...defaults, ...parameterValues };
}

function overrideRules(experiment: Experiment, sources: OverrideSources, defaults: Defaults, reach: RulesetScope): Rule[] {
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

function stateRules(experiment: Experiment, defaults: Defaults, reach: RulesetScope): Rule[] {
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

/** Excludes units that are in none of the experiment's buckets. */
function assignmentRule({ layerID, salt, userBuckets, idType }: Experiment, plain: (id: string, conditions: Condition[]) => Rule): Rule {
  const bucketSalt = layerID ?? `${salt}:allocation`;
  const isFull = layerID === null && userBuckets.length === BUCKETS;
  return plain("layerAssignment", [
    isFull ? inBuckets("any", [-1], bucketSalt, idType) : inBuckets("none", userBuckets, bucketSalt, idType),
  ]);
}

/** SDKs recognize these rules by their ids. A unit that passes one has failed targeting. */
function targetingRules(
  { id, targetingGateID, inlineTargetingRules, idType }: Experiment,
  plain: (id: string, conditions: Condition[]) => Rule,
): Rule[] {
  return [
    ...(targetingGateID ? [plain("targetingGate", [failsGate(targetingGateID, idType)])] : []),
    ...(inlineTargetingRules.length > 0 ? [plain("inlineTargetingRules", [failsGate(inlineTargetingName(id), idType)])] : []),
  ];
}

/** Units of a disabled group get the values of units that take no part, by a rule that no exposure to the group names. */
function groupRules({ groups, salt, idType }: Experiment, defaults: Defaults): Rule[] {
  const bounds = toBounds(groups.map(({ size }) => size));
  return groups.map((group, index) =>
    rule({
      id: group.disabled ? `${group.id ?? group.name}:disabled` : (group.id ?? group.name),
      groupName: group.disabled ? null : group.name,
      idType,
      conditions: [belowBucket(bounds[index] as number, salt, idType)],
      returnValue: group.disabled ? (defaults ?? {}) : groupValues(group, defaults),
      isExperimentGroup: !group.disabled,
    }),
  );
}
