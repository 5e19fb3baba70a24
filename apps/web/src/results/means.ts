// Means of groups and their changes, in words. Pure.
import { halfWidth, preciseChange, sumText } from "./digits.ts";
import { differenceSize, differenceText, unitOf, valueText } from "./units.ts";
import { liftInterval, type PulseMetric } from "./verdicts.ts";

type Group = "control" | "test";

/** The mean of a group, to the digits that its standard error justifies. */
export const meanText = (group: Group, metric: PulseMetric): string =>
  valueText(metric[`${group}Mean`] ?? 0, metric[`${group}Std`], unitOf(metric));

/** The standard error of a group's mean, labeled. */
export function errorText(group: Group, metric: PulseMetric): string {
  const [error = 0, unit] = [metric[`${group}Std`], unitOf(metric)];
  return `SE ${unit === "percent" ? differenceSize(error, error, unit) : valueText(error, error, unit)}`;
}

/** A group's total: for a rate, the number of its units that count. */
export const totalText = (group: Group, metric: PulseMetric): string =>
  `${sumText(metric[`${group}Total`] ?? 0)} ${metric.isProportion ? "units counted" : "in total"}`;

/** The relative change with its interval, each in percent. */
export function percentChangeTexts(metric: PulseMetric): { change: string; interval: string | undefined } {
  const interval = liftInterval(metric);
  const error = halfWidth(interval);
  const toText = (percent: number) => `${preciseChange(percent, error)}%`;
  return {
    change: toText(metric.percentChange ?? 0),
    interval: interval && `(${toText(interval[0])} to ${toText(interval[1])})`,
  };
}

/** The interval of the difference of the means. Before the planned end of a sequential test, the one for daily looks. */
export function differenceInterval(metric: PulseMetric): [number, number] | undefined {
  const { absoluteChange = 0, absoluteInterval, confidenceIntervalDelta } = metric;
  const sequential = metric.sequentialTestingConfidenceIntervalDelta;
  const [lower, upper] = (sequential === undefined && absoluteInterval) || [];
  if (lower !== undefined && upper !== undefined) return [lower, upper];
  const reach = sequential ?? confidenceIntervalDelta;
  return reach === undefined ? undefined : [absoluteChange - reach, absoluteChange + reach];
}

/** The difference of the means with its interval, in the metric's unit. */
export function differenceTexts(metric: PulseMetric): { difference: string; interval: string } {
  const interval = differenceInterval(metric);
  const toText = (value: number) => differenceText(value, halfWidth(interval), unitOf(metric));
  return {
    difference: toText(metric.absoluteChange ?? 0),
    interval: interval === undefined ? "" : `(${toText(interval[0])} to ${toText(interval[1])})`,
  };
}

/** The change with its interval: relative if there is such a one, else absolute. */
export function changeText(metric: PulseMetric): string {
  const { absoluteChange, confidenceIntervalDelta, percentChange } = metric;
  if (absoluteChange === undefined || confidenceIntervalDelta === undefined) return "";
  const { change, interval } = percentChangeTexts(metric);
  const { difference, interval: reach } = differenceTexts(metric);
  if (percentChange === undefined) return `${difference} ${reach}`;
  return interval ? `${change} ${interval}` : `${change}, without an interval, since the control mean may be 0`;
}
