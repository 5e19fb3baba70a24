import type { Schema } from "@gatehouse/contract/console";
import type { Condition } from "@gatehouse/evaluation";
import { listed, passesGate } from "./conditions.ts";
import { specificFirst, withinEnvironments } from "./environments.ts";
import { segmentName } from "./names.ts";
import type { Reach } from "./reach.ts";

type Experiment = Schema<"Experiment">;
type Group = Experiment["groups"][number];

/** That units which meet the conditions are in a group, whatever else holds. `unit` is that of ids; null where a gate or segment decides. */
type Override = { group: Group; conditions: Condition[]; unit: string | null };

/** What puts units into groups of an experiment. */
export type OverrideSources = {
  own: Schema<"ExperimentOverrides"> | undefined;
  /** Those of its layer that name it, and those that name no experiment and are its own to follow. */
  ofLayer: Pick<Schema<"LayerOverrides">, "conditionalOverrides" | "idOverrides"> | undefined;
};

type ByIDs = { group: string; ids: readonly string[]; environment: string | null; unit: string };
type ByGate = { group: string; gate: string; environment: string | null };

/** In the order in which they count: ids before gates and segments, and of both, what is said of one environment before what is of all. */
export function toOverrides(experiment: Experiment, { own, ofLayer }: OverrideSources, reach: Reach): Override[] {
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
        listed(ids, unit).flatMap((one) => inGroup(experiment, group, [...conditions, one], unit)),
      ),
    ),
    ...specificFirst(byGates).flatMap(({ group, gate, environment }) =>
      within(environment, reach, idType, (conditions) => inGroup(experiment, group, [...conditions, passesGate(gate, idType)], null)),
    ),
  ];
}

function within(environment: string | null, reach: Reach, idType: string, make: (conditions: Condition[]) => Override[]): Override[] {
  const conditions = withinEnvironments(environment === null ? null : [environment], reach, idType);
  return conditions ? make(conditions) : [];
}

/** No rule for a group that no longer exists. */
function inGroup({ groups }: Experiment, idOrName: string, conditions: Condition[], unit: string | null): Override[] {
  const group = groups.find(({ id }) => id === idOrName) ?? groups.find(({ name }) => name === idOrName);
  return group ? [{ group, conditions, unit }] : [];
}

function toGateName(type: "gate" | "segment", id: string): string {
  return type === "segment" ? segmentName(id) : id;
}
