import type { Schema } from "@gatehouse/contract/console";
import { invalid, type Violation } from "../../common/errors.ts";
import { firstShown, shownAt, startOfLocalDay, type TimeZone, toLocalDay } from "../../common/time-zone.ts";
import { DAY_MS } from "../../common/utc-day.ts";

export type Repetition = Schema<"Repetition">;
export type Weekday = Schema<"Weekday">;

const WEEKDAYS: readonly Weekday[] = ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"];
const MINUTE_MS = 60_000;

/** The time of a stored request, and how it repeats, as a request gives them. */
export type Schedule = { applyAt: number; repeat?: Weekday[] | undefined; repeatUntil?: number | undefined };

/**
 * How a change repeats. Undefined if it is applied once.
 * @throws AppError invalid_request with every violation
 */
export function toRepetition({ applyAt, repeat, repeatUntil }: Schedule, timeZone: TimeZone): Repetition | undefined {
  if (repeat === undefined) return undefined;
  return atTime({ days: WEEKDAYS.filter((day) => repeat.includes(day)), until: repeatUntil ?? null }, applyAt, timeZone);
}

/** The repetition from another time on, which also has another time of day. @throws AppError invalid_request with every violation */
export function atTime({ days, until }: Pick<Repetition, "days" | "until">, applyAt: number, timeZone: TimeZone): Repetition {
  const violations: Violation[] = [];
  if (applyAt % MINUTE_MS !== 0)
    violations.push({ property: "applyAt", errorMessage: "must be at a whole minute, since the change repeats" });
  const weekday = weekdayOf(toLocalDay(applyAt, timeZone));
  if (!days.includes(weekday))
    violations.push({
      property: "applyAt",
      errorMessage: `is on a ${weekday} in ${timeZone}, and the change repeats on ${days.join(", ")}`,
    });
  if (until !== null && until < applyAt)
    violations.push({ property: "applyAt", errorMessage: `must not be after ${until}, when the change stops repeating` });
  if (violations.length > 0) throw invalid(violations);
  return { days, time: toTime(shownAt(applyAt, timeZone)), timeZone, until };
}

type Waiting = { applyAt: number; repeat: Repetition };

/**
 * The next occurrence of a change. If occurrences were missed, because no server ran, it is the last one of them.
 * @returns undefined if the change does not repeat any more
 */
export function nextOccurrence(
  { applyAt, repeat }: Waiting,
  now: number,
  timeZone: TimeZone,
): { applyAt: number; repeat: Repetition } | undefined {
  const end = repeat.until ?? Number.POSITIVE_INFINITY;
  const missed = lastUpTo(repeat, Math.min(now, end), timeZone);
  const next = missed > applyAt ? missed : firstAfter(repeat, Math.max(now, applyAt), timeZone);
  return next <= end ? { applyAt: next, repeat: { ...repeat, timeZone } } : undefined;
}

/** The last occurrence up to a time, from `applyAt` on. */
export function lastOccurrence({ applyAt, repeat }: Waiting, time: number): number {
  const end = Math.min(time, repeat.until ?? Number.POSITIVE_INFINITY);
  return Math.max(applyAt, lastUpTo(repeat, end, repeat.timeZone as TimeZone));
}

function firstAfter(repeat: Repetition, time: number, zone: TimeZone): number {
  // An occurrence that clocks skip can be on the next day.
  for (let day = toLocalDay(time, zone) - 1; ; day++) {
    const found = occurrenceOn(day, repeat, zone);
    if (found !== undefined && found > time) return found;
  }
}

function lastUpTo(repeat: Repetition, time: number, zone: TimeZone): number {
  // Clocks that are put back over midnight show the day before again.
  for (let day = toLocalDay(time, zone) + 1; ; day--) {
    const found = occurrenceOn(day, repeat, zone);
    if (found !== undefined && found <= time) return found;
  }
}

/** The occurrence on a day, if it has one. @param day counted from 1970-01-01 */
function occurrenceOn(day: number, { days, time }: Repetition, zone: TimeZone): number | undefined {
  if (!days.includes(weekdayOf(day))) return undefined;
  // Zones have skipped whole days.
  if (startOfLocalDay(day, zone) === startOfLocalDay(day + 1, zone)) return undefined;
  const [hours, minutes] = time.split(":").map(Number) as [number, number];
  return firstShown(day * DAY_MS + (hours * 60 + minutes) * MINUTE_MS, zone);
}

function weekdayOf(day: number): Weekday {
  // 1970-01-01 was a Thursday.
  return WEEKDAYS[(((day + 3) % 7) + 7) % 7] as Weekday;
}

/** The time of day of clocks, such as `09:00`. */
function toTime(shown: number): string {
  const minutes = Math.floor((shown % DAY_MS) / MINUTE_MS);
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, "0")).join(":");
}
