import { paused, stepping } from "../../targeting/rollout-requests.ts";

/** The most gates, and the most dynamic configs, that the page lists. */
export const MAX_LISTED = 1_000;

/** The page's requests. The loader uses them as well. */
export const STEPPING = stepping(MAX_LISTED);
export const PAUSED = paused(MAX_LISTED);
