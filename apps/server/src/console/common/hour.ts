/** How long checks are counted together, ms. */
export const HOUR_MS = 60 * 60 * 1000;
