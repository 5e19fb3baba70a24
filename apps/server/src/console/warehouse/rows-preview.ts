import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import { type AppError, invalid, type Violation } from "../../common/errors.ts";
import { PREVIEW, previewQuery, sourceQuery, withFormulas } from "../../results/sql/source-query.ts";
import { written } from "../../results/sql/statement.ts";
import type { Warehouse } from "../../store/database/engines.ts";
import { WarehouseFailure } from "../../warehouse/warehouse.ts";
import { readingWarehouse } from "../common/reading-warehouse.ts";
import { checkQuery } from "../common/row-source.ts";
import { checkOrigin, type Origin } from "../common/table-source.ts";

type RowsPreview = Schema<"MetricSourcePreview">;

type Options = Parameters<Warehouse["ask"]>[1];

/** Where it is read from, each as handlers receive it. */
type Reader = {
  stores: { warehouse: { open(): Promise<Warehouse | undefined> } };
  limited<T>(work: (options: Options) => Promise<T>): Promise<T>;
};

type QueryInput = { sql: string; idTypeMapping?: { column: string }[] } & { [property in `${string}Column`]?: string };

/** Ten rows of a hundred columns have at most 200,000 characters. Some characters take several bytes. */
const MOST_BYTES = 2 ** 23;

/** The source to preview. */
type Previewed = {
  origin: Origin;
  /** The properties with the query and with the table. Default: those of metric sources. */
  places?: { [Type in Origin["sourceType"]]: string };
  formulas: Schema<"MetricSource">["customFieldMapping"];
  /** The columns that must exist, by the properties that name them. */
  columns: readonly (readonly [property: string, column: string])[];
};

/**
 * The columns and ten rows of a table or query on the project's warehouse, or the reason for their absence.
 * @throws AppError invalid_request if the warehouse refuses the query or a column is missing; unavailable if it takes too long
 */
export async function previewed(asked: Previewed, { stores, limited }: Reader): Promise<RowsPreview> {
  const found = await readingWarehouse(async () => {
    const warehouse = await stores.warehouse.open();
    return warehouse && limited((options) => preview(warehouse, asked, options));
  });
  if ("failure" in found && isOfStatement(found.failure)) throw refused(asked, found.failure);
  const reason = "failure" in found ? found.failure.message : "The project has no warehouse.";
  return ("value" in found && found.value) || { columns: [], rows: [], reason };
}

/** The same of a source that is a table or a query. @throws AppError as `previewed` does, and invalid_request if it has neither */
export async function previewedSource(given: WritableSchema<"MetricSourcePreviewRequest">, reader: Reader): Promise<RowsPreview> {
  const { sourceType = "query", sql = "", tableName = "", timestampColumn, idTypeMapping, customFieldMapping: formulas = [] } = given;
  const origin = { sourceType, sql, tableName };
  const violations: Violation[] = [];
  checkOrigin(origin, violations);
  if (violations.length > 0) throw invalid(violations);
  const ofTime = timestampColumn === undefined ? [] : [["timestampColumn", timestampColumn] as const];
  return previewed({ origin, formulas, columns: [...ofTime, ...columnsOfUnits(idTypeMapping)] }, reader);
}

/**
 * The same of a query. The columns that are given must exist, unless they are empty.
 * @throws AppError as `previewed` does, and invalid_request if the query is blank
 */
export async function previewedQuery({ sql, idTypeMapping, ...columns }: QueryInput, reader: Reader): Promise<RowsPreview> {
  const violations: Violation[] = [];
  checkQuery({ sql }, violations);
  if (violations.length > 0) throw invalid(violations);
  const origin = { sourceType: "query", sql, tableName: "" } as const;
  const given = Object.entries(columns).flatMap(([property, column]) => (column ? [[property, column] as const] : []));
  return previewed({ origin, formulas: [], columns: [...given, ...columnsOfUnits(idTypeMapping)] }, reader);
}

/** The columns that a mapping names, by their properties. */
function columnsOfUnits(mapping: readonly { column: string }[] = []): [property: string, column: string][] {
  return mapping.map(({ column }, index) => [`idTypeMapping[${index}].column`, column]);
}

async function preview(warehouse: Warehouse, { origin, formulas, columns: needed }: Previewed, options: Options): Promise<RowsPreview> {
  const { dialect } = warehouse;
  const source = { query: sourceQuery(origin, dialect), formulas };
  const bounded = { ...options, maxBytes: MOST_BYTES };
  const all = await warehouse.readColumns(source, bounded);
  requireColumns(needed, new Set(all.map(({ name }) => name)));
  const columns = all.slice(0, PREVIEW.columns);
  const statement = previewQuery(withFormulas(source.query, formulas, dialect), columns, dialect);
  const rows = await warehouse.ask<Record<string, string | null>>(statement, bounded);
  return {
    columns,
    rows: rows.map((row) => columns.map((_, index) => row[`c${index}`] ?? null)),
    sql: written(statement, dialect),
  };
}

function requireColumns(needed: Previewed["columns"], names: ReadonlySet<string>): void {
  const violations = needed.flatMap(([property, column]) =>
    names.has(column) ? [] : [{ property, errorMessage: `names the column ${column}, which the source does not have` }],
  );
  if (violations.length > 0) throw invalid(violations);
}

const isOfStatement = (failure: Error) => failure instanceof WarehouseFailure && failure.kind === "refused-statement";

function refused({ origin, places = { query: "sql", table: "tableName" } }: Previewed, { message }: Error): AppError {
  return invalid([{ property: places[origin.sourceType], errorMessage: `failed on the warehouse: ${message}` }]);
}
