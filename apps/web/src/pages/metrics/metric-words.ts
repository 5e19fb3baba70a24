// Definitions of metrics, in words. Pure.
import type { Schema } from "../../api.ts";

export type Metric = Schema<"Metric">;
export type MetricType = Metric["type"];
/** The types of metrics that people create. */
export type MadeType = Schema<"MetricType">;

export const TYPES: Record<MetricType, { label: string; hint: string }> = {
  event_count_custom: { label: "Count of events", hint: "How many of its events a unit has" },
  event_user: { label: "Units with an event", hint: "Whether a unit has any of its events" },
  sum: { label: "Sum of a number", hint: "The sum of a number in a unit’s events" },
  mean: { label: "Mean of a number", hint: "The mean of a number over all events" },
  ratio: { label: "Ratio of two events", hint: "The first event divided by the second, over all units" },
  funnel: { label: "Funnel", hint: "How many of the units that begin it complete its steps in their order" },
  composite: { label: "Sum of counts", hint: "Metrics that count events or units, added up" },
  composite_sum: { label: "Sum of sums", hint: "Metrics that sum a number, added up" },
  user_warehouse: { label: "With an aggregation", hint: "Distinct values, percentiles, retention and more, with caps and windows" },
  event_count: { label: "Every event of a name", hint: "How many events of a name a unit has" },
  user: { label: "Activity of users", hint: "What units do at all, whatever events they log" },
};

/** Whether its metrics exist without being created by people. */
export const isAutomatic = (type: MetricType): boolean => type === "event_count" || type === "user";

export const typesIn = (...types: MadeType[]) => types.map((id) => ({ id, ...TYPES[id] }));

/** The types of metric that each type of composite adds up. */
export const COMPONENTS: Partial<Record<MetricType, readonly string[]>> = {
  composite: ["event_count_custom", "event_user", "event_count"],
  composite_sum: ["sum"],
};

export const EVENT_TYPES = {
  count: "Each event counts 1",
  value: "Its value",
  metadata: "A number in its metadata",
  count_distinct: "Different values in its metadata",
} as const;
export type EventType = keyof typeof EVENT_TYPES;

/** The metric's sources, in a list. */
export const describeSource = ({ lineage }: Metric): string => [...new Set([...lineage.events, ...lineage.metrics])].join(", ");
