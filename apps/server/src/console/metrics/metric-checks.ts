import type { Schema } from "@gatehouse/contract/console";
import type { Violation } from "../../common/errors.ts";
import { listed } from "../../common/words.ts";
import { checkCriteria } from "../common/criteria-checks.ts";
import { checkWarehouseNative, VALUE_AGGREGATIONS } from "./warehouse-checks.ts";
import { checkDays, type Refuse } from "./window-checks.ts";

type Metric = Schema<"Metric">;
type MetricType = Schema<"AnyMetricType">;
type EventType = NonNullable<Schema<"MetricEvent">["type"]>;

/** The fields that define a metric's computation. Each type reads some of them, and refuses the others. */
const DEFINING = ["metricEvents", "funnelEventList", "metricComponentMetrics", "warehouseNative"] as const;
type Defining = (typeof DEFINING)[number];

const READ_BY: Record<MetricType, readonly Defining[]> = {
  event_count_custom: ["metricEvents"],
  event_user: ["metricEvents"],
  sum: ["metricEvents"],
  mean: ["metricEvents"],
  ratio: ["metricEvents"],
  funnel: ["funnelEventList"],
  composite: ["metricComponentMetrics"],
  composite_sum: ["metricComponentMetrics"],
  user_warehouse: ["metricEvents", "warehouseNative"],
  event_count: [],
  user: [],
};

export const METRIC_TYPES = Object.keys(READ_BY) as MetricType[];

/** The types of metric that each type of composite adds up. */
const COMPONENTS: Partial<Record<MetricType, readonly string[]>> = {
  composite: ["event_count_custom", "event_user", "event_count"],
  composite_sum: ["sum"],
};

/** The types of steps that a funnel has, by the unit that it counts. */
const STEPS = { events: ["event_count", "event_count_custom"], users: ["event_dau", "event_user"] } as const;

/** The metric's default for its events: the counted quantity. */
export function defaultEventType({ type, warehouseNative }: Metric): EventType {
  if (type === "sum" || type === "mean") return "value";
  const { aggregation } = warehouseNative ?? {};
  if (aggregation === "count_distinct") return "count_distinct";
  return aggregation !== undefined && VALUE_AGGREGATIONS.includes(aggregation) ? "value" : "count";
}

/** Checks that the metric has the fields that its type needs, and no others. */
export function checkDefinition(metric: Metric, violations: Violation[]): void {
  const refuse = (property: string, errorMessage: string) => violations.push({ property, errorMessage });
  const { type } = metric;
  for (const field of DEFINING) {
    if (isGiven(metric[field]) && !READ_BY[type].includes(field)) refuse(field, `must be left out with type ${type}`);
  }
  if (metric.funnelCountDistinct !== undefined && type !== "funnel") refuse("funnelCountDistinct", `must be left out with type ${type}`);
  checkWindow(metric, refuse);
  if (READ_BY[type].includes("metricEvents")) checkEvents(metric, refuse, violations);
  if (type === "funnel") checkFunnel(metric, refuse);
  if (COMPONENTS[type]) checkComponents(metric, COMPONENTS[type], refuse);
  if (type === "user_warehouse") checkWarehouseNative(metric, violations);
}

const isGiven = (value: unknown) => value !== undefined && !(Array.isArray(value) && value.length === 0);

function checkWindow({ type, rollupTimeWindow, customRollUpStart, customRollUpEnd }: Metric, refuse: Refuse): void {
  if (type === "user_warehouse") {
    if (rollupTimeWindow !== "max") refuse("rollupTimeWindow", "must be given in warehouseNative with type user_warehouse");
  } else if (rollupTimeWindow === "daily_participation_rate" && type !== "event_user") {
    refuse("rollupTimeWindow", `cannot be daily_participation_rate with type ${type}`);
  }
  checkDays(rollupTimeWindow, ["customRollUpStart", customRollUpStart], ["customRollUpEnd", customRollUpEnd], refuse);
}

function checkEvents(metric: Metric, refuse: Refuse, violations: Violation[]): void {
  const { type, metricEvents, warehouseNative } = metric;
  const isRatio = type === "ratio" || (warehouseNative?.aggregation === "ratio" && warehouseNative.metricSourceName === undefined);
  if (isRatio && metricEvents.length !== 2) refuse("metricEvents", "must have two events for a ratio: the numerator and the denominator");
  else if (type !== "user_warehouse" && metricEvents.length === 0) refuse("metricEvents", `must have an event with type ${type}`);
  for (const [index, event] of metricEvents.entries()) {
    const place = `metricEvents[${index}].`;
    const hasKey = event.metadataKey !== undefined;
    if (event.type === "metadata" && !hasKey) refuse(`${place}metadataKey`, "is required with type metadata");
    if (hasKey && event.type !== "metadata" && event.type !== "count_distinct") {
      refuse(`${place}metadataKey`, `must be left out with type ${event.type}`);
    }
    if ((type === "sum" || type === "mean") && event.type !== "value" && event.type !== "metadata") {
      refuse(`${place}type`, `must be value or metadata with type ${type}`);
    }
    checkCriteria(event.criteria, `${place}criteria`, violations);
  }
}

function checkFunnel({ funnelEventList, funnelCountDistinct = "users" }: Metric, refuse: Refuse): void {
  if (funnelEventList.length < 2) refuse("funnelEventList", "must have at least two steps");
  const allowed: readonly string[] = STEPS[funnelCountDistinct];
  for (const [index, { type }] of funnelEventList.entries()) {
    if (allowed.includes(type)) continue;
    refuse(`funnelEventList[${index}].type`, `must be ${listed(allowed, "or")}, since the funnel counts ${funnelCountDistinct}`);
  }
}

function checkComponents({ type, metricComponentMetrics }: Metric, allowed: readonly string[], refuse: Refuse): void {
  if (metricComponentMetrics.length < 2) refuse("metricComponentMetrics", "must have at least two metrics");
  const [first] = metricComponentMetrics;
  for (const [index, component] of metricComponentMetrics.entries()) {
    const place = `metricComponentMetrics[${index}].type`;
    if (!allowed.includes(component.type)) refuse(place, `must be ${listed(allowed, "or")} with type ${type}`);
    else if (component.type !== first?.type) refuse(place, `must be ${first?.type} like that of the first`);
  }
}
