import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import type { Violation } from "../../common/errors.ts";

export type EventColumns = Schema<"IngestionEventColumns">;
export type ExposureColumns = Schema<"IngestionExposureColumns">;
export type ColumnsInput = WritableSchema<"IngestionColumnsGiven">;

const OF_METRICS = ["id_type", "dateid", "metric_name", "metric_value", "numerator", "denominator"] as const;

/** The columns of events. */
export function toEventColumns(given: ColumnsInput, violations: Violation[]): EventColumns {
  refuse(["experiment", "group_id"], "belongs to the dataset Exposures", given, violations);
  return {
    event_name: required("event_name", given, violations),
    timestamp: given.timestamp,
    ...readUnits(given, violations),
    ...named("event_value", given),
    ...readMetadata(given),
  };
}

/** The columns of exposures. */
export function toExposureColumns(given: ColumnsInput, violations: Violation[]): ExposureColumns {
  refuse(["event_name", "event_value"], "belongs to the dataset Events", given, violations);
  return {
    experiment: required("experiment", given, violations),
    group_id: required("group_id", given, violations),
    timestamp: given.timestamp,
    ...readUnits(given, violations),
    ...readMetadata(given),
  };
}

/** The column that a text names; undefined if it names none. Existing clients send `null` as a text. */
function toColumn(given: string | null | undefined): string | undefined {
  return !given || given === "null" ? undefined : given;
}

function named<Name extends "unit_id" | "event_value" | "metadata_object">(name: Name, given: ColumnsInput): { [N in Name]?: string } {
  const column = toColumn(given[name]);
  return column === undefined ? {} : ({ [name]: column } as { [N in Name]: string });
}

/** Every column of a mapping with the property that names it. */
export function namedColumns({
  ids,
  metadata,
  ...columns
}: WritableSchema<"IngestionPreviewColumns">): [property: string, column: string][] {
  const ofList = (list: string, names: { [name: string]: string } = {}) =>
    Object.entries(names).map(([name, column]): [string, string] => [`column_mapping.${list}.${name}`, column]);
  const single = Object.entries(columns).flatMap(([name, given]): [string, string][] => {
    const column = toColumn(given);
    return column === undefined ? [] : [[`column_mapping.${name}`, column]];
  });
  return [...single, ...ofList("ids", ids), ...ofList("metadata", metadata)];
}

function required(name: "event_name" | "experiment" | "group_id", given: ColumnsInput, violations: Violation[]): string {
  const column = given[name];
  if (column === undefined) violations.push({ property: `column_mapping.${name}`, errorMessage: "is required" });
  return column ?? "";
}

function readUnits(given: ColumnsInput, violations: Violation[]): Pick<EventColumns, "unit_id" | "ids"> {
  refuse(OF_METRICS, "belongs to the dataset Metrics, which is not copied", given, violations);
  const { ids = {} } = given;
  const unit = named("unit_id", given);
  const property = "column_mapping.unit_id";
  if (unit.unit_id === undefined && Object.keys(ids).length === 0)
    violations.push({ property, errorMessage: "is required, unless ids names a column" });
  if (unit.unit_id !== undefined && Object.hasOwn(ids, "userID"))
    violations.push({ property, errorMessage: "must be left out with ids.userID, which names a column of the same ids" });
  return { ...unit, ids };
}

function readMetadata(given: ColumnsInput): Pick<EventColumns, "metadata" | "metadata_object"> {
  return { metadata: given.metadata ?? {}, ...named("metadata_object", given) };
}

function refuse(names: readonly (keyof ColumnsInput)[], errorMessage: string, given: ColumnsInput, violations: Violation[]): void {
  for (const name of names) {
    const value = given[name];
    if (typeof value === "string" && toColumn(value) !== undefined) violations.push({ property: `column_mapping.${name}`, errorMessage });
  }
}
