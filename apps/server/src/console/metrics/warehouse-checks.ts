import type { Schema } from "@gatehouse/contract/console";
import type { Violation } from "../../common/errors.ts";
import { checkCriteria } from "../common/criteria-checks.ts";
import { checkDays, type Refuse } from "./window-checks.ts";

type Metric = Schema<"Metric">;
type WarehouseNative = Schema<"WarehouseNative">;
type Aggregation = WarehouseNative["aggregation"];
type Field = keyof WarehouseNative;

/** The aggregations that read a number of each row. */
export const VALUE_AGGREGATIONS: readonly string[] = ["sum", "mean", "percentile", "first_value", "latest_value", "max", "min"];

/** The aggregations that read a column of a metric source. */
const COLUMN_AGGREGATIONS: readonly string[] = [...VALUE_AGGREGATIONS, "count_distinct"];

const WINDOW = ["rollupTimeWindow", "customRollUpStart", "customRollUpEnd", "waitForCohortWindow"] as const;
const ROWS = ["metricSourceName", "criteria"] as const;
const WINSORIZATION = ["winsorizationLow", "winsorizationHigh"] as const;
const OF_UNIT = [...ROWS, ...WINDOW, "cupedAttributionWindow"] as const;
const OF_VALUE = [...OF_UNIT, ...WINSORIZATION, "valueColumn"] as const;

/** The fields that each aggregation reads. It refuses the others. */
const READ_BY: Record<Aggregation, readonly Field[]> = {
  count: [...OF_UNIT, ...WINSORIZATION, "cap", "valueThreshold"],
  sum: [...OF_VALUE, "cap", "valueThreshold"],
  mean: OF_VALUE,
  daily_participation: OF_UNIT,
  count_distinct: OF_VALUE,
  first_value: [...OF_VALUE, "valueThreshold"],
  latest_value: [...OF_VALUE, "valueThreshold"],
  max: [...OF_VALUE, "valueThreshold"],
  min: [...OF_VALUE, "valueThreshold"],
  percentile: [...ROWS, ...WINDOW, "valueColumn", "percentile"],
  retention: [...OF_UNIT, "retentionEnd", "retentionLength"],
  ratio: [
    ...OF_VALUE,
    "numeratorAggregation",
    "denominatorAggregation",
    "denominatorMetricSourceName",
    "denominatorCriteria",
    "denominatorValueColumn",
    "denominatorRollupTimeWindow",
    "denominatorCustomRollupStart",
    "denominatorCustomRollupEnd",
    "winsorizationLowDenominator",
    "winsorizationHighDenominator",
  ],
  funnel: [
    ...WINDOW,
    "funnelEvents",
    "funnelCalculationWindow",
    "funnelStartCriteria",
    "funnelStrictOrdering",
    "funnelUseExposureAsFirstEvent",
  ],
};

/** Fields of other servers, with the only value that the contract accepts. It has no effect, so each aggregation has them. */
const WITHOUT_EFFECT: readonly Field[] = ["funnelCountDistinct", "funnelTimestampAllowanceMs", "metricBakeDays"];

/** The fields that only rows of a metric source have. Events have them in `metricEvents`. */
const OF_SOURCE = ["criteria", "valueColumn", "denominatorMetricSourceName", "denominatorCriteria", "denominatorValueColumn"] as const;

/** The fields that say something: null, false and an empty list count as left out. */
function withoutEmpty(given: WarehouseNative): WarehouseNative {
  const isEmpty = (value: unknown) =>
    value === null || value === undefined || value === false || (Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(given).filter(([, value]) => !isEmpty(value))) as WarehouseNative;
}

/** Checks the definition of a metric of type user_warehouse. */
export function checkWarehouseNative({ metricEvents, warehouseNative }: Metric, violations: Violation[]): void {
  const refuse: Refuse = (property, errorMessage) => violations.push({ property: `warehouseNative.${property}`, errorMessage });
  if (!warehouseNative) {
    violations.push({ property: "warehouseNative", errorMessage: "is required with type user_warehouse" });
    return;
  }
  const given = withoutEmpty(warehouseNative);
  const { aggregation, metricSourceName } = given;
  for (const field of Object.keys(given) as Field[]) {
    if (field !== "aggregation" && !WITHOUT_EFFECT.includes(field) && !READ_BY[aggregation].includes(field))
      refuse(field, `must be left out with the aggregation ${aggregation}`);
  }
  const needsEvents = metricSourceName === undefined && aggregation !== "funnel";
  if (needsEvents && metricEvents.length === 0) {
    violations.push({ property: "metricEvents", errorMessage: "must have an event, or warehouseNative a metricSourceName" });
  }
  if (!needsEvents && metricEvents.length > 0) {
    const reason = aggregation === "funnel" ? "the aggregation funnel, which has funnelEvents" : "metricSourceName";
    violations.push({ property: "metricEvents", errorMessage: `must be left out with ${reason}` });
  }
  if (needsEvents) checkEventTypes(aggregation, metricEvents, violations);
  if (metricSourceName === undefined) checkNoSource(given, refuse);
  else checkColumns(given, refuse);
  checkRatio(given, refuse);
  checkWindows(given, refuse);
  checkBounds(given, refuse);
  checkCriteria(given.criteria, "warehouseNative.criteria", violations);
  checkCriteria(given.denominatorCriteria, "warehouseNative.denominatorCriteria", violations);
  for (const [index, { name, metricSourceName: source, criteria }] of (given.funnelEvents ?? []).entries()) {
    if (!name && source === undefined) refuse(`funnelEvents[${index}].name`, "is required without metricSourceName");
    checkCriteria(criteria, `warehouseNative.funnelEvents[${index}].criteria`, violations);
  }
}

function checkEventTypes(aggregation: Aggregation, metricEvents: Metric["metricEvents"], violations: Violation[]): void {
  if (!VALUE_AGGREGATIONS.includes(aggregation)) return;
  for (const [index, { type }] of metricEvents.entries()) {
    if (type === "value" || type === "metadata") continue;
    violations.push({
      property: `metricEvents[${index}].type`,
      errorMessage: `must be value or metadata with the aggregation ${aggregation}`,
    });
  }
}

function checkNoSource(given: WarehouseNative, refuse: Refuse): void {
  for (const field of OF_SOURCE) {
    if (given[field] !== undefined) refuse(field, "must be left out without metricSourceName: events have theirs in metricEvents");
  }
}

function checkColumns({ aggregation, numeratorAggregation, denominatorAggregation, ...given }: WarehouseNative, refuse: Refuse): void {
  const ofRows = aggregation === "ratio" ? numeratorAggregation : aggregation;
  if (ofRows !== undefined && COLUMN_AGGREGATIONS.includes(ofRows) && given.valueColumn === undefined) {
    refuse("valueColumn", `is required with the aggregation ${ofRows}`);
  }
  if (denominatorAggregation === undefined || !COLUMN_AGGREGATIONS.includes(denominatorAggregation)) return;
  if (given.denominatorValueColumn === undefined) {
    refuse("denominatorValueColumn", `is required with the aggregation ${denominatorAggregation}`);
  }
}

function checkRatio({ aggregation, ...given }: WarehouseNative, refuse: Refuse): void {
  if (aggregation === "ratio") {
    for (const field of ["numeratorAggregation", "denominatorAggregation"] as const) {
      if (given[field] === undefined) refuse(field, "is required with the aggregation ratio");
    }
  }
  if (aggregation === "funnel" && given.funnelEvents === undefined) refuse("funnelEvents", "is required with the aggregation funnel");
  if (given.funnelEvents?.length === 1) refuse("funnelEvents", "must have at least two steps");
  if (given.funnelUseExposureAsFirstEvent && given.funnelStartCriteria === "start_event")
    refuse("funnelUseExposureAsFirstEvent", "must be left out with funnelStartCriteria start_event");
  if (aggregation === "percentile" && given.percentile === undefined) refuse("percentile", "is required with the aggregation percentile");
}

function checkWindows(given: WarehouseNative, refuse: Refuse): void {
  const day = (field: "customRollUpStart" | "customRollUpEnd" | "denominatorCustomRollupStart" | "denominatorCustomRollupEnd") =>
    [field, given[field]] as [string, number | undefined];
  checkDays(given.rollupTimeWindow, day("customRollUpStart"), day("customRollUpEnd"), refuse);
  checkDays(given.denominatorRollupTimeWindow, day("denominatorCustomRollupStart"), day("denominatorCustomRollupEnd"), refuse);
  if (given.waitForCohortWindow && given.rollupTimeWindow !== "custom")
    refuse("waitForCohortWindow", "needs the window custom, which has an end");
}

function checkBounds(given: WarehouseNative, refuse: Refuse): void {
  for (const part of ["", "Denominator"] as const) {
    const low = given[`winsorizationLow${part}`];
    const high = given[`winsorizationHigh${part}`];
    if (low !== undefined && high !== undefined && low >= high) refuse(`winsorizationHigh${part}`, `must be above winsorizationLow${part}`);
  }
  const { retentionEnd = 7, retentionLength = 7 } = given;
  if (retentionLength > retentionEnd) refuse("retentionLength", `must be at most retentionEnd, which is ${retentionEnd}`);
}
