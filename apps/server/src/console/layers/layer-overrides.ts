import type { Schema } from "@gatehouse/contract/console";
import { checkNames, conditionKey, type ExperimentOnLayer, groupKey, nameByID, type OverrideLists } from "./layer-override-names.ts";

export type LayerOverrides = Schema<"LayerOverrides">;
type ConditionalOverride = OverrideLists["conditionalOverrides"][number];
type IDOverride = OverrideLists["idOverrides"][number];

/** What a new layer has. */
export const NO_OVERRIDES: LayerOverrides = { conditionalOverrides: [], idOverrides: [], version: 1 };

/** Those given, and no others. @throws AppError invalid_request naming every place that names what the layer does not have */
export function replaceOverrides(overrides: LayerOverrides, given: OverrideLists, experiments: ExperimentOnLayer[]): LayerOverrides {
  const { conditionalOverrides, idOverrides } = nameByID(given, experiments);
  checkNames({ conditionalOverrides, idOverrides }, overrides, experiments);
  return next(overrides, { conditionalOverrides: eachOnce(conditionalOverrides), idOverrides: oneGroupEach(idOverrides) });
}

/** The overrides with those given added. @throws AppError invalid_request naming every place that names what the layer does not have */
export function addOverrides(overrides: LayerOverrides, given: OverrideLists, experiments: ExperimentOnLayer[]): LayerOverrides {
  const { conditionalOverrides, idOverrides } = nameByID(given, experiments);
  checkNames({ conditionalOverrides, idOverrides }, overrides, experiments);
  return next(overrides, {
    conditionalOverrides: eachOnce([...overrides.conditionalOverrides, ...conditionalOverrides]),
    idOverrides: oneGroupEach([...overrides.idOverrides, ...idOverrides]),
  });
}

/** The overrides without those given; an entry that no id is left in is dropped. What they name need not exist any more. */
export function removeOverrides(overrides: LayerOverrides, given: OverrideLists, experiments: ExperimentOnLayer[]): LayerOverrides {
  const { conditionalOverrides, idOverrides } = nameByID(given, experiments);
  const conditions = new Set(conditionalOverrides.map(conditionKey));
  const units = new Set(idOverrides.flatMap((override) => override.ids.map((id) => `${groupKey(override)}${id}`)));
  return next(overrides, {
    conditionalOverrides: overrides.conditionalOverrides.filter((override) => !conditions.has(conditionKey(override))),
    idOverrides: overrides.idOverrides
      .map((override) => ({ ...override, ids: override.ids.filter((id) => !units.has(`${groupKey(override)}${id}`)) }))
      .filter(({ ids }) => ids.length > 0),
  });
}

function next({ version }: LayerOverrides, lists: OverrideLists): LayerOverrides {
  return { ...lists, version: version + 1 };
}

function eachOnce(overrides: ConditionalOverride[]): ConditionalOverride[] {
  return [...new Map(overrides.map((override) => [conditionKey(override), override])).values()];
}

/**
 * One entry for each group of an experiment, idType and environment; an id stays in the last group of these that it was given for.
 * An entry that no id is left in is dropped.
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
