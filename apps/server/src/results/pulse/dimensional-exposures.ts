import type { Schema } from "@gatehouse/contract/console";
import type { DimensionCounts, Units } from "../sql/dimension-counts.ts";
import { describePart, listParts } from "./dimension-results.ts";

/** How many units of each group of an experiment each part of a dimension has. */
export function exposuresByField(
  counts: DimensionCounts,
  { groups }: Pick<Schema<"Experiment">, "groups">,
): Schema<"DimensionalExposures"> {
  const toGroupExposures = (units: Units) =>
    groups.flatMap(({ id, name }) => (id ? [{ groupID: id, groupName: name, exposures: units[id] ?? 0 }] : []));
  const byValue = new Map(counts.values.map(({ value, units }) => [value, units]));
  return {
    dimension: counts.field,
    values: listParts(counts).map((part) => {
      const units = part.kind === "value" ? byValue.get(part.value) : part.kind === "others" ? counts.others.units : counts.none;
      return { ...describePart(part, counts), groups: toGroupExposures(units ?? {}) };
    }),
  };
}
