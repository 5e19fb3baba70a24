/** How long checks are counted together, ms. */
export const HOUR = 60 * 60 * 1000;
