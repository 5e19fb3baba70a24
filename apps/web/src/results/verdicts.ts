// Results in words. Pure.

import type { Schema } from "../api.ts";
import type { BandPoint } from "../charts/band.ts";
import { fixed, signed } from "../charts/format.ts";
import { listed } from "../ui/list-text.ts";
import { formatNumber } from "../ui/number-text.ts";
import { date } from "../ui/time-text.ts";

export type PulseMetric = Schema<"PulseMetric">;

/** `none`: the difference is not larger than chance explains. `kept`: at most worse by the margin. `unknown`: the number is missing. */
export type Verdict = "better" | "worse" | "kept" | "none" | "unknown";

export const VERDICT_NAMES: Record<Verdict, string> = {
  better: "Better",
  worse: "Worse",
  kept: "Not worse",
  none: "No difference shown",
  unknown: "Not known",
};

export function toVerdict(metric: PulseMetric): Verdict {
  const { isSignificant, absoluteChange, directionality, verdict, bayesian } = metric;
  // From the planned end on, the change as of then decides.
  const change = verdict?.absoluteChange ?? absoluteChange;
  if (isSignificant === undefined || change === undefined) return "unknown";
  if (verdict?.testType === "non_inferiority") return isSignificant ? "kept" : isBeyondMargin(metric) ? "worse" : "none";
  if (!isSignificant) return "none";
  if (verdict?.test === "bayesian") return bayesian?.decision === "control" ? "worse" : "better";
  return change > 0 === (directionality === "increase") ? "better" : "worse";
}

/** Whether the whole interval of the change lies beyond the margin of non-inferiority. */
function isBeyondMargin(metric: PulseMetric): boolean {
  const { verdict: { margin = 0, percentInterval } = {}, directionality } = metric;
  const [lower = 0, upper = 0] = percentInterval ?? liftInterval(metric) ?? [];
  return directionality === "increase" ? upper < -margin : lower > margin;
}

/** The verdict in words. For a sequential probability ratio test, it says whether the test goes on. */
export function verdictText(metric: PulseMetric): string {
  const { decision, effect = 0 } = metric.sprt ?? {};
  if (isWithheld(metric)) return "Not enough data";
  if (decision === "open") return "Undecided so far";
  if (decision === "futile") return `No effect of ${numberText(effect)}%`;
  const verdict = toVerdict(metric);
  if (metric.verdict?.testType === "one_sided" && verdict === "none") return "No improvement shown";
  if (metric.verdict?.testType === "non_inferiority" && verdict !== "unknown") return marginText(verdict, metric.verdict.margin ?? 0);
  return VERDICT_NAMES[verdict];
}

const marginText = (verdict: Verdict, margin: number): string =>
  `${verdict === "kept" ? "Not worse" : verdict === "worse" ? "Worse" : "May be worse"} by more than ${numberText(margin)}%`;

/** When the verdict was decided, if that is not now. */
export function decidedText({ verdict }: PulseMetric): string | undefined {
  if (verdict?.test !== "plannedEnd" || verdict.date === undefined) return undefined;
  const [lower, upper] = verdict.percentInterval ?? [];
  const interval = lower === undefined || upper === undefined ? "" : ` (${signedText(lower)}% to ${signedText(upper)}%)`;
  return `Decided at the planned end, ${date(Date.parse(verdict.date), "utc")}${interval}. Later data doesn’t change it.`;
}

/** Whether the data can't support a verdict yet. */
const isWithheld = ({ verdict }: PulseMetric): boolean => verdict?.withheld !== undefined;

export const numberText = (value: number): string => formatNumber(value, { maximumSignificantDigits: 4 });
export const signedText = signed;

const isOpen = (metric: PulseMetric): boolean => metric.sprt?.decision === "open" && !isWithheld(metric);

/** The conclusion, in one or two sentences. */
export function conclusion(metrics: readonly PulseMetric[], control: string, test: string): string {
  const open = metrics.filter(isOpen).map(({ metricName }) => metricName);
  const named = (verdict: Verdict) =>
    metrics.filter((one) => toVerdict(one) === verdict && !isOpen(one) && !isWithheld(one)).map(({ metricName }) => metricName);
  const withheld = metrics.filter(isWithheld).map(({ metricName }) => metricName);
  const [better, worse, kept] = [named("better"), named("worse"), named("kept")];
  const [none, unknown] = [named("none"), named("unknown")];
  if (unknown.length === metrics.length) return "No verdict yet.";
  const sentences = [
    ...(better.length > 0 ? [`${test} is better than ${control} in ${listed(better)}.`] : []),
    ...(worse.length > 0 ? [`${test} is worse than ${control} in ${listed(worse)}.`] : []),
    ...(kept.length > 0 ? [`${test} keeps the margin in ${listed(kept)}.`] : []),
    ...(none.length > 0 ? [`No difference shown in ${listed(none)}.`] : []),
    ...(withheld.length > 0 ? [`Not enough data yet for ${listed(withheld)}.`] : []),
    ...(open.length > 0 ? [`Still testing ${listed(open)}.`] : []),
    ...(unknown.length > 0 ? [`No verdict yet for ${listed(unknown)}.`] : []),
  ];
  return sentences.join(" ");
}

/** How many metrics or other comparisons would be better or worse by chance alone. Undefined if that is negligible. */
export function chanceText(chance: Schema<"PulseChance"> | undefined, noun: "metrics" | "comparisons" = "metrics"): string | undefined {
  if (!chance || chance.expected < WORTH_SAYING) return undefined;
  const { comparisons, expected } = chance;
  return `By chance alone, expect about ${numberText(expected)} of these ${comparisons} ${noun} to look better or worse.`;
}

const WORTH_SAYING = 0.1;

/** The interval of a lift in percent; the sequential one while that decides. Undefined without an interval. */
export function liftInterval(metric: Schema<"PulseNumbers">): [number, number] | undefined {
  const { percentInterval, sequentialPercentInterval, sequentialTestingConfidenceIntervalDelta: sequential } = metric;
  return (sequential === undefined ? percentInterval : sequentialPercentInterval) as [number, number] | undefined;
}

/** Whether the interval of the difference is: that of proportions is not. */
export function isSymmetric({ absoluteChange = 0, absoluteInterval }: PulseMetric): boolean {
  if (!absoluteInterval) return true;
  const [lower = 0, upper = 0] = absoluteInterval;
  return Math.abs(upper + lower - 2 * absoluteChange) <= SYMMETRIC_WITHIN * (upper - lower);
}

const SYMMETRIC_WITHIN = 1e-6;

const ORDINAL = new Intl.PluralRules("en-US", { type: "ordinal" });
const ENDINGS = { zero: "th", one: "st", two: "nd", few: "rd", many: "th", other: "th" };

/** The name of a percentile. @param level a share */
export function percentileName(level: number): string {
  const percent = Number((100 * level).toPrecision(6));
  return percent === 50 ? "median" : `${percent}${ENDINGS[ORDINAL.select(percent)]} percentile`;
}

/** The change as of each day that has one, in percent. On days whose control mean may be 0, it has no interval. */
export function toPoints(days: NonNullable<PulseMetric["series"]>): BandPoint[] {
  return days.flatMap((day) => {
    const { percentChange: value } = day;
    if (value === undefined) return [];
    const time = Date.parse(day.date);
    const interval = liftInterval(day);
    return interval ? [{ time, value, low: interval[0], high: interval[1] }] : [{ time, value }];
  });
}

/** A p-value that is not 0 is never shown as such. */
export const pText = (p: number): string => (p < 0.0001 ? "< 0.0001" : fixed(p, 4));

/** The most that the shared scale of intervals shows, in percent. */
const LARGEST_SCALE = 200;

/** Half the width of a scale that intervals share, in percent. */
export function sharedScale(metrics: readonly PulseMetric[]): number {
  const bounds = metrics.flatMap((metric) => liftInterval(metric) ?? []).map(Math.abs);
  return Math.min(LARGEST_SCALE, Math.max(1, ...bounds) * 1.05);
}
