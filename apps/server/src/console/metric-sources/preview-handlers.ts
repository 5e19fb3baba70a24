import type { Handlers } from "@gatehouse/contract";
import type { operations, WritableSchema } from "@gatehouse/contract/console";
import { invalid, type Violation } from "../../errors.ts";
import type { AnalysisEnv } from "../../stores.ts";
import { columnsOfUnits, type Previewed, previewed } from "../warehouse/rows-preview.ts";
import { checkOrigin } from "./metric-source.ts";

export const previewHandlers = {
  async previewMetricSource({ body, ...env }) {
    const { timestampColumn, idTypeMapping, customFieldMapping: formulas = [] } = body;
    const ofTime = timestampColumn === undefined ? [] : [["timestampColumn", timestampColumn] as const];
    const columns = [...ofTime, ...columnsOfUnits(idTypeMapping)];
    const data = await previewed({ origin: originOf(body), formulas, columns }, env);
    return { status: 200, body: { message: "Metric source previewed successfully.", data } };
  },
} satisfies Partial<Handlers<operations, AnalysisEnv>>;

/** @throws AppError invalid_request if it has neither a query nor a table */
function originOf({ sourceType = "query", sql = "", tableName = "" }: WritableSchema<"MetricSourcePreviewRequest">): Previewed["origin"] {
  const violations: Violation[] = [];
  checkOrigin({ sourceType, sql, tableName }, violations);
  if (violations.length > 0) throw invalid(violations);
  return { sourceType, sql, tableName };
}
