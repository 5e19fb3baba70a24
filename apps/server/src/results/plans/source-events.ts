import type { Schema } from "@gatehouse/contract/console";
import type { Unplanned } from "./plan.ts";

type WarehouseNative = Schema<"WarehouseNative">;
type MetricEvent = Schema<"MetricEvent">;
type Criterion = Schema<"MetricCriterion">;
type FunnelStep = Schema<"FunnelStep">;

/** The events of a metric of rows: rows of a source count as events with its name, and their columns as metadata. */
export type RowsRead = { metricEvents: MetricEvent[]; funnelEvents: FunnelStep[] };

/** Whether a metric reads rows of metric sources. */
export function readsSources({ metricSourceName, funnelEvents = [] }: WarehouseNative): boolean {
  return metricSourceName !== undefined || funnelEvents.some((step) => step.metricSourceName !== undefined);
}

/** The names of the metric sources that a metric reads. */
export function sourceNames({ warehouseNative: given }: Pick<Schema<"Metric">, "warehouseNative">): string[] {
  if (!given) return [];
  const { metricSourceName, denominatorMetricSourceName, funnelEvents = [] } = given;
  const names = [metricSourceName, denominatorMetricSourceName, ...funnelEvents.map((step) => step.metricSourceName)];
  return [...new Set(names.filter((name) => name !== undefined))];
}

/** The rows that a metric reads in the form of events. */
export function rowsRead(given: WarehouseNative): RowsRead | Unplanned {
  const { aggregation, metricSourceName: name, criteria = [], valueColumn, funnelEvents = [] } = given;
  const all = [...criteria, ...(given.denominatorCriteria ?? []), ...funnelEvents.flatMap((step) => step.criteria ?? [])];
  if (all.some(({ type }) => type === "user" || type === "user_custom"))
    return { reason: "Its criteria read fields of users, which rows of a metric source do not have." };
  if (aggregation === "funnel") {
    if (funnelEvents.some((step) => step.metricSourceName === undefined))
      return { reason: "Some of its steps are events and others rows of metric sources, which no database has together." };
    const steps = funnelEvents.map((step) => ({ name: step.metricSourceName as string, criteria: ofColumns(step.criteria, undefined) }));
    return steps.every(({ criteria: found }) => found.every(isWhole))
      ? { metricEvents: [], funnelEvents: steps }
      : { reason: "Its steps compare a value, and rows have only columns." };
  }
  if (name === undefined) return { reason: "It has no metric source." };
  const rows = toEvent(given.numeratorAggregation ?? aggregation, name, ofColumns(criteria, valueColumn), valueColumn);
  const below =
    aggregation === "ratio" && given.denominatorAggregation
      ? [
          toEvent(
            given.denominatorAggregation,
            given.denominatorMetricSourceName ?? name,
            ofColumns(given.denominatorCriteria, given.denominatorValueColumn),
            given.denominatorValueColumn,
          ),
        ]
      : [];
  const metricEvents = [rows, ...below];
  if (!metricEvents.every((event) => (event.criteria ?? []).every(isWhole)))
    return { reason: "Its criteria compare the value, and it names no column that has it." };
  return { metricEvents, funnelEvents: [] };
}

const isWhole = ({ column }: Criterion) => column !== undefined;

/** The value of a row is that of a column. */
function ofColumns(criteria: readonly Criterion[] = [], valueColumn: string | undefined): Criterion[] {
  return criteria.map((one) =>
    one.type === "value" ? { ...one, type: "metadata", ...(valueColumn !== undefined && { column: valueColumn }) } : one,
  );
}

type Aggregation = WarehouseNative["aggregation"];

function toEvent(aggregation: Aggregation, name: string, criteria: Criterion[], column: string | undefined): MetricEvent {
  const counts: readonly Aggregation[] = ["count", "daily_participation", "retention"];
  if (counts.includes(aggregation) || column === undefined) return { name, type: "count", criteria };
  return { name, type: aggregation === "count_distinct" ? "count_distinct" : "metadata", metadataKey: column, criteria };
}
