// Definitions of metrics, in words. Pure.
import type { Schema } from "../../api.ts";

export type Metric = Schema<"Metric">;
export type MetricType = Metric["type"];
/** The types of metrics that people create. */
export type MadeType = Schema<"MetricType">;

export const TYPES: Record<MetricType, { label: string; hint: string }> = {
  event_count_custom: { label: "Count of events", hint: "Number of events per unit" },
  event_user: { label: "Units with an event", hint: "Units with at least one event" },
  sum: { label: "Sum of a number", hint: "Sum of a number per unit" },
  mean: { label: "Mean of a number", hint: "Mean of a number over all events" },
  ratio: { label: "Ratio of two events", hint: "The first event divided by the second" },
  funnel: { label: "Funnel", hint: "Share of units that complete all steps in order" },
  composite: { label: "Sum of counts", hint: "Adds up metrics that count events or units" },
  composite_sum: { label: "Sum of sums", hint: "Adds up metrics that sum a number" },
  user_warehouse: { label: "With an aggregation", hint: "Distinct values, percentiles, retention and more, with caps and windows" },
  event_count: { label: "All events with a name", hint: "Number of events with a name per unit" },
  user: { label: "User activity", hint: "Activity of units, counting all their events" },
};

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
