/** ms */
export const DAY_MS = 24 * 60 * 60 * 1000;

/** The day of a time in ms, in UTC, counted from the epoch. */
export function dayOf(time: number): number {
  return Math.floor(time / DAY_MS);
}
