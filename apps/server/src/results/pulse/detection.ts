import type { Schema } from "@gatehouse/contract/console";
import { daysFrom, toDate } from "../../common/local-day.ts";
import { DAY_MS } from "../../common/utc-day.ts";
import type { Detect } from "./pulse-metric.ts";
import type { StoredMoments } from "./stored-moments.ts";
import { NOTHING, sumsAsOf } from "./sums.ts";

type Detection = Schema<"PulseDetection">;

/** How an experiment continues, which determines when effects will be detected. */
export type Outlook = {
  isEnrolling: boolean;
  /** ms */
  plannedEnd: number | undefined;
  /** Whether the verdict of the planned end stays. */
  isLastAtEnd: boolean;
};

export type Detecting = Outlook & {
  groupIDs: readonly string[];
  isRatio: boolean;
  /** The units of both groups together. */
  units: number;
  controlMean: number;
  /** The effect that the experiment is planned for, in percent of the control mean. */
  target: number | undefined;
};

/** The days over which the pace of enrollment is counted. */
const PACE_DAYS = 7;
/** Later is not worth a date. */
const MAX_DAYS = 730;
const STEPS = 60;

const NOT_ENROLLING = "The experiment takes no new users.";
const NO_NEW_UNITS = "No new units arrived lately.";
const TOO_LATE = "At the current pace, it takes more than two years.";
const DECIDED = "The verdict of the planned end stays.";
const NOT_AT_END = "At the current pace, the planned end comes first. Plan more time, or more users per day.";

/** The effects that a test detects now and at the planned end, and the time when it will detect the planned effect. */
export function computeDetection(detect: Detect, moments: StoredMoments, asked: Detecting): Detection {
  const { isEnrolling, target } = asked;
  const unitsPerDay = isEnrolling ? paceOf(moments, asked) : undefined;
  const plannedEndPercent = unitsPerDay === undefined ? undefined : atPlannedEnd(detect, moments, asked, unitsPerDay);
  return {
    power: detect.power,
    ...(unitsPerDay !== undefined && { unitsPerDay }),
    ...(plannedEndPercent !== undefined && { plannedEndPercent }),
    ...(target !== undefined && asked.controlMean !== 0 && { target: outlookOf(detect, moments, { ...asked, target }, unitsPerDay) }),
  };
}

/** How many units both groups gained per day lately; since the start if days are unknown. */
function paceOf({ daily, startTime, endTime, timeZone }: StoredMoments, { groupIDs, isRatio, units }: Detecting): number {
  const since = daysFrom(startTime, endTime, timeZone);
  const before = Math.max(0, since.length - PACE_DAYS);
  if (!daily || before === 0) return units / Math.max(1, (endTime - startTime) / DAY_MS);
  const sums = sumsAsOf(daily, before);
  const earlier = groupIDs.reduce((sum, id) => sum + (sums[id] ?? NOTHING)[isRatio ? "k" : "n"], 0);
  return Math.max(0, units - earlier) / Math.max(1, (endTime - (since[before] ?? startTime)) / DAY_MS);
}

const growthAfter = (days: number, units: number, unitsPerDay: number): number => 1 + (days * unitsPerDay) / Math.max(1, units);

function toPercent(size: number | undefined, controlMean: number): number | undefined {
  return size === undefined || controlMean === 0 ? undefined : (100 * size) / Math.abs(controlMean);
}

const daysUntil = (time: number | undefined, { endTime }: StoredMoments): number | undefined =>
  time === undefined || time <= endTime ? undefined : (time - endTime) / DAY_MS;

function atPlannedEnd(
  detect: Detect,
  moments: StoredMoments,
  { plannedEnd, units, controlMean, isLastAtEnd }: Detecting,
  unitsPerDay: number,
) {
  const days = daysUntil(plannedEnd, moments);
  if (days === undefined) return undefined;
  return toPercent(detect.size({ growth: growthAfter(days, units, unitsPerDay), isFixed: isLastAtEnd }), controlMean);
}

function outlookOf(
  detect: Detect,
  moments: StoredMoments,
  asked: Detecting & { target: number },
  unitsPerDay: number | undefined,
): NonNullable<Detection["target"]> {
  const { target: percent, units, controlMean, plannedEnd, isLastAtEnd } = asked;
  const detects = (days: number, isFixed = false) => {
    const growth = growthAfter(days, units, unitsPerDay ?? 0);
    return (toPercent(detect.size({ growth, isFixed }), controlMean) ?? Number.POSITIVE_INFINITY) <= percent;
  };
  if (detects(0)) return { percent, isReached: true };
  const not = (reason: string) => ({ percent, isReached: false, reason });
  if (isLastAtEnd && plannedEnd !== undefined && plannedEnd <= moments.endTime) return not(DECIDED);
  if (unitsPerDay === undefined) return not(NOT_ENROLLING);
  if (unitsPerDay === 0) return not(NO_NEW_UNITS);
  const on = (days: number) => ({ percent, isReached: false, days, date: toDate(moments.endTime + days * DAY_MS, moments.timeZone) });
  const untilEnd = isLastAtEnd ? daysUntil(plannedEnd, moments) : undefined;
  const most = Math.min(MAX_DAYS, untilEnd ?? MAX_DAYS);
  if (detects(most)) return on(firstDay(detects, most));
  if (untilEnd === undefined || untilEnd > MAX_DAYS) return not(TOO_LATE);
  return detects(untilEnd, true) ? on(untilEnd) : not(NOT_AT_END);
}

/** After how many days an effect is first detected, by bisection. @param most days after which it is */
function firstDay(detects: (days: number) => boolean, most: number): number {
  let [before, after] = [0, most];
  for (let step = 0; step < STEPS; step++) {
    const middle = (before + after) / 2;
    if (detects(middle)) after = middle;
    else before = middle;
  }
  return after;
}
