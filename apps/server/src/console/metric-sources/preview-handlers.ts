import type { Handlers } from "@gatehouse/contract";
import type { operations, Schema, WritableSchema } from "@gatehouse/contract/console";
import { type AppError, invalid, type Violation } from "../../errors.ts";
import { PREVIEW, previewQuery, queryOf, withFormulas } from "../../results/source-query.ts";
import { written } from "../../results/statement.ts";
import type { AnalysisEnv } from "../../stores.ts";
import { type Warehouse, WarehouseFailure } from "../../warehouse/warehouse.ts";
import { readingWarehouse } from "../common/reading-warehouse.ts";
import { checkOrigin } from "./metric-source.ts";

type Asked = WritableSchema<"MetricSourcePreviewRequest">;
type Origin = { sourceType: "table" | "query"; sql: string; tableName: string };

export const previewHandlers = {
  async previewMetricSource({ body, stores, limited }) {
    const origin = originOf(body);
    const found = await readingWarehouse(async () => {
      const warehouse = await stores.warehouse.open();
      return warehouse && limited((options) => preview(warehouse, origin, body, options));
    });
    if ("failure" in found && isOfStatement(found.failure)) throw refused(origin, found.failure);
    const reason = "failure" in found ? found.failure.message : "The project has no warehouse.";
    const data = ("value" in found && found.value) || { columns: [], rows: [], reason };
    return { status: 200, body: { message: "Metric source previewed successfully.", data } };
  },
} satisfies Partial<Handlers<operations, AnalysisEnv>>;

/** @throws AppError invalid_request if it has neither a query nor a table */
function originOf({ sourceType = "query", sql = "", tableName = "" }: Asked): Origin {
  const violations: Violation[] = [];
  checkOrigin({ sourceType, sql, tableName }, violations);
  if (violations.length > 0) throw invalid(violations);
  return { sourceType, sql, tableName };
}

async function preview(
  warehouse: Warehouse,
  origin: Origin,
  { customFieldMapping = [], ...asked }: Asked,
  options: Parameters<Warehouse["ask"]>[1],
): Promise<Schema<"MetricSourcePreview">> {
  const { dialect } = warehouse;
  const query = withFormulas(queryOf(origin, dialect), customFieldMapping, dialect);
  const all = await warehouse.columnsOf(query, options);
  requireColumns(asked, new Set(all.map(({ name }) => name)));
  const columns = all.slice(0, PREVIEW.columns);
  const statement = previewQuery(query, columns, dialect);
  const rows = await warehouse.ask<Record<string, string | null>>(statement, options);
  return {
    columns,
    rows: rows.map((row) => columns.map((_, index) => row[`c${index}`] ?? null)),
    sql: written(statement, dialect),
  };
}

function requireColumns({ timestampColumn, idTypeMapping = [] }: Asked, names: ReadonlySet<string>): void {
  const given = [
    ...(timestampColumn === undefined ? [] : [["timestampColumn", timestampColumn]]),
    ...idTypeMapping.map(({ column }, index) => [`idTypeMapping[${index}].column`, column]),
  ] as [string, string][];
  const violations = given.flatMap(([property, column]) =>
    names.has(column) ? [] : [{ property, errorMessage: `names the column ${column}, which the source does not have` }],
  );
  if (violations.length > 0) throw invalid(violations);
}

const isOfStatement = (failure: Error) => failure instanceof WarehouseFailure && failure.kind === "refused-statement";

function refused({ sourceType }: Origin, { message }: Error): AppError {
  return invalid([{ property: sourceType === "table" ? "tableName" : "sql", errorMessage: `failed on the warehouse: ${message}` }]);
}
