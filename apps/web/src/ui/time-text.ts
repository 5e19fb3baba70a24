const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Older times are dates. */
const MAX_RELATIVE_MS = 30 * DAY_MS;

const UNITS = [
  ["day", DAY_MS],
  ["hour", HOUR_MS],
  ["minute", MINUTE_MS],
] as const;

/** `3 hours ago`, `in 2 days`, or a date when it is more than 30 days away. Times in milliseconds since the epoch. */
export function relativeTime(time: number, now: number, locale?: string): string {
  const difference = time - now;
  const distance = Math.abs(difference);
  if (distance < MINUTE_MS) return difference > 0 ? "in a moment" : "just now";
  if (distance > MAX_RELATIVE_MS) return new Intl.DateTimeFormat(locale, { dateStyle: "medium" }).format(time);
  const [unit, length] = UNITS.find(([, ms]) => distance >= ms) ?? ["minute", MINUTE_MS];
  return new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(Math.trunc(difference / length), unit);
}

const EXACT = {
  ...({ day: "numeric", month: "short", year: "numeric" } as const),
  ...({ hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23", timeZoneName: "short" } as const),
};

/** The date and time to the second, with the reader's zone. */
export function exactTime(time: number, locale?: string): string {
  return new Intl.DateTimeFormat(locale, EXACT).format(time);
}

/** A time as fields with a date and a time have it, in the reader's zone. @param time milliseconds since the epoch */
export function localInput(time: number): string {
  const date = new Date(time);
  return new Date(time - date.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16);
}

/** The reader's time zone at a time, which its summer time changes: GMT+1. @param time milliseconds since the epoch */
export function zoneName(time: number, locale?: string): string {
  const parts = new Intl.DateTimeFormat(locale, { timeZoneName: "short" }).formatToParts(time);
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
}
