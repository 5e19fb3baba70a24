import type { Schema } from "@gatehouse/contract/console";
import type { Prior } from "@gatehouse/statistics";
import { daysFrom, startOfDay, startOfDayAfter, toDate } from "../../common/local-day.ts";
import type { TimeZone } from "../../common/time-zone.ts";
import { DAY_MS } from "../../common/utc-day.ts";
import { type Comparison, type Corrections, computeAlphas } from "./alphas.ts";
import { countEvents, percentileNumbers } from "./percentile-pulse.ts";
import type { FoundPercentile } from "./percentiles.ts";
import { computeNumbers, type Groups, type Question, toCuped, toTotals } from "./pulse-metric.ts";
import { computeSequence, type SprtPlan } from "./sequential-tests.ts";
import type { StoredMoments } from "./stored-moments.ts";
import { type GroupSums, sumsAsOf } from "./sums.ts";
import { type Period, toplineImpact } from "./topline.ts";
import { type AtEnd, computeBayesian, decidedAtEnd, decidedByBelief } from "./verdicts.ts";

type PulseMetric = Schema<"PulseMetric">;

/** A metric that results are asked for. */
export type AskedMetric = {
  metricID: string;
  role: "primary" | "secondary" | "other";
  /** Undefined if there is no such metric. */
  metric: Pick<Schema<"Metric">, "name" | "directionality"> | undefined;
  /** Undefined before a load has computed it. */
  moments: StoredMoments | undefined;
  /** What was believed of the relative change before. */
  prior: Prior | undefined;
};

export type Asked = Groups & {
  /** The groups that may be compared with the control. */
  testIDs: readonly string[];
  isCupedAsked: boolean;
  /** 0–1. */
  alpha: number;
  corrections: Corrections;
  /** When the test ends as planned, ms, for experiments that are tested sequentially; undefined for others. */
  plannedEnd: number | undefined;
  /** The chance to beat from which on a Bayesian experiment is decided, 0.5–1; undefined for other experiments. */
  chanceToBeatThreshold: number | undefined;
  /** What the sequential probability ratio test of a metric is planned for; undefined if it is not asked for. */
  planSprt?: ((metricID: string) => SprtPlan) | undefined;
  /** The planned units of both groups, for experiments that are tested sequentially; undefined for others. */
  sequence?: { narrowestUnits: number | undefined } | undefined;
  /** The day as of whose end results are asked for, as when it begins, ms; undefined for the last one. */
  day: number | undefined;
  /** Whose days are answered. Of what was loaded with other days, there are no days. */
  timeZone: TimeZone;
  hasSeries: boolean;
};

/** The results of metrics for two groups, in the order given. */
export function computePulse(metrics: readonly AskedMetric[], asked: Asked): PulseMetric[] {
  const { testIDs, testID, alpha, corrections } = asked;
  const known = metrics.map((one) => ({
    ...one,
    groups: groupsAsOf(one.moments, asked),
    percentile: percentileAsOf(one.moments, asked),
  }));
  const comparisons = known.flatMap(({ metricID, role, moments, groups, percentile }): Comparison[] => {
    if (role === "other" || !moments) return [];
    const pFor = (id: string) => {
      const { verdict } = answer({ moments, groups, percentile }, alpha, { ...asked, testID: id }, undefined)?.numbers ?? {};
      return verdict?.withheld === undefined ? verdict?.pValue : undefined;
    };
    if (!groups && !percentile) return [];
    return testIDs.map((id) => ({ metricID, testID: id, isPrimary: role === "primary", p: pFor(id) }));
  });
  const adjustAlpha = computeAlphas(comparisons, testID, alpha, corrections);
  return known.map((one) => computeMetric(one, one.role === "other" ? alpha : adjustAlpha(one.metricID), asked));
}

const isRatio = (moments: StoredMoments | undefined) => moments?.latest.groups !== undefined && moments.latest.isRatio;

/** The sums of each group; undefined if there are none. */
function groupsAsOf(moments: StoredMoments | undefined, { day, timeZone }: Asked): GroupSums | undefined {
  if (day === undefined || !moments?.latest.groups) return moments?.latest.groups;
  return moments.daily && moments.timeZone === timeZone ? sumsAsOf(moments.daily, dayNumber(moments, day)) : undefined;
}

/** A percentile as of a day: known of the last one alone. Undefined if there is none. */
function percentileAsOf(moments: StoredMoments | undefined, { day, timeZone }: Asked): FoundPercentile | undefined {
  return day === undefined || day === startOfDay((moments?.endTime ?? 0) - 1, timeZone) ? moments?.latest.percentile : undefined;
}

/** The number of a day: the day of the start is 1, even if it began before. */
function dayNumber({ startTime, endTime, timeZone }: StoredMoments, day: number): number {
  return Math.max(1, daysFrom(startTime, endTime, timeZone).filter((start) => start <= day).length);
}

const NO_DAYS = "A percentile is known as of the last load alone: those of days do not add up.";

function whyNoDays({ latest, timeZone }: StoredMoments, hasOtherDays: boolean): string {
  if (latest.percentile) return NO_DAYS;
  if (hasOtherDays) return `The last load counted the days of ${timeZone}. Load it again.`;
  return "The last load did not compute a time series.";
}

type Measured = { groups: GroupSums | undefined; percentile: FoundPercentile | undefined };

function computeMetric({ metricID, metric, moments, groups, percentile, prior }: AskedMetric & Measured, alpha: number, asked: Asked) {
  const directionality = metric?.directionality ?? "increase";
  const known: PulseMetric = { metricID, metricName: metric?.name ?? nameIn(metricID), directionality };
  if (!metric) return { ...known, reason: "The metric does not exist." };
  if (!moments) return { ...known, reason: "No load has computed it yet." };
  const stored = { ...known, loadedTime: moments.loadedTime, ...(moments.version !== null && { metricVersion: moments.version }) };
  if (moments.latest.reason !== undefined) return { ...stored, reason: moments.latest.reason };
  const hasOtherDays = moments.timeZone !== asked.timeZone;
  const answered = answer({ moments, groups, percentile }, alpha, asked, asked.planSprt?.(metricID));
  if (!answered) return { ...stored, reason: whyNoDays(moments, hasOtherDays) };
  const { numbers, estimates, question } = answered;
  const confidenceSequence = asked.sequence && computeSequence(estimates, { alpha, ...asked.sequence });
  const { chanceToBeatThreshold: threshold } = asked;
  const belief = { alpha, prior, isDecreaseBetter: directionality === "decrease" };
  const bayesian = threshold === undefined ? undefined : computeBayesian(estimates, { ...belief, threshold });
  return {
    ...stored,
    alpha,
    ...(threshold === undefined ? numbers : decidedByBelief(numbers, bayesian)),
    ...(percentile && countEvents(percentile, question)),
    ...(groups && toTotals(groups, question)),
    cuped: toCuped(estimates),
    ...(bayesian && { bayesian }),
    ...(confidenceSequence && { confidenceSequence }),
    ...toplineImpact(numbers, moments.latest.topline, toPeriod(moments, asked)),
    ...(asked.hasSeries && moments.daily && !hasOtherDays && { series: computeSeries(moments, question, asked) }),
  };
}

function toPeriod(moments: StoredMoments, { testID, day, timeZone }: Asked): Period {
  const { startTime, endTime } = moments;
  const end = day === undefined ? endTime : Math.min(startOfDayAfter(day, 1, timeZone), endTime);
  // What minutes add up to says nothing about a day.
  return { testID, days: Math.max(1, (end - startTime) / DAY_MS), lastDay: day === undefined ? undefined : dayNumber(moments, day) };
}

type Found = Measured & { moments: StoredMoments };

/** The numbers of a metric, with its verdict: that of the planned end from then on. Undefined if there are none as of the day. */
function answer({ moments, groups, percentile }: Found, alpha: number, asked: Asked, sprt: SprtPlan | undefined) {
  const { controlID, testID, isCupedAsked, plannedEnd } = asked;
  const ended = endedAsPlanned(moments, asked);
  const question: Question = {
    ...{ controlID, testID, isCupedAsked, alpha, isRatio: isRatio(moments), sprt },
    isSequential: plannedEnd !== undefined && !ended,
  };
  const found = percentile ? percentileNumbers(percentile, question, 1 - asked.alpha) : groups && computeNumbers(groups, question);
  if (!found) return undefined;
  return {
    ...found,
    question,
    numbers: ended && !found.numbers.sprt?.decision ? decidedAtEnd(found.numbers, ended, question) : found.numbers,
  };
}

/** The sums as of the last day that was over at the planned end. Undefined before that, and if they are unknown. */
function endedAsPlanned(moments: StoredMoments, { plannedEnd, day, timeZone }: Asked): AtEnd | undefined {
  const { daily, startTime, endTime } = moments;
  if (plannedEnd === undefined || !daily || moments.timeZone !== timeZone) return undefined;
  if ((day === undefined ? endTime : Math.min(endTime, startOfDayAfter(day, 1, timeZone))) < plannedEnd) return undefined;
  const days = daysFrom(startTime, endTime, timeZone);
  const over = days.filter((start) => startOfDayAfter(start, 1, timeZone) <= plannedEnd);
  const last = Math.max(1, over.length);
  return { groups: sumsAsOf(daily, last), date: toDate(days[last - 1] ?? startTime, timeZone) };
}

/** The results as of the end of each day, up to the last one that is loaded. */
function computeSeries(moments: StoredMoments, question: Question, { plannedEnd }: Asked): Schema<"PulseDay">[] {
  // Somebody may have looked on every day.
  const everyDay = { ...question, isSequential: plannedEnd !== undefined };
  const { daily, startTime, endTime, timeZone } = moments;
  return daysFrom(startTime, endTime, timeZone).map((day, index) => {
    const { numbers } = computeNumbers(sumsAsOf(daily ?? [], index + 1), everyDay);
    const { isSignificant: _, verdict: __, reason: ___, sprt: ____, ...rest } = numbers;
    return { date: toDate(day, timeZone), ...rest };
  });
}

/** The name in the id of a metric. */
function nameIn(metricID: string): string {
  const end = metricID.lastIndexOf("::");
  return end === -1 ? metricID : metricID.slice(0, end);
}
