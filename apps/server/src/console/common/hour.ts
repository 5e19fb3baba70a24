/** Checks are counted per hour. */
export const HOUR_MS = 60 * 60 * 1000;
