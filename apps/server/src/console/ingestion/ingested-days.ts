import { invalid } from "../../common/errors.ts";
import { startOfDate, toDate } from "../../common/local-day.ts";
import { UTC } from "../../common/time-zone.ts";
import { DAY_MS, utcDay } from "../../common/utc-day.ts";

/** The most days of one request. */
const MOST_DAYS = 31;

/** Days of UTC, counted from the epoch, with both of them. */
export type Days = { from: number; to: number };

/** A day as `2025-11-22`. */
export function dateOfDay(day: number): string {
  return toDate(day * DAY_MS, UTC);
}

/** @param names the properties of the dates @throws AppError invalid_request if they are in the wrong order or too many */
export function requireDays(start: string, end: string, names: { start: string; end: string }): Days {
  const [from, to] = [start, end].map((date) => utcDay(startOfDate(date, UTC))) as [number, number];
  const refuse = (errorMessage: string) => invalid([{ property: names.end, errorMessage }]);
  if (to < from) throw refuse(`must not be before ${names.start}`);
  if (to - from >= MOST_DAYS) throw refuse(`must be at most ${MOST_DAYS - 1} days after ${names.start}`);
  return { from, to };
}

/** A time as `2025-11-22T09:30:00.000Z`. @param time ms */
export function formatTimestamp(time: number): string {
  const ms = time % DAY_MS;
  const part = (unitMs: number, units: number, digits = 2) => String(Math.floor(ms / unitMs) % units).padStart(digits, "0");
  return `${toDate(time, UTC)}T${part(3_600_000, 24)}:${part(60_000, 60)}:${part(1_000, 60)}.${part(1, 1_000, 3)}Z`;
}
