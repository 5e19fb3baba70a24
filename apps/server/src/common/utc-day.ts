export const HOUR_MS = 60 * 60 * 1000;
export const DAY_MS = 24 * HOUR_MS;
/** A quarter of an hour: time zones differ by at least this. */
export const QUARTER_MS = HOUR_MS / 4;

/** The number of days in UTC from the epoch to a time, ms. */
export function utcDay(time: number): number {
  return Math.floor(time / DAY_MS);
}
