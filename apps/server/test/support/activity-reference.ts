import type { Activity } from "../../src/results/plans/plan.ts";
import type { Logged } from "./reference-events.ts";

const DAY_MS = 86_400_000;
const MOST_DAYS = 60;

/**
 * The times when a unit's days become active, or only its first event's.
 * @param own the unit's events
 * @param isWithin whether to read an event from before the exposure
 */
export function activeTimes(activity: Activity, own: readonly Logged[], since: number, isWithin: (time: number) => boolean): number[] {
  const all = own.filter(({ name }) => !name.startsWith("statsig::")).map(({ time }) => time);
  const times = activity.marks === "first" ? all : all.filter((time) => time >= since || isWithin(time));
  if (activity.marks === "first") {
    const first = Math.min(...times);
    return Number.isFinite(first) && first >= since ? [first] : [];
  }
  return Array.from({ length: 2 * MOST_DAYS }, (_, index) => index - MOST_DAYS).flatMap((day) => {
    const begin = since + day * DAY_MS;
    const isOnSide = (time: number) => time < since === day < 0;
    const isBetween = (from: number, to: number) => (time: number) => time >= from && time < to && isOnSide(time);
    if (times.some(isBetween(begin - (activity.withinDays - 1) * DAY_MS, begin))) return [begin];
    const today = times.filter(isBetween(begin, begin + DAY_MS));
    return today.length > 0 ? [Math.min(...today)] : [];
  });
}

/** For each day, up to `end`: the number of units active within so many days, or new on that day. */
export function activeUnits(activity: Activity, events: readonly Logged[], days: readonly number[], end: number): number[] {
  const seen = new Map<string, number[]>();
  for (const { unit, time, name } of events) {
    if (!name.startsWith("statsig::") && time < end) seen.set(unit, [...(seen.get(unit) ?? []), Math.floor(time / DAY_MS)]);
  }
  return days.map((begin) => {
    const day = begin / DAY_MS;
    const counts = (own: number[]) =>
      activity.marks === "first" ? Math.min(...own) === day : own.some((one) => one <= day && one > day - activity.withinDays);
    return [...seen.values()].filter(counts).length;
  });
}
