// The aggregations of `user_warehouse`, and the fields that each reads. Pure.
import type { Schema } from "../../api.ts";
import type { EventType } from "./metric-words.ts";

type Stored = Schema<"WarehouseNative">;
/** Fields of other servers without effect here. An edit leaves them out. */
const WITHOUT_EFFECT = [
  ...(["funnelCountDistinct", "funnelTimestampAllowanceMs", "funnelTimeToConvert", "allowNullRatioDenominator"] as const),
  ...(["onlyIncludeUsersWithConversionEvent", "customRollupMeasureInMinutes", "denominatorCustomRollupMeasureInMinutes"] as const),
  ...(["metricBakeDays", "metricDimensionColumns", "useLogTransform", "logTransformBase", "useSecondaryRetentionEvent"] as const),
  ...(["surrogateMetricMSE", "funnelUseExposureAsFirstEvent"] as const),
];

/** A definition in the only form that an edit writes. */
export type WarehouseNative = Omit<Stored, (typeof WITHOUT_EFFECT)[number] | "cupedAttributionWindow"> & {
  cupedAttributionWindow?: number;
};

/** The same definition without the fields that have no effect. */
export function withoutOtherForms(stored: Stored): WarehouseNative {
  const { cupedAttributionWindow, funnelUseExposureAsFirstEvent, ...given } = stored;
  const plain = Object.fromEntries(Object.entries(given).filter(([field]) => !(WITHOUT_EFFECT as readonly string[]).includes(field)));
  return {
    ...(funnelUseExposureAsFirstEvent && { funnelStartCriteria: "exposure" as const }),
    ...(plain as Omit<WarehouseNative, "cupedAttributionWindow">),
    ...(cupedAttributionWindow && { cupedAttributionWindow }),
  };
}
export type Aggregation = WarehouseNative["aggregation"];
export type PartAggregation = Schema<"RatioAggregation">;
/** A field that some aggregations read. */
export type ReadField = Exclude<keyof WarehouseNative, "aggregation">;

/** In the order of the choice. */
export const AGGREGATIONS: Readonly<Record<Aggregation, { label: string; hint: string }>> = {
  count: { label: "Count", hint: "Number of rows per unit" },
  count_distinct: { label: "Distinct values", hint: "Number of different values per unit" },
  sum: { label: "Sum", hint: "Sum of a number per unit" },
  mean: { label: "Mean", hint: "Mean of a number over all rows" },
  max: { label: "Highest value", hint: "Highest number per unit" },
  min: { label: "Lowest value", hint: "Lowest number per unit" },
  first_value: { label: "First value", hint: "Number in the first row of each unit" },
  latest_value: { label: "Latest value", hint: "Number in the latest row of each unit" },
  percentile: { label: "Percentile", hint: "Percentile of a number over all rows" },
  daily_participation: { label: "Share of days", hint: "Share of days on which a unit has a row" },
  retention: { label: "Retention", hint: "Share of units that return some days after their first row" },
  ratio: { label: "Ratio", hint: "One aggregation divided by another" },
  funnel: { label: "Funnel", hint: "Share of units that complete all steps in order" },
};

const { count, count_distinct, sum, max, min, first_value, latest_value } = AGGREGATIONS;

/** The aggregations for each part of a ratio, in the order of the choice. */
export const PART_AGGREGATIONS: Readonly<Record<PartAggregation, { label: string; hint: string }>> = {
  ...{ count, count_distinct, sum, max, min, first_value, latest_value },
  daily_participation: { label: "Days", hint: "Number of days on which a unit has a row" },
};

const WINDOW = ["rollupTimeWindow", "customRollUpStart", "customRollUpEnd", "waitForCohortWindow"] as const;
const ROWS = ["metricSourceName", "criteria"] as const;
const WINSORIZATION = ["winsorizationLow", "winsorizationHigh"] as const;
const OF_UNIT = [...ROWS, ...WINDOW, "cupedAttributionWindow"] as const;
const OF_VALUE = [...OF_UNIT, ...WINSORIZATION, "valueColumn"] as const;

/** The fields that each aggregation reads. The server refuses the others; a test compares the two. */
export const READ_BY: Readonly<Record<Aggregation, readonly ReadField[]>> = {
  count: [...OF_UNIT, ...WINSORIZATION, "cap", "valueThreshold"],
  count_distinct: OF_VALUE,
  sum: [...OF_VALUE, "cap", "valueThreshold"],
  mean: OF_VALUE,
  max: [...OF_VALUE, "valueThreshold"],
  min: [...OF_VALUE, "valueThreshold"],
  first_value: [...OF_VALUE, "valueThreshold"],
  latest_value: [...OF_VALUE, "valueThreshold"],
  percentile: [...ROWS, ...WINDOW, "valueColumn", "percentile"],
  daily_participation: OF_UNIT,
  retention: [...OF_UNIT, "retentionEnd", "retentionLength"],
  ratio: [
    ...OF_VALUE,
    ...(["numeratorAggregation", "denominatorAggregation"] as const),
    ...(["denominatorMetricSourceName", "denominatorCriteria", "denominatorValueColumn"] as const),
    ...(["denominatorRollupTimeWindow", "denominatorCustomRollupStart", "denominatorCustomRollupEnd"] as const),
    ...(["winsorizationLowDenominator", "winsorizationHighDenominator"] as const),
  ],
  funnel: [...WINDOW, "funnelEvents", "funnelCalculationWindow", "funnelStartCriteria", "funnelStrictOrdering"],
};

/** The fields that only rows of a metric source have. Events have their own. */
export const OF_SOURCE: readonly ReadField[] = [
  ...(["criteria", "valueColumn", "denominatorMetricSourceName", "denominatorCriteria", "denominatorValueColumn"] as const),
];

/** Whether rows of a metric source need a column for it. */
export const needsColumn = (aggregation: Aggregation | undefined): boolean =>
  aggregation !== undefined && !["count", "daily_participation", "retention", "ratio", "funnel"].includes(aggregation);

/** The parts of an event that an aggregation can use. The first is the usual one. */
export function takenBy(aggregation: Aggregation): readonly EventType[] {
  if (aggregation === "count_distinct") return ["count_distinct"];
  return needsColumn(aggregation) ? ["value", "metadata"] : ["count"];
}

/** Meanings of omitted fields. Other omitted fields have no value. */
export const DEFAULTS = {
  ...{ rollupTimeWindow: "max", waitForCohortWindow: false, cupedAttributionWindow: 7, retentionEnd: 7, retentionLength: 7 },
  ...{ funnelStartCriteria: "start_event", funnelStrictOrdering: false },
} as const satisfies Partial<WarehouseNative>;
