import type { Schema } from "@gatehouse/contract/console";
import type { Condition } from "@gatehouse/evaluation";
import { idConditions, passesGate } from "./conditions.ts";
import { specificFirst, withinEnvironments } from "./environments.ts";
import { segmentName } from "./names.ts";
import type { RulesetScope } from "./ruleset-scope.ts";

type Experiment = Schema<"Experiment">;
type Group = Experiment["groups"][number];

/** Puts the units that match the conditions into a group. `unit` is the unit ID type of ids; null for gates and segments. */
type Override = { group: Group; conditions: Condition[]; unit: string | null };

/** The overrides that apply to an experiment. */
export type OverrideSources = {
  own: Schema<"ExperimentOverrides"> | undefined;
  /** The overrides of its layer that apply to it. */
  ofLayer: Pick<Schema<"LayerOverrides">, "conditionalOverrides" | "idOverrides"> | undefined;
};

type ByIDs = { group: string; ids: readonly string[]; environment: string | null; unit: string };
type ByGate = { group: string; gate: string; environment: string | null };

/** By precedence: ids before gates and segments; within each, overrides of one environment before those of all. */
export function toOverrides(experiment: Experiment, { own, ofLayer }: OverrideSources, reach: RulesetScope): Override[] {
  const { idType } = experiment;
  const byIDs: ByIDs[] = [
    ...(ofLayer?.idOverrides ?? []).map(({ groupName, ids, environment = null, idType: unit }) => ({
      group: groupName,
      ids,
      environment,
      unit: unit ?? idType,
    })),
    ...(own?.userIDOverrides ?? []).map(({ groupID, ids, environment = null, unitType }) => ({
      group: groupID,
      ids,
      environment,
      unit: unitType ?? idType,
    })),
  ];
  const byGates: ByGate[] = [
    ...(ofLayer?.conditionalOverrides ?? []).map(({ type, name, groupName }) => ({
      group: groupName,
      gate: toGateName(type, name),
      environment: null,
    })),
    ...(own?.overrides ?? []).map(({ type, id, groupID, environment = null }) => ({
      group: groupID,
      gate: toGateName(type, id),
      environment,
    })),
  ];
  return [
    ...specificFirst(byIDs).flatMap(({ group, ids, environment, unit }) =>
      within(environment, reach, unit, (conditions) =>
        idConditions(ids, unit).flatMap((one) => inGroup(experiment, group, [...conditions, one], unit)),
      ),
    ),
    ...specificFirst(byGates).flatMap(({ group, gate, environment }) =>
      within(environment, reach, idType, (conditions) => inGroup(experiment, group, [...conditions, passesGate(gate, idType)], null)),
    ),
  ];
}

function within(
  environment: string | null,
  reach: RulesetScope,
  idType: string,
  make: (conditions: Condition[]) => Override[],
): Override[] {
  const conditions = withinEnvironments(environment === null ? null : [environment], reach, idType);
  return conditions ? make(conditions) : [];
}

/** Overrides of a group that no longer exists have no effect. */
function inGroup({ groups }: Experiment, idOrName: string, conditions: Condition[], unit: string | null): Override[] {
  const group = groups.find(({ id }) => id === idOrName) ?? groups.find(({ name }) => name === idOrName);
  return group ? [{ group, conditions, unit }] : [];
}

function toGateName(type: "gate" | "segment", id: string): string {
  return type === "segment" ? segmentName(id) : id;
}
