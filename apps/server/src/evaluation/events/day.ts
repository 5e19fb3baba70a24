export const DAY_MS = 24 * 60 * 60 * 1000;
/** A quarter of an hour: by how much time zones differ at least. */
export const QUARTER_MS = 15 * 60 * 1000;

/** The number of days in UTC from the epoch to a time, ms. */
export function dayOf(time: number): number {
  return Math.floor(time / DAY_MS);
}
