// How long an experiment must run, asked of the server and said in words. Pure.
import type { Schema, WritableSchema } from "../../api.ts";
import type { BandPoint } from "../../charts/band.ts";
import { numberText } from "../../results/verdicts.ts";
import type { Fields } from "./experiment-draft.ts";
import type { Experiment } from "./states.ts";

type Power = Schema<"Power">;
type PowerRequest = WritableSchema<"PowerRequest">;

export type PowerChoice = {
  /** 1 − β, in percent. */
  power: number;
  /** The change to be found, in percent. Undefined: the hypothesis of each metric. */
  effect: number | undefined;
};

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
export function powerRequests(planned: Planned, settings: Settings, { power, effect }: PowerChoice): PowerRequest[] {
  const { allocation, duration, groups, primaryMetrics } = planned;
  return primaryMetrics.map(({ name, type, hypothesizedValue, testType, nonInferiorityMargin }) => {
    const wanted = effect ?? nonInferiorityMargin ?? Math.abs(hypothesizedValue ?? 0);
    return {
      metric: { name, type },
      ...{ idType: settings.idType, allocation, groupSizes: sizesFromControl(groups, settings.controlGroupID), power },
      ...(settings.sequentialTesting && { sequentialTesting: true }),
      ...(testType && { testType }),
      days: Math.min(MAX_DAYS, Math.max(MIN_DAYS, Math.ceil(duration))),
      confidence: correctedConfidence(planned, settings),
      ...(wanted > 0 && { effect: wanted }),
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
  return Math.min(MAX_CONFIDENCE, Number((100 - (alpha * perMetric) / testGroups).toFixed(4)));
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

/** Whether the units came only after the planned day, so that fewer days say more. */
export const isTooYoung = (power: Power, duration: number): boolean =>
  Math.ceil(duration) < power.days.length &&
  plannedDay(power, duration)?.unitsPerGroup === 0 &&
  (power.days.at(-1)?.unitsPerGroup ?? 0) > 0;

/** The effect found in the planned duration: With 14 days you would find a change of 3.1 % in Revenue. */
export function powerSentence(metric: string, power: Power, duration: number): string {
  const planned = plannedDay(power, duration);
  if (!planned) return power.reason ?? "No recent events to estimate from.";
  const { day, effect, absoluteEffect, unitsPerGroup } = planned;
  const span = day < duration ? `In ${daysText(day)} (the longest estimate)` : `In ${daysText(day)}`;
  if (effect !== undefined) return `${span}, you can detect a change of ${numberText(effect)}% in ${metric}.`;
  if (absoluteEffect !== undefined)
    return `${span}, you can detect a difference of ${numberText(absoluteEffect)} in ${metric}, which has a mean of 0.`;
  if (unitsPerGroup === 0) return `No recent users count for ${metric}, so the duration can’t be estimated.`;
  return `${metric} was the same for all recent users, so the duration can’t be estimated.`;
}

/** The effect found by a look before the planned end. Undefined without sequential testing. */
export function lookSentence(power: Power, duration: number): string | undefined {
  const { sequentialEffect } = plannedDay(power, duration) ?? {};
  if (sequentialEffect === undefined) return undefined;
  return `That’s at the planned end. To end early, you need a change of about ${numberText(sequentialEffect)}%.`;
}

/** After how many days a wanted effect is found: A change of 2 % needs 9 days, with 5,200 units in each group. */
export function neededSentence(effect: number, { needed, reason }: Power): string | undefined {
  if (!needed) return reason;
  const units = numberText(Math.ceil(needed.unitsPerGroup));
  return `Detecting a change of ${numberText(effect)}% takes ${daysText(needed.day)}, with ${units} units in the smallest group.`;
}

/** The smallest change by day, in percent. */
export const pointsOfPower = ({ days }: Power): BandPoint[] =>
  days.flatMap(({ day, effect }) => (effect === undefined ? [] : [{ time: day, value: effect }]));

/** How long a metric needs for the change that is wanted of it. */
export type Need = {
  metric: string;
  /** In percent. */
  effect: number;
  /** Undefined if the computed days do not find it. */
  days: number | undefined;
};

/** The needs from the computed power. A metric without findings has none. */
export function toNeeds({ metric, effect }: PowerRequest, { days, needed }: Power): Need[] {
  if (effect === undefined || !days.some((day) => day.effect !== undefined)) return [];
  return [{ metric: metric.name, effect, days: needed?.day }];
}
