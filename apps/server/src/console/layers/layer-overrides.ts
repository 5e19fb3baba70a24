import type { Schema } from "@gatehouse/contract/console";
import type { Context } from "../../common/context.ts";
import { namedUnit } from "../common/named.ts";
import { overridden } from "../common/stamp.ts";
import type { Reference } from "../reference.ts";
import type { ExperimentOnLayer } from "./layer-experiments.ts";
import { conditionKey, groupKey, type LayerOverrideLists, nameByID, requireNames } from "./layer-override-names.ts";

export type LayerOverrides = Schema<"LayerOverrides">;
type ConditionalOverride = LayerOverrideLists["conditionalOverrides"][number];
type IDOverride = LayerOverrideLists["idOverrides"][number];

/** Stands for the overrides of a layer that has never had any. */
export const NO_OVERRIDES: LayerOverrides = { conditionalOverrides: [], idOverrides: [], version: 0, createdTime: 0 };

/** Replaces all overrides. @throws AppError invalid_request with every unknown experiment and group */
export function replaceOverrides(
  overrides: LayerOverrides,
  given: LayerOverrideLists,
  experiments: ExperimentOnLayer[],
  context: Context,
): LayerOverrides {
  const { conditionalOverrides, idOverrides } = nameByID(given, experiments);
  requireNames({ conditionalOverrides, idOverrides }, overrides, experiments);
  return {
    conditionalOverrides: eachOnce(conditionalOverrides),
    idOverrides: oneGroupEach(idOverrides),
    ...overridden(overrides, context),
  };
}

/** Adds overrides. @throws AppError invalid_request with every unknown experiment and group */
export function addOverrides(
  overrides: LayerOverrides,
  given: LayerOverrideLists,
  experiments: ExperimentOnLayer[],
  context: Context,
): LayerOverrides {
  const { conditionalOverrides, idOverrides } = nameByID(given, experiments);
  requireNames({ conditionalOverrides, idOverrides }, overrides, experiments);
  return {
    conditionalOverrides: eachOnce([...overrides.conditionalOverrides, ...conditionalOverrides]),
    idOverrides: oneGroupEach([...overrides.idOverrides, ...idOverrides]),
    ...overridden(overrides, context),
  };
}

/**
 * Removes the given overrides; all of them if `given` is undefined. Drops entries without ids. The experiments and groups need not exist.
 */
export function removeOverrides(
  overrides: LayerOverrides,
  given: LayerOverrideLists | undefined,
  experiments: ExperimentOnLayer[],
  context: Context,
): LayerOverrides {
  if (!given) return { conditionalOverrides: [], idOverrides: [], ...overridden(overrides, context) };
  const { conditionalOverrides, idOverrides } = nameByID(given, experiments);
  const conditions = new Set(conditionalOverrides.map(conditionKey));
  const units = new Set(idOverrides.flatMap((override) => override.ids.map((id) => `${groupKey(override)}${id}`)));
  return {
    conditionalOverrides: overrides.conditionalOverrides.filter((override) => !conditions.has(conditionKey(override))),
    idOverrides: overrides.idOverrides
      .map((override) => ({ ...override, ids: override.ids.filter((id) => !units.has(`${groupKey(override)}${id}`)) }))
      .filter(({ ids }) => ids.length > 0),
    ...overridden(overrides, context),
  };
}

/**
 * The overrides' references, except those to the layer's own experiments. Places are those in the request (`given`), which can differ from
 * those in the resulting overrides.
 */
export function namedByLayerOverrides({ conditionalOverrides, idOverrides }: LayerOverrideLists, given: LayerOverrideLists): Reference[] {
  const indices = new Map(given.conditionalOverrides.map((one, index) => [`${one.type} ${one.name}`, index]));
  return [
    ...conditionalOverrides.map(({ type, name }) => {
      const place = `conditionalOverrides[${indices.get(`${type} ${name}`) ?? -1}].name`;
      return { type, id: name, place };
    }),
    ...idOverrides.flatMap(({ idType }, index) => (idType ? namedUnit(idType, `idOverrides[${index}].idType`) : [])),
  ];
}

function eachOnce(overrides: ConditionalOverride[]): ConditionalOverride[] {
  return [...new Map(overrides.map((override) => [conditionKey(override), override])).values()];
}

/**
 * One entry for each experiment, idType, environment and group. An id stays only in the last group that it was given for. Drops entries
 * without ids.
 */
function oneGroupEach(overrides: IDOverride[]): IDOverride[] {
  const groups = new Map<string, { override: IDOverride; ids: Set<string> }>();
  const idsOfGroupWith = new Map<string, Set<string>>();
  for (const { ids: added, groupName, experimentName = null, idType = null, environment = null } of overrides) {
    const override = { groupName, ids: [], idType, environment, experimentName };
    const key = groupKey(override);
    const group = groups.get(key) ?? { override, ids: new Set() };
    groups.set(key, group);
    for (const id of added) {
      const unit = JSON.stringify([experimentName, idType, environment, id]);
      const held = idsOfGroupWith.get(unit);
      if (held !== group.ids) held?.delete(id);
      group.ids.add(id);
      idsOfGroupWith.set(unit, group.ids);
    }
  }
  return [...groups.values()].filter(({ ids }) => ids.size > 0).map(({ override, ids }) => ({ ...override, ids: [...ids] }));
}
