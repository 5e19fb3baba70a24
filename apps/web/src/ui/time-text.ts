// Times, days and durations as every page writes them. No page writes them in another way (lint/texts.grit). Pure. Times are milliseconds
// since the epoch, in the reader's zone unless a function says otherwise.
import { LOCALE } from "./locale.ts";
import { formatNumber } from "./number-text.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The reader's own zone, or the one that data are in. */
export type Zone = "local" | "utc";

const formats = new Map<string, Intl.DateTimeFormat>();

/** @param zone a `Zone`, or a time zone's name such as Europe/Berlin. @throws RangeError if the browser doesn't know the zone */
function formatOf(zone: string, options: Intl.DateTimeFormatOptions, locale: string): Intl.DateTimeFormat {
  const key = `${locale} ${zone} ${JSON.stringify(options)}`;
  let format = formats.get(key);
  if (format === undefined) {
    format = new Intl.DateTimeFormat(locale, { ...options, ...(zone !== "local" && { timeZone: zone }) });
    formats.set(key, format);
  }
  return format;
}

const formatted = (time: number, zone: string, options: Intl.DateTimeFormatOptions, locale = LOCALE): string =>
  formatOf(zone, options, locale).format(time);

const CLOCK = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
const DATE = { day: "numeric", month: "short", year: "numeric" } as const;

/** 14:00. @param zone a `Zone`, or a time zone's name. @throws RangeError if the browser doesn't know the zone */
export const clock = (time: number, zone: string = "local"): string => formatted(time, zone, CLOCK);

/** Nov 21 */
export const day = (time: number, zone: Zone = "local"): string => formatted(time, zone, { day: "numeric", month: "short" });

/** Nov 21, 2025 */
export const date = (time: number, zone: Zone = "local"): string => formatted(time, zone, DATE);

/** Friday, Nov 21, 2025 */
export const longDate = (time: number): string => formatted(time, "local", { weekday: "long", ...DATE });

/** Nov 2025 */
export const month = (time: number, zone: Zone = "local"): string => formatted(time, zone, { month: "short", year: "numeric" });

/** Friday. @param timeZone its name, such as Europe/Berlin */
export const weekday = (time: number, timeZone: string): string => formatted(time, timeZone, { weekday: "long" });

/** Nov 21, 2025, 14:00 CET: an unambiguous moment. */
export const moment = (time: number, zone: Zone = "local"): string => formatted(time, zone, { ...DATE, ...CLOCK, timeZoneName: "short" });

/** Nov 21, 2025, 14:00:05 CET: to the second, where a record is read closely. */
export const exactTime = (time: number): string =>
  formatted(time, "local", { ...DATE, ...CLOCK, second: "2-digit", timeZoneName: "short" });

/** The time between two moments, with the date once where both are on it: Nov 21, 2025, 14:00–15:00 CET. */
export function span(start: number, end: number, zone: Zone = "local"): string {
  if (date(start, zone) !== date(end - 1, zone)) return `${moment(start, zone)} – ${moment(end, zone)}`;
  const zoneName = moment(end, zone).slice(`${date(end, zone)}, ${clock(end, zone)}`.length);
  const endClock = date(start, zone) === date(end, zone) ? clock(end, zone) : "24:00";
  return `${date(start, zone)}, ${clock(start, zone)}–${endClock}${zoneName}`;
}

/**
 * Days, including the last one: Nov 21, 2025 (UTC), Nov 21 – Nov 24, 2025 (UTC).
 * @param start in UTC in every zone, as `Date.parse` reads a date
 */
export function namedDays(start: number, end: number, timeZone = "UTC"): string {
  const last = date(end - 1, "utc");
  if (date(start, "utc") === last) return `${last} (${timeZone})`;
  const isSameYear = new Date(start).getUTCFullYear() === new Date(end - 1).getUTCFullYear();
  return `${isSameYear ? day(start, "utc") : date(start, "utc")} – ${last} (${timeZone})`;
}

/** Older times are dates. */
const MAX_RELATIVE_MS = 30 * DAY_MS;

const RELATIVE_UNITS = [
  ["day", DAY_MS],
  ["hour", HOUR_MS],
  ["minute", MINUTE_MS],
] as const;

/** `3 hours ago`, `in 2 days`, or a date when it is more than 30 days away. */
export function relativeTime(time: number, now: number): string {
  const difference = time - now;
  const distance = Math.abs(difference);
  if (distance < MINUTE_MS) return difference > 0 ? "in a moment" : "just now";
  if (distance > MAX_RELATIVE_MS) return date(time);
  const [unit, length] = RELATIVE_UNITS.find(([, ms]) => distance >= ms) ?? ["minute", MINUTE_MS];
  return new Intl.RelativeTimeFormat(LOCALE, { numeric: "auto" }).format(Math.trunc(difference / length), unit);
}

/** The units of a duration, the largest first. */
export const DURATION_UNITS = [
  { name: "day", ms: DAY_MS },
  { name: "hour", ms: HOUR_MS },
  { name: "minute", ms: MINUTE_MS },
  { name: "second", ms: 1_000 },
  { name: "millisecond", ms: 1 },
] as const;

const LAST = DURATION_UNITS[4];

/** The largest unit that gives a whole number. @param ms at least 0 */
export const unitOf = (ms: number): (typeof DURATION_UNITS)[number] => DURATION_UNITS.find((one) => ms % one.ms === 0) ?? LAST;

/** `5 minutes`: in the largest unit that gives a whole number. */
export function durationInWords(ms: number): string {
  const unit = unitOf(ms);
  return counted(ms / unit.ms, unit.name);
}

/** `3 hours`: rounded down to whole days, hours or minutes. For measured durations; chosen ones are exact. */
export function roughDuration(ms: number): string {
  const unit = DURATION_UNITS.find((one) => ms >= one.ms && one.ms >= MINUTE_MS);
  return unit === undefined ? "less than a minute" : counted(Math.floor(ms / unit.ms), unit.name);
}

const counted = (count: number, unit: string): string => `${formatNumber(count)} ${unit}${count === 1 ? "" : "s"}`;

/** 2025-11-21: the day that a time is on in a zone such as Europe/Berlin. @throws RangeError if the browser doesn't know the zone */
export const dayInZone = (time: number, timeZone: string): string => formatted(time, timeZone, { dateStyle: "short" }, "en-CA");

/** GMT+1: the reader's time zone at a time, which its summer time changes. */
export function zoneName(time: number): string {
  const parts = formatOf("local", { timeZoneName: "short" }, LOCALE).formatToParts(time);
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
}
