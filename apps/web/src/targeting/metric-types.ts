// The types of metrics in words. Pure.

export const METRIC_TYPE_LABELS = {
  event_count_custom: "Count of events",
  event_user: "Units with an event",
  sum: "Sum of a number",
  mean: "Mean of a number",
  ratio: "Ratio of two events",
  funnel: "Funnel",
  composite: "Sum of counts",
  composite_sum: "Sum of sums",
  user_warehouse: "With an aggregation",
  event_count: "All events with a name",
  user: "User activity",
} as const;

/** A type that this version does not know is shown as it is. */
export const metricTypeLabel = (type: string): string =>
  Object.hasOwn(METRIC_TYPE_LABELS, type) ? METRIC_TYPE_LABELS[type as keyof typeof METRIC_TYPE_LABELS] : type;
