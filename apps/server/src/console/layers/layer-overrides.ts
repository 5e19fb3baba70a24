import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import type { Context } from "../../context.ts";

export type LayerOverrides = Schema<"LayerOverrides">;
type LayerOverridesPatch = WritableSchema<"LayerOverridesPatch">;
type ConditionalOverride = LayerOverrides["conditionalOverrides"][number];
type IDOverride = LayerOverrides["idOverrides"][number];

/** What stands for the overrides of a layer that was never given any. */
export const NO_OVERRIDES: LayerOverrides = { conditionalOverrides: [], idOverrides: [], version: 0, createdTime: 0 };

/** The overrides with those given added. */
export function addOverrides(overrides: LayerOverrides, given: LayerOverridesPatch, { now }: Context): LayerOverrides {
  return {
    conditionalOverrides: eachOnce([...overrides.conditionalOverrides, ...given.conditionalOverrides]),
    idOverrides: oneGroupEach([...overrides.idOverrides, ...given.idOverrides]),
    version: overrides.version + 1,
    createdTime: overrides.version === 0 ? now : overrides.createdTime,
  };
}

function eachOnce(overrides: ConditionalOverride[]): ConditionalOverride[] {
  const keyed = overrides.map((one) => [JSON.stringify([one.type, one.name, one.experimentName, one.groupName]), one] as const);
  return [...new Map(keyed).values()];
}

/**
 * One entry for each group of an experiment, idType and environment; an id stays in the last group of these that it was given for.
 * An entry that no id is left in is dropped.
 */
function oneGroupEach(overrides: IDOverride[]): IDOverride[] {
  const groups = new Map<string, { override: IDOverride; ids: Set<string> }>();
  const idsOfGroupWith = new Map<string, Set<string>>();
  for (const { ids: added, groupName, experimentName = null, idType = null, environment = null } of overrides) {
    const key = JSON.stringify([experimentName, idType, environment, groupName]);
    const group = groups.get(key) ?? { override: { groupName, ids: [], idType, environment, experimentName }, ids: new Set() };
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
