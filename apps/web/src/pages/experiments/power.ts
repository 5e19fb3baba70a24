// How long an experiment must run, asked of the server and said in words. Pure.

import type { Schema, WritableSchema } from "../../api.ts";
import type { BandPoint } from "../../charts/band.ts";
import { exact } from "../../charts/format.ts";
import { DAY_MS } from "../../results/run-days.ts";
import { numberText } from "../../results/verdicts.ts";
import { listed } from "../../ui/list-text.ts";
import { date } from "../../ui/time-text.ts";
import type { Fields } from "./experiment-draft.ts";
import type { Experiment } from "./states.ts";

type Power = Schema<"Power">;
type PowerRequest = WritableSchema<"PowerRequest">;

export type PowerChoice = {
  /** 1 − β, in percent. */
  power: number;
  /** The change to be found, in percent. Undefined: the hypothesis of each metric. */
  effect: number | undefined;
  /** New users a day, before the allocation. Undefined: as on recent days. */
  unitsPerDay: number | undefined;
  /** The values to expect without the experiment, by the metric's name and type. Metrics without one have recent values. */
  baselines: Readonly<Record<string, Baseline>>;
};

export type Baseline = NonNullable<PowerRequest["baseline"]>;

export const keyOf = ({ name, type }: PowerRequest["metric"]): string => `${name}::${type}`;

/** Whether each user has 0 or 1, so that the mean says how much users differ. */
export const isRate = ({ type }: PowerRequest["metric"]): boolean => type === "event_user" || type === "funnel";

/** The baseline of a rate. @param percent more than 0 and less than 100 */
export const baselineOfRate = (percent: number): Baseline => ({
  mean: percent / 100,
  standardDeviation: Math.sqrt((percent / 100) * (1 - percent / 100)),
});

type Planned = Pick<Fields, "allocation" | "duration" | "groups" | "primaryMetrics" | "secondaryMetrics">;
type Settings = Pick<
  Experiment,
  | "idType"
  | "defaultConfidenceInterval"
  | "bonferroniCorrection"
  | "bonferroniCorrectionPerMetric"
  | "holmPerVariant"
  | "holmPerMetric"
  | "sequentialTesting"
  | "controlGroupID"
>;

/** The operation's maximum. */
const MAX_DAYS = 90;
const MIN_DAYS = 28;
const MAX_CONFIDENCE = 99.99;

/** One question for each primary metric. */
export function powerRequests(
  planned: Planned,
  settings: Settings,
  { power, effect, unitsPerDay, baselines }: PowerChoice,
): PowerRequest[] {
  const { allocation, duration, groups, primaryMetrics } = planned;
  return primaryMetrics.map(({ name, type, hypothesizedValue, testType, nonInferiorityMargin }) => {
    const wanted = effect ?? nonInferiorityMargin ?? Math.abs(hypothesizedValue ?? 0);
    const baseline = baselines[keyOf({ name, type })];
    return {
      metric: { name, type },
      ...{ idType: settings.idType, allocation, groupSizes: sizesFromControl(groups, settings.controlGroupID), power },
      ...(settings.sequentialTesting && { sequentialTesting: true }),
      ...(testType && { testType }),
      days: Math.min(MAX_DAYS, Math.max(MIN_DAYS, Math.ceil(duration))),
      confidence: correctedConfidence(planned, settings),
      ...(wanted > 0 && { effect: wanted }),
      ...(unitsPerDay !== undefined && { unitsPerDay }),
      ...(baseline && { baseline }),
    };
  });
}

/** The sizes of the groups that have any, that of the control group first: of the first group if none is set. */
function sizesFromControl(groups: Planned["groups"], controlID: Settings["controlGroupID"]): number[] {
  const sized = groups.filter(({ size }) => size > 0);
  const control = sized.find(({ id }) => id === controlID) ?? sized[0];
  return [...(control ? [control] : []), ...sized.filter((group) => group !== control)].map(({ size }) => size);
}

/**
 * The confidence in percent at which a primary metric is decided, after Bonferroni, or after the first step of Holm, which is the strictest.
 * Benjamini–Hochberg depends on the results.
 */
export function correctedConfidence({ groups, primaryMetrics, secondaryMetrics }: Planned, settings: Settings): number {
  const { bonferroniCorrection, bonferroniCorrectionPerMetric, holmPerVariant, holmPerMetric } = settings;
  const isBonferroni = bonferroniCorrection || bonferroniCorrectionPerMetric;
  const testGroups = bonferroniCorrection || (!isBonferroni && holmPerVariant) ? Math.max(1, groups.length - 1) : 1;
  const isHolmPerMetric = !isBonferroni && holmPerMetric;
  // Secondary metrics have one half of α.
  const share = secondaryMetrics.length > 0 ? 0.5 : 1;
  const perMetric = bonferroniCorrectionPerMetric
    ? share / Math.max(1, primaryMetrics.length)
    : 1 / (isHolmPerMetric ? Math.max(1, primaryMetrics.length + secondaryMetrics.length) : 1);
  const alpha = 100 - Number(settings.defaultConfidenceInterval);
  return Math.min(MAX_CONFIDENCE, Math.round((100 - (alpha * perMetric) / testGroups) * 10_000) / 10_000);
}

/** The reason why the power can't be computed, if it can't. */
export function whyNoPower({ groups, allocation, primaryMetrics }: Planned): string | undefined {
  if (primaryMetrics.length === 0) return "Add a primary metric first.";
  if (groups.length < 2) return "Add a second group first.";
  if (groups.filter(({ size }) => size > 0).length < 2) return "Set the size of two groups first.";
  return allocation > 0 ? undefined : "Set the allocation first.";
}

const daysText = (days: number): string => `${numberText(days)} ${days === 1 ? "day" : "days"}`;

/** The day that the planned duration reaches, or the last that was computed. */
export function plannedDay({ days }: Power, duration: number): Schema<"PowerDay"> | undefined {
  return days.find(({ day }) => day >= duration) ?? days.at(-1);
}

/** How long an effect takes: the users, and the day on which the experiment has them. @param start of the experiment, ms since the epoch */
export function neededSentence(metric: string, effect: number, { needed, reason }: Power, start: number): string | undefined {
  if (!needed) return undefined;
  const { units, unitsPerGroup, day: last } = needed;
  const users = `To detect a change of ${numberText(effect)}% in ${metric}, you need ${exact(units)} users, at least ${exact(unitsPerGroup)} of them in each group.`;
  return `${users} ${last === undefined ? (reason ?? "") : `You’ll reach that ${daysText(last)} after the start, on ${date(start + last * DAY_MS)}.`}`;
}

/** The effect found in the planned duration: In 14 days, you can detect a change of 3.1% in Revenue. */
export function powerSentence(metric: string, power: Power, duration: number): string {
  const { day = 0, effect, absoluteEffect } = plannedDay(power, duration) ?? {};
  const span = day < duration ? `In ${daysText(day)} (the longest estimate)` : `In ${daysText(day)}`;
  if (effect !== undefined) return `${span}, you can detect a change of ${numberText(effect)}% in ${metric}.`;
  if (absoluteEffect !== undefined)
    return `${span}, you can detect a difference of ${numberText(absoluteEffect)} in ${metric}, which has a mean of 0.`;
  return power.reason ?? "";
}

type Sized = Pick<PowerRequest, "allocation" | "groupSizes" | "unitsPerDay">;

/** The traffic that the estimate counts with, after the allocation. Undefined if the reader entered it. */
export function trafficSentence(
  { allocation = 100, groupSizes = [], unitsPerDay: given }: Sized,
  power: Power,
  duration: number,
): string | undefined {
  const { unitsPerDay } = power;
  if (unitsPerDay === undefined || given !== undefined) return undefined;
  const rate = `${exact(Math.round((unitsPerDay * allocation) / 100))} new users a day`;
  const planned = plannedDay(power, duration);
  if (planned === undefined || groupSizes.length === 0) return `Based on recent traffic: about ${rate}.`;
  const users = (planned.unitsPerGroup * groupSizes.reduce((sum, size) => sum + size, 0)) / Math.min(...groupSizes);
  return `Based on recent traffic: about ${exact(Math.round(users))} users in the first ${daysText(planned.day)}, then ${rate}.`;
}

/** What has to be entered before a metric can be estimated. */
export function listMissing({ days, unitsPerDay, reason, sql }: Power): { traffic: boolean; baseline: boolean } {
  // A metric that can't be estimated at all has no statement.
  if (sql === undefined) return { traffic: false, baseline: false };
  const isKnown = days.some(({ absoluteEffect }) => absoluteEffect !== undefined);
  return { traffic: unitsPerDay === undefined || unitsPerDay === 0, baseline: !isKnown && reason !== undefined };
}

/** The effect found by a look before the planned end. Undefined without sequential testing. */
export function lookSentence(power: Power, duration: number): string | undefined {
  const { sequentialEffect } = plannedDay(power, duration) ?? {};
  if (sequentialEffect === undefined) return undefined;
  return `That’s at the planned end. To end early, you need a change of about ${numberText(sequentialEffect)}%.`;
}

/** The smallest change by day, in percent. */
export const pointsOfPower = ({ days }: Power): BandPoint[] =>
  days.flatMap(({ day, effect }) => (effect === undefined ? [] : [{ time: day, value: effect }]));

/** How long a metric needs for the change that is wanted of it. */
export type Need = {
  metric: string;
  /** In percent. */
  effect: number;
  /** Undefined if the traffic does not allow it. */
  days: number | undefined;
};

/** The needs from the computed power. A metric without findings has none. */
export function toNeeds({ metric, effect }: PowerRequest, { days, needed }: Power): Need[] {
  if (effect === undefined || !days.some((day) => day.effect !== undefined)) return [];
  return [{ metric: metric.name, effect, days: needed?.day }];
}

const WEEK_DAYS = 7;
/** The longest duration that is suggested. The forecast ends there. */
export const MAX_SUGGESTED_DAYS = 365;

/** Whether the experiment would have to run longer than anyone should plan. */
const isUnreachable = ({ days }: Need): boolean => days === undefined || days > MAX_SUGGESTED_DAYS;

/** The planned duration in days that is long enough for every need, and at least a week. Undefined if the traffic does not allow it. */
export function enoughDays(needs: readonly Need[]): number | undefined {
  if (needs.length === 0 || needs.some(isUnreachable)) return undefined;
  return Math.max(WEEK_DAYS, ...needs.flatMap(({ days }) => days ?? []));
}

/** The metrics that need longer than anyone should plan, in a sentence. Undefined without such metrics. */
export function unreachableSentence(needs: readonly Need[]): string | undefined {
  const names = needs.filter(isUnreachable).map(({ metric }) => metric);
  if (names.length === 0) return undefined;
  const changes = names.length === 1 ? "a change of this size" : "changes of this size";
  const metrics = listed(names);
  return `At this traffic, ${changes} in ${metrics} can’t be detected within ${MAX_SUGGESTED_DAYS} days. Increase the allocation, or plan for a larger change.`;
}

/** Whether two lists of requests ask the same. Their days only say how far the forecast goes. */
export function isSameEstimate(some: readonly PowerRequest[], others: readonly PowerRequest[]): boolean {
  const toText = (requests: readonly PowerRequest[]) => JSON.stringify(requests.map(({ days: _, ...request }) => request));
  return toText(some) === toText(others);
}
