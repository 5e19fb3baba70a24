// Requests for rollouts in progress, which routes need before their pages. Pure.

/** The end of the year 9999, the latest time of a step. In ms since the epoch. */
const EVER = 253_402_300_799_999;

/** The request for gates or dynamic configs with a step to come. */
export const stepping = (limit: number) => ({ query: { nextRolloutBefore: EVER, limit } });
/** The request for gates whose rollouts are paused. */
export const paused = (limit: number) => ({ query: { isPaused: true, limit } });
