import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import type { Context } from "../../common/context.ts";
import { invalid, type Violation } from "../../common/errors.ts";
import { namedOne, namedUnit } from "../common/named.ts";
import { checkPathName } from "../common/path-name.ts";
import { created, modified } from "../common/stamp.ts";
import type { Reference } from "../reference.ts";
import { type ColumnsInput, toEventColumns, toExposureColumns } from "./ingestion-columns.ts";
import { checkEngine, checkSharing, type Dataset, type Engine, toDataset } from "./ingestion-input.ts";

export type IngestionSource = Schema<"IngestionSource">;

type Create = WritableSchema<"IngestionSourceCreate">;
type Patch = WritableSchema<"IngestionSourcePatch">;
type Data = IngestionSource["data"];
type Origin = Pick<Data, "query" | "schema" | "table">;
type OriginInput = WritableSchema<"IngestionOrigin">;

/** Creates a source. @param warehouse the engine of the project's warehouse @throws AppError invalid_request with every violation */
export function newIngestionSource(given: Create, warehouse: Engine | null, context: Context): IngestionSource {
  const violations: Violation[] = [];
  const { source_name } = given;
  checkPathName(source_name, violations, "source_name");
  const type = checkEngine(given.type, warehouse, violations);
  const dataset = toDataset(given.dataset, violations);
  checkSharing(given, violations);
  const origin = toOrigin(given, violations);
  const data = dataset && toData({ dataset, source_name }, origin, given.column_mapping, violations);
  if (violations.length > 0 || type === undefined || data === undefined) throw invalid(violations);
  return { id: source_name, type, enabled: given.enabled ?? true, data, team: null, teamID: null, ...labelsOf(given), ...created(context) };
}

/** The source with the given fields changed. @throws AppError invalid_request with every violation */
export function changeIngestionSource(source: IngestionSource, given: Patch, warehouse: Engine | null, context: Context): IngestionSource {
  const violations: Violation[] = [];
  for (const name of ["dataset", "source_name"] as const)
    if (given[name] !== undefined && given[name] !== source.data[name])
      violations.push({ property: name, errorMessage: "cannot be changed" });
  const type = given.type === undefined ? source.type : checkEngine(given.type, warehouse, violations);
  checkSharing(given, violations);
  const { query: _query, schema: _schema, table: _table, ...named } = source.data;
  const origin = toOrigin(movedOrigin(source.data, given), violations);
  const data = given.column_mapping ? toData(named, origin, given.column_mapping, violations) : { ...named, ...origin };
  if (violations.length > 0 || type === undefined) throw invalid(violations);
  return { ...source, type, enabled: given.enabled ?? source.enabled, data, ...labelsOf(given), ...modified(source, context) };
}

/** The team and the owner that a request gives. */
function labelsOf({ team, teamID, owner }: Pick<Patch, "team" | "teamID" | "owner">) {
  return { ...(team !== undefined && { team }), ...(teamID !== undefined && { teamID }), ...(owner !== undefined && { owner }) };
}

/** The source's references. */
export function namedByIngestionSource({ data, teamID }: IngestionSource): Reference[] {
  const units = Object.keys(data.column_mapping.ids);
  return [...units.flatMap((unit) => namedUnit(unit, `column_mapping.ids.${unit}`)), ...namedOne("team", teamID, "teamID")];
}

/** The origin of the rows, as results name it. */
export function describeOrigin({ query, schema, table = "" }: Origin): { sourceType: "table" | "query"; sql: string; tableName: string } {
  if (query !== undefined) return { sourceType: "query", sql: query, tableName: "" };
  return { sourceType: "table", sql: "", tableName: schema === undefined ? table : `${schema}.${table}` };
}

export function toOrigin({ query, schema, table }: OriginInput, violations: Violation[]): Origin {
  const refuse = (property: keyof Origin, errorMessage: string) => violations.push({ property, errorMessage });
  if (isGiven(query) && isGiven(table)) refuse("query", "must be left out with table");
  if (!isGiven(query) && !isGiven(table)) refuse("query", "is required, unless table is given");
  if (isGiven(query) && query.trim() === "") refuse("query", "must not be empty");
  if (isGiven(schema) && !isGiven(table)) refuse("schema", "must be left out without table");
  return { ...(isGiven(query) && { query }), ...(isGiven(schema) && { schema }), ...(isGiven(table) && { table }) };
}

/** A query takes the place of a table, and the other way round. */
function movedOrigin({ query, schema, table }: Origin, given: OriginInput): OriginInput {
  if (isGiven(given.query)) return given;
  if (isGiven(given.table)) return { schema, ...given };
  return { query, schema, table, ...given };
}

const isGiven = (text: string | null | undefined): text is string => text !== null && text !== undefined;

function toData(
  { dataset, source_name }: { dataset: Dataset; source_name: string },
  origin: Origin,
  given: ColumnsInput,
  violations: Violation[],
): Data {
  return dataset === "Events"
    ? { dataset, source_name, ...origin, column_mapping: toEventColumns(given, violations) }
    : { dataset, source_name, ...origin, column_mapping: toExposureColumns(given, violations) };
}
