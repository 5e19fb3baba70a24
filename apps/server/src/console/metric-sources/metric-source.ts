import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import type { Context } from "../../common/context.ts";
import { changeRowSource, newRowSource } from "../common/row-source.ts";
import { checkNotReserved, checkOrigin, TABLE_SOURCE_DEFAULTS } from "../common/table-source.ts";

export type MetricSource = Schema<"MetricSource">;
type MetricSourceCreate = WritableSchema<"MetricSourceCreate">;
type MetricSourceUpdate = WritableSchema<"MetricSourceUpdate">;

const RESERVED = new Map([
  ["list", "lists the metric sources"],
  ["preview", "previews one"],
]);

/** Creates a metric source. @throws AppError invalid_request with every violation */
export function newMetricSource({ dryRun, ...given }: MetricSourceCreate, context: Context): MetricSource {
  const check: typeof checkOrigin = (source, violations) => {
    checkNotReserved(given.name, RESERVED, violations);
    checkOrigin(source, violations);
  };
  return newRowSource(TABLE_SOURCE_DEFAULTS, given, check, context);
}

/** The source with the given fields changed. @throws AppError invalid_request with every violation */
export function changeMetricSource(source: MetricSource, { dryRun, ...given }: MetricSourceUpdate, context: Context): MetricSource {
  return changeRowSource(source, given, checkOrigin, context);
}
