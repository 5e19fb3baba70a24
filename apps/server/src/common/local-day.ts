import { daysTo, firstShown, startOfLocalDay, type TimeZone, toLocalDay } from "./time-zone.ts";
import { DAY_MS, HOUR_MS } from "./utc-day.ts";

/** Canada writes dates as ISO 8601 does. */
const DATE = new Intl.DateTimeFormat("en-CA", { timeZone: "UTC", year: "numeric", month: "2-digit", day: "2-digit" });

const DATE_IN_WORDS = new Intl.DateTimeFormat("en-US", { timeZone: "UTC", year: "numeric", month: "short", day: "numeric" });

/**
 * The number of the day of a time, counted from 1970-01-01 in the zone. A day begins when clocks first reach its midnight, or pass it where
 * they skip it, and ends when the next one begins. So it has 23 or 25 hours where clocks are changed, and none where its whole date is skipped.
 */
function dayNumber(time: number, zone: TimeZone): number {
  const day = toLocalDay(time, zone);
  // Clocks that were put back over midnight show the old date again.
  return startOfLocalDay(day + 1, zone) <= time ? day + 1 : day;
}

/** The day of a time, as `2025-11-22`. */
export function toDate(time: number, zone: TimeZone): string {
  return DATE.format(dayNumber(time, zone) * DAY_MS);
}

/** The day of a time as texts for people have it: `Nov 22, 2025`. */
export function dateInWords(time: number, zone: TimeZone): string {
  return DATE_IN_WORDS.format(dayNumber(time, zone) * DAY_MS);
}

/** When the day of a time begins, ms. */
export function startOfDay(time: number, zone: TimeZone): number {
  return startOfLocalDay(dayNumber(time, zone), zone);
}

/** The day of the week of a time, where 0 is Sunday. */
export function toWeekday(time: number, zone: TimeZone): number {
  // 1970-01-01 was a Thursday.
  return (((dayNumber(time, zone) + 4) % 7) + 7) % 7;
}

/** When the day of a date begins, ms. @param date as `2025-11-22` */
export function startOfDate(date: string, zone: TimeZone): number {
  const [year, month, day] = date.split("-").map(Number) as [number, number, number];
  return startOfLocalDay(daysTo(year, month, day), zone);
}

/** When clocks first show an hour of the day of a time, or pass it. Ms. @param hour 0 to 23 */
export function hourOfDay(time: number, hour: number, zone: TimeZone): number {
  return firstShown(dayNumber(time, zone) * DAY_MS + hour * HOUR_MS, zone);
}

/** When the day begins that is a number of days after that of a time, or before it if that is negative. Ms. */
export function startOfDayAfter(time: number, count: number, zone: TimeZone): number {
  return startOfLocalDay(dayNumber(time, zone) + count, zone);
}

/** When each day from a time on begins: the first with that time, and each other one before `end` with its own beginning. Ms. */
export function daysFrom(time: number, end: number, zone: TimeZone): number[] {
  const days = [time];
  for (let number = dayNumber(time, zone) + 1; ; number++) {
    const day = startOfLocalDay(number, zone);
    if (day >= end) return days;
    // A date that is skipped begins with the next one.
    if (day > (days.at(-1) as number)) days.push(day);
  }
}

/** When each day begins that meets a time from one to just before another. Ms. */
export function daysMeeting(from: number, to: number, zone: TimeZone): number[] {
  return daysFrom(startOfDay(from, zone), to, zone);
}

/** When each of the days that `ms` before a time touch begins, without that of the time itself. */
export function daysBefore(time: number, ms: number, zone: TimeZone): number[] {
  const today = startOfDay(time, zone);
  const days = daysFrom(startOfDay(time - ms, zone), today, zone).filter((day) => day < today);
  // The day of the start also has earlier events.
  return today < time ? [...days, today] : days;
}
