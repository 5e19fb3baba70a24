// Requests for rollouts in progress, which routes need before their pages. Pure.

/** The most gates, and the most dynamic configs, that are listed. */
export const MAX_LISTED = 1_000;

/** The end of the year 9999, the latest time of a step. In ms since the epoch. */
const EVER = 253_402_300_799_999;

/** Gates or dynamic configs with a step to come. */
export const STEPPING = { query: { nextRolloutBefore: EVER, limit: MAX_LISTED } };
/** Gates whose rollouts are paused. */
export const PAUSED = { query: { isPaused: true, limit: MAX_LISTED } };
