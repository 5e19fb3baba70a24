// Definitions of metrics, in words. Pure.
import type { Schema } from "../../api.ts";
import { METRIC_TYPE_LABELS } from "../../targeting/metric-types.ts";

export type Metric = Schema<"Metric">;
export type MetricType = Metric["type"];
/** The types of metrics that people create. */
export type MadeType = Schema<"MetricType">;

const HINTS: Record<MetricType, string> = {
  event_count_custom: "Number of events per unit",
  event_user: "Units with at least one event",
  sum: "Sum of a number per unit",
  mean: "Mean of a number over all events",
  ratio: "The first event divided by the second",
  funnel: "Share of units that complete all steps in order",
  composite: "Adds up metrics that count events or units",
  composite_sum: "Adds up metrics that sum a number",
  user_warehouse: "Distinct values, percentiles, retention, and more, with caps and windows",
  event_count: "Number of events with a name per unit",
  user: "Activity of units, counting all their events",
};

export const TYPES = Object.fromEntries(
  (Object.keys(HINTS) as MetricType[]).map((type) => [type, { label: METRIC_TYPE_LABELS[type], hint: HINTS[type] }]),
) as Record<MetricType, { label: string; hint: string }>;

export const typesIn = (...types: MadeType[]) => types.map((id) => ({ id, ...TYPES[id] }));

/** The types of metric that each type of composite adds up. */
export const COMPONENTS: Partial<Record<MetricType, readonly string[]>> = {
  composite: ["event_count_custom", "event_user", "event_count"],
  composite_sum: ["sum"],
};

export const EVENT_TYPES = {
  count: "Each event counts 1",
  value: "Its value",
  metadata: "A number in the metadata",
  count_distinct: "Distinct values in the metadata",
} as const;
export type EventType = keyof typeof EVENT_TYPES;

/** The metric's sources, in a list. */
export const describeSource = ({ lineage }: Metric): string => [...new Set([...lineage.events, ...lineage.metrics])].join(", ");
