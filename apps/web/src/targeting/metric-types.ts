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

/** A metric's name with its type in words: “Buyers (units with an event)”. Metrics of different types can have the same name. */
export function metricName({ name, type }: { name: string; type: string }): string {
  const label = metricTypeLabel(type);
  return `${name} (${label.charAt(0).toLowerCase()}${label.slice(1)})`;
}
