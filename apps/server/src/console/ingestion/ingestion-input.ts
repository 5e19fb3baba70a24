import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import { invalid, type Violation } from "../../common/errors.ts";

export type Dataset = Schema<"IngestionDataset">;
export type Engine = Schema<"IngestionType">;

type TypeInput = Schema<"IngestionTypeGiven">;
type DatasetInput = Schema<"IngestionDatasetGiven">;

const INSTEAD: { [Other in Exclude<DatasetInput, Dataset>]: string } = {
  Metrics: "is not copied. A metric source is read in the warehouse, where its rows are",
  export_exposures: "is not copied. Reports export exposures",
  entity_properties: "is not copied. An entity property source is read in the warehouse, where its rows are",
};

const isEngine = (type: TypeInput): type is Engine => type === "postgres" || type === "clickhouse";
const isDataset = (dataset: DatasetInput): dataset is Dataset => dataset === "Events" || dataset === "Exposures";

/** The dataset that a request names; undefined if Gatehouse does not copy it. */
export function toDataset(given: DatasetInput, violations: Violation[]): Dataset | undefined {
  if (isDataset(given)) return given;
  violations.push({ property: "dataset", errorMessage: INSTEAD[given] });
  return undefined;
}

/** The engine that a request names; undefined if Gatehouse does not read it. */
function toEngine(given: TypeInput, violations: Violation[]): Engine | undefined {
  if (isEngine(given)) return given;
  violations.push({ property: "type", errorMessage: "is no engine that Gatehouse reads. These are postgres and clickhouse" });
  return undefined;
}

/** The type and dataset of a request. @throws AppError invalid_request if Gatehouse does not copy it */
export function requireAddress(given: { type: TypeInput; dataset: DatasetInput }): { type: Engine; dataset: Dataset } {
  const violations: Violation[] = [];
  const type = toEngine(given.type, violations);
  const dataset = toDataset(given.dataset, violations);
  if (type === undefined || dataset === undefined) throw invalid(violations);
  return { type, dataset };
}

/** @throws AppError invalid_request if Gatehouse does not copy it */
export function requireDataset(given: DatasetInput): Dataset {
  const violations: Violation[] = [];
  const dataset = toDataset(given, violations);
  if (dataset === undefined) throw invalid(violations);
  return dataset;
}

/** Refuses another engine than the warehouse's. @param warehouse its engine, null if the project has none */
export function checkEngine(given: TypeInput, warehouse: Engine | null, violations: Violation[]): Engine | undefined {
  const type = toEngine(given, violations);
  if (type === undefined || type === warehouse) return type;
  const found = warehouse === null ? "of which the project has none: connect one first" : `which is ${warehouse}`;
  violations.push({ property: "type", errorMessage: `must be the engine of the project's warehouse, ${found}` });
  return undefined;
}

export function checkSharing(given: WritableSchema<"IngestionProperties">, violations: Violation[]): void {
  for (const property of ["use_delta_sharing", "share"] as const)
    if (given[property] !== undefined)
      violations.push({ property, errorMessage: "must be left out: no engine that Gatehouse reads shares tables so" });
}
