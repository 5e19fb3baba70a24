import type { Experiment } from "./experiment.ts";
import type { Status } from "./experiment-lifecycle.ts";

/** An experiment is stale this long after it ended. */
export const STALE_AFTER_MS = 30 * 24 * 60 * 60 * 1000;

/** The states of an ended experiment. Only archiving is left to do. */
export const ENDED_STATUSES: readonly Status[] = ["decision_made", "abandoned", "experiment_stopped"];

/** Whether it is stale, as the contract defines `isStale`. */
export function isStaleAt({ status, lastModifiedTime }: Experiment, now: number): boolean {
  return ENDED_STATUSES.includes(status) && now - lastModifiedTime >= STALE_AFTER_MS;
}

/** Makes a new version without changing the modifier or the time of modification, since no caller changed it. */
export function markStaleExperiment(experiment: Experiment): Experiment {
  return { ...experiment, isStale: true, version: experiment.version + 1 };
}

/** Any change ends staleness. */
export function withoutStaleness(before: Experiment, after: Experiment): Experiment {
  return before.isStale && after.isStale ? { ...after, isStale: false } : after;
}
