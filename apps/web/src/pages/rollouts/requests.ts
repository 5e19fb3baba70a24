import type { Request } from "../../api.ts";

/** The most gates, and the most dynamic configs, that the page lists. */
export const MAX_LISTED = 1_000;

/** The end of the year 9999, the latest time of a step. In ms since the epoch. */
const EVER = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** The page's requests. The loader uses them as well. */
export const STEPPING = { query: { nextRolloutBefore: EVER, limit: MAX_LISTED } };
export const PAUSED: Request<"listGates"> = { query: { isPaused: true, limit: MAX_LISTED } };
