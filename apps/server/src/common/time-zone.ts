import { DAY_MS } from "./utc-day.ts";

declare const brand: unique symbol;

/** The name of a time zone by IANA that exists. Code that cuts days requires one, so that it never uses UTC by accident. */
export type TimeZone = string & { readonly [brand]: "TimeZone" };

export const UTC = "UTC" as TimeZone;

/** No clock was ever farther from UTC. */
const MAX_OFFSET_MS = 16 * 60 * 60 * 1000;
/** Names of IANA begin with a letter, unlike offsets such as `+02:00`. */
const NAME = /^[A-Za-z][A-Za-z0-9_+/-]*$/;

/** The zone of a name; undefined if it does not exist. */
export function toTimeZone(name: string): TimeZone | undefined {
  if (!NAME.test(name)) return undefined;
  try {
    getClock(name as TimeZone);
    return name as TimeZone;
  } catch {
    return undefined;
  }
}

const clocks = new Map<string, Intl.DateTimeFormat>();
/** There are about 600 names, each in capital letters or small ones. */
const MAX_CLOCKS = 1_000;

/** @throws RangeError if the zone does not exist */
function getClock(zone: TimeZone): Intl.DateTimeFormat {
  let clock = clocks.get(zone);
  if (!clock) {
    const digits = { month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", second: "2-digit" } as const;
    clock = new Intl.DateTimeFormat("en-US", { timeZone: zone, hourCycle: "h23", era: "short", year: "numeric", ...digits });
    if (clocks.size >= MAX_CLOCKS) clocks.clear();
    clocks.set(zone, clock);
  }
  return clock;
}

/** The reading of a zone's clocks at a time, as the ms when clocks of UTC show the same. */
export function shownAt(time: number, zone: TimeZone): number {
  if (zone === UTC) return time;
  const parts = Object.fromEntries(
    getClock(zone)
      .formatToParts(time)
      .map(({ type, value }) => [type, value]),
  );
  const year = parts.era === "BC" ? 1 - Number(parts.year) : Number(parts.year);
  const day = daysTo(year, Number(parts.month), Number(parts.day));
  const seconds = (Number(parts.hour) * 60 + Number(parts.minute)) * 60 + Number(parts.second);
  return day * DAY_MS + seconds * 1_000 + (((time % 1_000) + 1_000) % 1_000);
}

/** The days from 1970-01-01 to a date of the Gregorian calendar. */
export function daysTo(year: number, month: number, day: number): number {
  // Counted in years that begin in March, so that a leap day comes last.
  const years = month > 2 ? year : year - 1;
  const leapDays = Math.floor(years / 4) - Math.floor(years / 100) + Math.floor(years / 400);
  return years * 365 + leapDays + Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 719_469;
}

const offsetAt = (time: number, zone: TimeZone) => shownAt(time, zone) - time;

/** The number of the day that clocks show at a time, counted from 1970-01-01. */
export function toLocalDay(time: number, zone: TimeZone): number {
  return Math.floor(shownAt(time, zone) / DAY_MS);
}

const starts = new Map<string, number>();
const MAX_STARTS = 20_000;

/** When clocks first show the beginning of a day or a later time, ms. @param day counted from 1970-01-01 */
export function startOfLocalDay(day: number, zone: TimeZone): number {
  if (zone === UTC) return day * DAY_MS;
  const key = `${day} ${zone}`;
  let start = starts.get(key);
  if (start === undefined) {
    if (starts.size >= MAX_STARTS) starts.clear();
    start = firstShown(day * DAY_MS, zone);
    starts.set(key, start);
  }
  return start;
}

/** When clocks first show a time or a later one, ms. @param shown the ms at which clocks of UTC show it */
export function firstShown(shown: number, zone: TimeZone): number {
  let from = shown - MAX_OFFSET_MS;
  for (;;) {
    const offset = offsetAt(from, zone);
    const found = shown - offset;
    if (offsetAt(found, zone) === offset) return found;
    const change = changeBetween(from, found, zone);
    if (change + offsetAt(change, zone) >= shown) return change;
    from = change;
  }
}

/** When clocks are changed between two times at which they differ from UTC by different times. */
function changeBetween(before: number, after: number, zone: TimeZone): number {
  const offset = offsetAt(before, zone);
  let [low, high] = [before, after];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle, zone) === offset) low = middle;
    else high = middle;
  }
  return high;
}
