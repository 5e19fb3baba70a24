import type { Schema } from "@gatehouse/contract/console";
import type { ReferableType, Reference } from "../reference.ts";
import { convertTarget } from "./condition-operand.ts";

type Condition = Schema<"Condition">;
type WithConditions = { conditions: Condition[] };

/** The types of conditions whose target value is a reference, with the type that it refers to. */
const NAMED_BY: Partial<Record<Condition["type"], ReferableType>> = {
  passes_gate: "gate",
  fails_gate: "gate",
  passes_segment: "segment",
  fails_segment: "segment",
};

/** The unit ID types that every project has. */
export const CORE_UNIT_ID_TYPES = ["userID", "stableID"];

/** The references in the conditions of the rules at `place`. */
export function namedInRules(rules: WithConditions[], place: string): Reference[] {
  return rules.flatMap(({ conditions }, rule) =>
    conditions.flatMap((one, condition) => {
      const { type, customID } = one;
      const at = `${place}[${rule}].conditions[${condition}]`;
      const target = NAMED_BY[type];
      return [
        ...(target ? [{ type: target, id: convertTarget(one) as string, place: `${at}.targetValue` }] : []),
        ...(type === "unit_id" && customID ? namedUnit(customID, `${at}.customID`) : []),
      ];
    }),
  );
}

type Labels = {
  tags?: string[];
  targetApps?: string[];
  idType?: string;
  releasePipelineID?: string | null;
  teamID?: string | null;
};

/** The references that most entities have beside those in rules. */
export function namedLabels({ tags = [], targetApps = [], idType, releasePipelineID, teamID }: Labels): Reference[] {
  return [
    ...namedEach("tag", tags, "tags"),
    ...namedEach("target_app", targetApps, "targetApps"),
    ...(idType === undefined ? [] : namedUnit(idType, "idType")),
    ...namedOne("release_pipeline", releasePipelineID, "releasePipelineID"),
    ...namedOne("team", teamID, "teamID"),
  ];
}

/** The references in a list of ids at `place`. */
export function namedEach(type: ReferableType, ids: string[], place: string): Reference[] {
  return ids.map((id, index) => ({ type, id, place: `${place}[${index}]` }));
}

export type MetricName = { name: string; type: string };

/** A longer name is of no metric: names have at most 200 characters. */
const MAX_METRIC_ID = 250;

/** The id of the metric with a name and a type. */
export function metricID({ name, type }: MetricName): string {
  return `${name}::${type}`;
}

/** The name and the type in a metric's id. */
export function toMetricName(id: string): MetricName {
  const end = id.lastIndexOf("::");
  return end === -1 ? { name: id, type: "" } : { name: id.slice(0, end), type: id.slice(end + 2) };
}

/** The references in a list of metrics at `place`. */
export function namedMetrics(metrics: readonly MetricName[] | undefined, place: string): Reference[] {
  return namedEach("metric", (metrics ?? []).map(metricID), place).filter(({ id }) => id.length <= MAX_METRIC_ID);
}

/** The reference of an id at `place`; none if it is not set. */
export function namedOne(type: ReferableType, id: string | null | undefined, place: string): Reference[] {
  return id ? [{ type, id, place }] : [];
}

/** The reference to the unit ID type at `place`. Core types need none, since they cannot be deleted. */
export function namedUnit(id: string, place: string): Reference[] {
  return CORE_UNIT_ID_TYPES.includes(id) ? [] : [{ type: "unit_id_type", id, place }];
}
