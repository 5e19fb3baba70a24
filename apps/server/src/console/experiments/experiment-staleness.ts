import type { Experiment } from "./experiment.ts";
import type { Status } from "./experiment-lifecycle.ts";

/** An experiment is stale this long after it ended. */
export const STALE_AFTER_MS = 30 * 24 * 60 * 60 * 1000;

/** The states of an ended experiment that is only left to be archived. */
export const ENDED_STATUSES: readonly Status[] = ["decision_made", "abandoned", "experiment_stopped"];

/** Whether it is stale, as `isStale` of the contract defines it. Its end is a change, too. */
export function isStaleAt({ status, lastModifiedTime }: Experiment, now: number): boolean {
  return ENDED_STATUSES.includes(status) && now - lastModifiedTime >= STALE_AFTER_MS;
}

/** A new version, but not a modification: only the server found something out. */
export function markStaleExperiment(experiment: Experiment): Experiment {
  return { ...experiment, isStale: true, version: experiment.version + 1 };
}

/** A change of any kind is a sign of life: a stale experiment that changes is stale no longer. */
export function withoutStaleness(before: Experiment, after: Experiment): Experiment {
  return before.isStale && after.isStale ? { ...after, isStale: false } : after;
}
