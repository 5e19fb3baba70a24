import type { Experiment } from "./experiment.ts";
import type { Status } from "./experiment-lifecycle.ts";

/** An experiment is stale this long after it ended. */
export const STALE_AFTER_MS = 30 * 24 * 60 * 60 * 1000;

/** The states of an ended experiment. Only archiving is left to do. */
export const ENDED_STATUSES: readonly Status[] = ["decision_made", "abandoned", "experiment_stopped"];

/** The experiment as versions store it. Staleness follows from its state and the time of its last change, so responses add it. */
export const withoutStaleness = (experiment: Experiment): Experiment =>
  experiment.isStale ? { ...experiment, isStale: false } : experiment;
