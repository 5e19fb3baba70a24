// The values of a metric on single days. Pure.
import type { Schema, WritableSchema } from "../api.ts";
import { exact } from "../charts/format.ts";
import { AUTOMATIC_UNIT, valueText } from "./units.ts";

type Metric = Schema<"Metric">;
export type MetricDay = Schema<"MetricPreview">["days"][number];
export type PreviewRequest = WritableSchema<"MetricPreviewRequest">;

/** The unit of values on single days. Automatic: percent for funnels. Other rates are numbers of users on a day. */
export const dayUnit = (valueUnit: string | undefined = AUTOMATIC_UNIT, isFunnel: boolean): string =>
  valueUnit === AUTOMATIC_UNIT && isFunnel ? "percent" : valueUnit;

/** The value of a day with its unit. Of a rate whose value is a number of users, a day has no share. */
export const dayText = (value: number, day: MetricDay | undefined, unit: string): string =>
  unit === AUTOMATIC_UNIT || unit === "none" || (unit === "percent" && day?.denominator === undefined)
    ? exact(value)
    : valueText(value, undefined, unit);

/** The average of days with its unit. Numbers without a unit have four digits, since an average of counts has no exact ones. */
export function averageText(value: number, day: MetricDay | undefined, unit: string): string {
  const hasUnit = unit !== AUTOMATIC_UNIT && unit !== "none";
  return dayText(hasUnit ? value : Math.abs(value) >= 1_000 ? Math.round(value) : Number(value.toPrecision(4)), day, unit);
}

/** The unit of a stored metric on single days. */
export const unitOfStored = ({ type, valueUnit, warehouseNative }: Metric): string =>
  dayUnit(valueUnit, type === "funnel" || warehouseNative?.aggregation === "funnel");

/** Whether the metric exists without being created by people. */
export const isAutomatic = (type: Metric["type"]): boolean => type === "event_count" || type === "user";

/** The request for the days of a stored metric. */
export function storedRequest(metric: Metric): PreviewRequest {
  const { type, name, unitTypes, metricEvents, metricComponentMetrics, funnelEventList, funnelCountDistinct, warehouseNative } = metric;
  if (isAutomatic(type)) return { type, name };
  return {
    ...{ type, unitTypes },
    ...(metricEvents.length > 0 && { metricEvents }),
    ...(metricComponentMetrics.length > 0 && { metricComponentMetrics }),
    ...(funnelEventList.length > 0 && { funnelEventList }),
    ...(funnelCountDistinct !== undefined && { funnelCountDistinct }),
    ...(warehouseNative && { warehouseNative }),
  };
}
