// Numbers and dates as charts and texts show them. Times are in the reader's zone unless a function says otherwise.
import { LOCALE } from "../ui/locale.ts";
import { formatNumber } from "../ui/number-text.ts";

/** A narrow no-break space: the number and its suffix stay on one line. */
const GAP = "\u202f";

const SUFFIXES = ["", "k", "M", "bn", "tn"];

const twoDecimals = (value: number): string => formatNumber(value, { maximumFractionDigits: 2 });

/** The whole number with its thousands separated, for tooltips and tables: 1,234,567. */
export const exact = (value: number): string => formatNumber(value, { maximumFractionDigits: 6 });

/** A number that fits an axis or a legend: 950, 1.2 k, 3.46 M. At most three significant digits from 1,000 on. */
export function compact(value: number): string {
  let rounded = Number(Math.abs(value).toPrecision(3));
  if (rounded < 1_000) return twoDecimals(value);
  let power = 0;
  while (rounded >= 1_000 && power < SUFFIXES.length - 1) {
    rounded /= 1_000;
    power += 1;
  }
  const digits =
    rounded < 1_000 ? formatNumber(rounded, { maximumSignificantDigits: 3 }) : formatNumber(rounded, { maximumFractionDigits: 6 });
  return `${value < 0 ? "−" : ""}${digits}${GAP}${SUFFIXES[power]}`;
}

/** A percentage of 0 to 100 with up to two decimals. Only exact values show as 0 or 100: otherwise <0.01%, >99.99%. */
export function percentage(percent: number): string {
  if (percent > 0 && percent < 0.005) return "<0.01%";
  if (percent < 100 && percent >= 99.995) return ">99.99%";
  return `${twoDecimals(percent)}%`;
}

/** A part of a whole as a percentage. A whole of 0 has no shares: an en dash. */
export const share = (part: number, whole: number): string => (whole === 0 ? "–" : percentage((part / whole) * 100));

const singular = (noun: string): string => (noun === "people" ? "person" : noun.replace(/ies$/, "y").replace(/s$/, ""));

/** The noun in the number that fits: 1 check, 2 checks. */
export const counted = (count: number, noun: string): string => `${exact(count)} ${count === 1 ? singular(noun) : noun}`;

/** A text with a capital at its start, as titles have it. */
export const titled = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** The reader's own zone, or one that a chart's data are in. */
export type Zone = "local" | "utc";

const formats = new Map<string, Intl.DateTimeFormat>();

function formatted(time: number, zone: Zone, options: Intl.DateTimeFormatOptions): string {
  const key = `${zone} ${JSON.stringify(options)}`;
  let format = formats.get(key);
  if (format === undefined) {
    format = new Intl.DateTimeFormat(LOCALE, { ...options, ...(zone === "utc" && { timeZone: "UTC" }) });
    formats.set(key, format);
  }
  return format.format(time);
}

const CLOCK = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;

/** 14:00 */
export const clock = (time: number, zone: Zone = "local"): string => formatted(time, zone, CLOCK);

/** Nov 21 */
export const day = (time: number, zone: Zone = "local"): string => formatted(time, zone, { day: "numeric", month: "short" });

/** Nov 21, 2025 */
export const date = (time: number, zone: Zone = "local"): string =>
  formatted(time, zone, { day: "numeric", month: "short", year: "numeric" });

/** Nov 2025 */
export const month = (time: number, zone: Zone = "local"): string => formatted(time, zone, { month: "short", year: "numeric" });

/** Nov 21, 2025, 14:00 CET: an unambiguous moment. */
export const moment = (time: number, zone: Zone = "local"): string =>
  formatted(time, zone, { day: "numeric", month: "short", year: "numeric", ...CLOCK, timeZoneName: "short" });

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
