// The effect on a metric by day, as points of a chart and in words. Pure.
import type { Schema } from "../api.ts";
import type { BandPoint } from "../charts/band.ts";
import { halfWidth, preciseChange, preciseText } from "./digits.ts";
import { numberText, pText } from "./verdicts.ts";

type DayEffect = Schema<"DayEffect">;
type EffectTrend = Schema<"EffectTrend">;

export type DayPoints = { points: BandPoint[]; isPercent: boolean };

/** The points of days with a difference: relative ones, if each day has one. @param timeOf the place of a day on the axis */
export function toDayPoints<Day extends DayEffect>(days: readonly Day[], timeOf: (day: Day) => number): DayPoints {
  const known = days.filter(({ absoluteChange }) => absoluteChange !== undefined);
  const isPercent = known.every(({ percentChange }) => percentChange !== undefined);
  const points = known.map((day): BandPoint => {
    const interval = isPercent ? day.percentInterval : day.absoluteInterval;
    const [low, high] = interval ?? [];
    const value = (isPercent ? day.percentChange : day.absoluteChange) ?? 0;
    return { time: timeOf(day), value, ...(low !== undefined && high !== undefined && { low, high }) };
  });
  return { points, isPercent };
}

/** A point with its interval. */
export function pointText({ value, low, high }: BandPoint, isPercent: boolean): string {
  const interval = low === undefined || high === undefined ? undefined : [low, high];
  const error = halfWidth(interval);
  const toText = (number: number) => (isPercent ? `${preciseChange(number, error)}%` : preciseText(number, error));
  const [lower, upper] = interval ?? [];
  return lower === undefined || upper === undefined ? toText(value) : `${toText(value)} (${toText(lower)} to ${toText(upper)})`;
}

/** Whether the effect changes: the result, its numbers, and how it was tested. */
export function trendText(trend: EffectTrend, { control, test }: { control: string; test: string }): string[] {
  const { summary, reason, change, interval, pValue, averageChange = 0, days, controlUnits = 0, testUnits = 0, tested } = trend;
  const { minimumDetectableChange: detectable } = trend;
  const error = halfWidth(interval);
  const [low = 0, high = 0] = interval ?? [];
  const toText = (number: number) => preciseText(number, error);
  return [
    `${summary}${reason === undefined ? "" : ` ${reason}`}`,
    ...(change === undefined || pValue === undefined || days === undefined
      ? []
      : [
          `From day 0 to day ${days - 1}, the daily effect changed by ${toText(change)} (${toText(low)} to ${toText(high)}), p ${pValue < 0.0001 ? "" : "= "}${pText(pValue)}. It was ${toText(averageChange)} a day on average.`,
        ]),
    ...(detectable === undefined ? [] : [`A change of ${numberText(detectable)} or more would be found with a chance of 80%.`]),
    ...(days === undefined
      ? []
      : [`Users observed for all ${days} days: ${numberText(controlUnits)} in ${control}, ${numberText(testUnits)} in ${test}.`]),
    ...(tested === undefined ? [] : [tested]),
  ];
}
