import type { Schema } from "@gatehouse/contract/console";
import type { Prior } from "@gatehouse/statistics";
import { daysFrom, startOfDay, startOfDayAfter, toDate } from "../../common/local-day.ts";
import type { TimeZone } from "../../common/time-zone.ts";
import { DAY_MS } from "../../common/utc-day.ts";
import { NO_METRIC } from "../plans/load-parts.ts";
import { type Adjusting, type AskedAdjustment, describeAdjustment, NOT_OF_PERCENTILES, OF_LAST_DAY } from "./adjustment.ts";
import { type Comparison, type Corrections, computeAlphas } from "./alphas.ts";
import { computeDetection, type Outlook } from "./detection.ts";
import { countEvents, percentileNumbers } from "./percentile-pulse.ts";
import type { FoundPercentile } from "./percentiles.ts";
import { type Answered, computeNumbers, type Groups, type Question, toCuped, toTotals } from "./pulse-metric.ts";
import { NOTHING_LOADED } from "./reasons.ts";
import { computeSequence, type SprtPlan, sprtPValue } from "./sequential-tests.ts";
import type { StoredMoments } from "./stored-moments.ts";
import { type GroupSums, sumsAsOf } from "./sums.ts";
import { type TestPlan, TWO_SIDED } from "./test-plan.ts";
import { type Period, toplineImpact } from "./topline.ts";
import { type AtEnd, type Belief, computeBayesian, decidedAtEnd, decidedByBelief } from "./verdicts.ts";

type PulseMetric = Schema<"PulseMetric">;

/** A metric that results are asked for. */
export type AskedMetric = {
  metricID: string;
  role: "primary" | "secondary" | "other";
  /** Undefined if the metric does not exist. */
  metric: Pick<Schema<"Metric">, "name" | "directionality" | "valueUnit" | "type" | "warehouseNative"> | undefined;
  /** Undefined before a load has computed it. */
  moments: StoredMoments | undefined;
  /** The prior belief about the relative change. */
  prior: Prior | undefined;
  /** The question that it answers; without it, whether there is a difference. */
  plan?: TestPlan | undefined;
  /** The expected effect, in percent of the control mean; undefined if it is not set. */
  expectedPercent?: number | undefined;
};

export type Asked = Groups & {
  /** The groups that may be compared with the control. */
  testIDs: readonly string[];
  isCupedAsked: boolean;
  /** How the experiment reduces the variance beside CUPED; undefined if it does not. */
  adjustment?: AskedAdjustment | undefined;
  /** 0–1. */
  alpha: number;
  corrections: Corrections;
  /** When the test ends as planned, ms, for experiments that are tested sequentially; undefined for others. */
  plannedEnd: number | undefined;
  /** The minimum chance to beat that decides a Bayesian experiment, 0.5–1; undefined for other experiments. */
  chanceToBeatThreshold: number | undefined;
  /** The plan for a metric's sequential probability ratio test; undefined if it is not used. */
  planSprt?: ((metricID: string, testID: string) => SprtPlan) | undefined;
  /** The planned units of both groups, for experiments that are tested sequentially; undefined for others. */
  sequence?: { narrowestUnits: number | undefined } | undefined;
  /** The day as of whose end results are asked for, as when it begins, ms; undefined for the last one. */
  day: number | undefined;
  /** The time zone of the days. Results that were loaded with other days have no series. */
  timeZone: TimeZone;
  hasSeries: boolean;
  /** How the experiment continues; undefined for callers that do not ask for detectable effects. */
  outlook?: Outlook | undefined;
};

/** The results of metrics for two groups, in the order given. */
export const computePulse = (metrics: readonly AskedMetric[], asked: Asked): PulseMetric[] => computePulses(metrics, [asked])[0] ?? [];

/** The same for several test groups. All else that is asked for each is the same, so the groups share the comparisons that the corrections count. */
export function computePulses(metrics: readonly AskedMetric[], all: readonly Asked[]): PulseMetric[][] {
  const [first] = all;
  if (!first) return [];
  const { known, comparisons } = compareGroups(metrics, first);
  return all.map((asked) => {
    const adjustAlpha = computeAlphas(comparisons, asked.testID, asked.alpha, asked.corrections);
    return known.map((one) => computeMetric(one, one.role === "other" ? asked.alpha : adjustAlpha(one.metricID), asked));
  });
}

/** The metrics with what is stored as of the day, and the p-values of all test groups. */
function compareGroups(metrics: readonly AskedMetric[], asked: Asked) {
  const { testIDs, alpha } = asked;
  const known = metrics.map((one) => ({
    ...one,
    groups: groupsAsOf(one.moments, asked),
    percentile: percentileAsOf(one.moments, asked),
  }));
  const comparisons = known.flatMap((one): Comparison[] => {
    const { metricID, role, moments, groups, percentile } = one;
    if (role === "other" || !moments) return [];
    const pFor = (id: string) => {
      const { verdict, sprt } = answer({ ...one, moments }, alpha, { ...asked, testID: id }, asked.planSprt?.(metricID, id))?.numbers ?? {};
      if (verdict?.withheld !== undefined) return undefined;
      return sprt?.decision === undefined ? verdict?.pValue : sprtPValue(sprt);
    };
    if (!groups && !percentile) return [];
    return testIDs.map((id) => ({ metricID, testID: id, isPrimary: role === "primary", p: pFor(id) }));
  });
  return { known, comparisons };
}

const isRatio = (moments: StoredMoments | undefined) => moments?.latest.groups !== undefined && moments.latest.isRatio;

/** The sums of each group; undefined if they are missing. */
function groupsAsOf(moments: StoredMoments | undefined, { day, timeZone }: Asked): GroupSums | undefined {
  if (day === undefined || !moments?.latest.groups) return moments?.latest.groups;
  return moments.daily && moments.timeZone === timeZone ? sumsAsOf(moments.daily, dayNumber(moments, day)) : undefined;
}

/** A percentile as of a day: only the last day's is known. Undefined for other days. */
function percentileAsOf(moments: StoredMoments | undefined, asked: Asked): FoundPercentile | undefined {
  return isLastDay(moments, asked) ? moments?.latest.percentile : undefined;
}

const isLastDay = (moments: StoredMoments | undefined, { day, timeZone }: Asked): boolean =>
  day === undefined || day === startOfDay((moments?.endTime ?? 0) - 1, timeZone);

function toAdjusting(moments: StoredMoments, asked: Asked): Adjusting | undefined {
  const { adjustment } = asked;
  return adjustment && { asked: adjustment, found: isLastDay(moments, asked) ? moments.latest.adjustment : { reason: OF_LAST_DAY } };
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

/** The unit of a metric's values. Automatic: percent for funnels, and otherwise by the values. */
function toUnit({ valueUnit = "automatic", type, warehouseNative }: NonNullable<AskedMetric["metric"]>): Pick<PulseMetric, "valueUnit"> {
  if (valueUnit !== "automatic") return { valueUnit };
  return type === "funnel" || warehouseNative?.aggregation === "funnel" ? { valueUnit: "percent" } : {};
}

type Measured = { groups: GroupSums | undefined; percentile: FoundPercentile | undefined };

function computeMetric(one: AskedMetric & Measured, alpha: number, asked: Asked): PulseMetric {
  const { metricID, metric, moments, groups, percentile, prior } = one;
  const directionality = metric?.directionality ?? "increase";
  const known: PulseMetric = { metricID, metricName: metric?.name ?? nameIn(metricID), directionality, ...(metric && toUnit(metric)) };
  if (!metric) return { ...known, reason: NO_METRIC };
  if (!moments) return { ...known, reason: NOTHING_LOADED };
  const stored = { ...known, loadedTime: moments.loadedTime, ...(moments.version !== null && { metricVersion: moments.version }) };
  if (moments.latest.reason !== undefined) return { ...stored, reason: moments.latest.reason };
  const hasOtherDays = moments.timeZone !== asked.timeZone;
  const sprt = asked.planSprt?.(metricID, asked.testID);
  const answered = answer({ ...one, moments }, alpha, asked, sprt);
  if (!answered) return { ...stored, reason: whyNoDays(moments, hasOtherDays) };
  const { estimates, question } = answered;
  const confidenceSequence = asked.sequence && computeSequence(estimates, { alpha, ...asked.sequence });
  const { chanceToBeatThreshold: threshold } = asked;
  const belief = threshold === undefined ? undefined : { alpha, prior, isDecreaseBetter: directionality === "decrease", threshold };
  const bayesian = belief && computeBayesian(estimates, belief);
  const { numbers, detect } = belief ? decidedByBelief(answered, bayesian, belief) : answered;
  return {
    ...stored,
    alpha,
    ...numbers,
    ...(detect && asked.outlook && { detection: computeDetection(detect, moments, toDetecting(one, answered, asked.outlook, sprt)) }),
    ...(percentile && countEvents(percentile, question)),
    ...(groups && toTotals(groups, question)),
    cuped: toCuped(estimates),
    ...toAdjustment(estimates.adjustment, asked),
    ...(bayesian && { bayesian }),
    ...(confidenceSequence && { confidenceSequence }),
    ...toplineImpact(numbers, moments.latest.topline, toPeriod(moments, asked)),
    ...(asked.hasSeries && moments.daily && !hasOtherDays && { series: computeSeries(moments, question, belief, asked) }),
  };
}

function toAdjustment(used: PulseMetric["adjustment"], { adjustment }: Asked): Pick<PulseMetric, "adjustment"> {
  if (!adjustment) return {};
  return { adjustment: used ?? { ...describeAdjustment(adjustment), isUsed: false, reason: NOT_OF_PERCENTILES } };
}

function toDetecting({ plan, expectedPercent }: AskedMetric, { numbers, question }: Decided, outlook: Outlook, sprt: SprtPlan | undefined) {
  const { controlUnits = 0, testUnits = 0, controlMean = 0 } = numbers;
  const planned = plan?.margin === undefined ? (sprt?.effect ? 100 * sprt.effect : expectedPercent) : 100 * plan.margin;
  return {
    ...outlook,
    ...{ groupIDs: [question.controlID, question.testID], isRatio: question.isRatio },
    ...{ units: controlUnits + testUnits, controlMean, target: planned ? Math.abs(planned) : undefined },
  };
}

function toPeriod(moments: StoredMoments, { testID, day, timeZone }: Asked): Period {
  const { startTime, endTime } = moments;
  const end = day === undefined ? endTime : Math.min(startOfDayAfter(day, 1, timeZone), endTime);
  // A sum of minutes does not count as a day.
  return { testID, days: Math.max(1, (end - startTime) / DAY_MS), lastDay: day === undefined ? undefined : dayNumber(moments, day) };
}

type Found = Measured & Pick<AskedMetric, "metric" | "plan"> & { moments: StoredMoments };

type Decided = Answered & { question: Question };

/** The numbers of a metric, with its verdict: that of the planned end once it is reached. Undefined without numbers as of the day. */
function answer(found: Found, alpha: number, asked: Asked, sprt: SprtPlan | undefined): Decided | undefined {
  const { moments, groups, percentile, metric, plan = TWO_SIDED } = found;
  const { controlID, testID, isCupedAsked, plannedEnd } = asked;
  const ended = endedAsPlanned(moments, asked);
  const question: Question = {
    ...{ controlID, testID, isCupedAsked, alpha, isRatio: isRatio(moments), sprt, plan },
    isDecreaseBetter: metric?.directionality === "decrease",
    isSequential: plannedEnd !== undefined && !ended,
    adjusting: toAdjusting(moments, asked),
  };
  const computed = percentile ? percentileNumbers(percentile, question, 1 - asked.alpha) : groups && computeNumbers(groups, question);
  if (!computed) return undefined;
  return { ...computed, question, ...(ended && !computed.numbers.sprt?.decision && decidedAtEnd(computed.numbers, ended, question)) };
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
function computeSeries(
  moments: StoredMoments,
  question: Question,
  belief: Belief | undefined,
  { plannedEnd }: Asked,
): Schema<"PulseDay">[] {
  // Someone may have looked on every day.
  const everyDay = { ...question, isSequential: plannedEnd !== undefined, adjusting: undefined };
  const { daily, startTime, endTime, timeZone } = moments;
  return daysFrom(startTime, endTime, timeZone).map((day, index) => {
    const answered = computeNumbers(sumsAsOf(daily ?? [], index + 1), everyDay);
    const { numbers } = belief ? decidedByBelief(answered, computeBayesian(answered.estimates, belief), belief) : answered;
    const { isSignificant: _, verdict: __, reason: ___, sprt: ____, ...rest } = numbers;
    return { date: toDate(day, timeZone), ...rest };
  });
}

/** The name in the id of a metric. */
function nameIn(metricID: string): string {
  const end = metricID.lastIndexOf("::");
  return end === -1 ? metricID : metricID.slice(0, end);
}
