// Means of groups and their changes, in words: rates in percent, counts in full. Pure.
import { halfWidth, preciseChange, preciseText, sumText } from "./digits.ts";
import { isSymmetric, liftInterval, type PulseMetric } from "./verdicts.ts";

type Group = "control" | "test";

/** The mean of a group, to the digits that its standard error justifies. */
export function meanText(group: Group, metric: PulseMetric): string {
  const [mean = 0, error] = [metric[`${group}Mean`], metric[`${group}Std`]];
  return metric.isProportion ? `${preciseText(100 * mean, error === undefined ? undefined : 100 * error)}%` : preciseText(mean, error);
}

export function errorText(group: Group, metric: PulseMetric): string {
  const error = metric[`${group}Std`] ?? 0;
  return metric.isProportion ? `± ${preciseText(100 * error, 100 * error)} pp SE` : `± ${preciseText(error, error)} SE`;
}

/** A group's total: for a rate, the number of its units that count. */
export const totalText = (group: Group, metric: PulseMetric): string =>
  `${sumText(metric[`${group}Total`] ?? 0)} ${metric.isProportion ? "have 1" : "in sum"}`;

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

/** The difference of the means and how far its interval reaches; of rates in percentage points. */
export function differenceTexts(metric: PulseMetric): { difference: string; reach: string } {
  const { absoluteChange = 0, absoluteInterval, confidenceIntervalDelta, isProportion } = metric;
  const sequential = metric.sequentialTestingConfidenceIntervalDelta;
  const [factor, unit] = isProportion ? [100, " pp"] : [1, ""];
  const width = factor * (sequential ?? halfWidth(absoluteInterval) ?? confidenceIntervalDelta ?? 0);
  const toText = (value: number) => `${preciseChange(factor * value, width)}${unit}`;
  const [lower = 0, upper = 0] = absoluteInterval ?? [];
  const isPlain = sequential !== undefined || isSymmetric(metric);
  return {
    difference: toText(absoluteChange),
    reach: isPlain
      ? `± ${preciseText(factor * (sequential ?? confidenceIntervalDelta ?? 0), width)}${unit}`
      : `(${toText(lower)} to ${toText(upper)})`,
  };
}

/** The change with its interval: relative if there is such a one, else absolute. */
export function changeText(metric: PulseMetric): string {
  const { absoluteChange, confidenceIntervalDelta, percentChange } = metric;
  if (absoluteChange === undefined || confidenceIntervalDelta === undefined) return "";
  const { change, interval } = percentChangeTexts(metric);
  const { difference, reach } = differenceTexts(metric);
  if (percentChange === undefined) return `${difference} ${reach}`;
  return interval ? `${change} ${interval}` : `${change}, without an interval, since the control mean may be 0`;
}
