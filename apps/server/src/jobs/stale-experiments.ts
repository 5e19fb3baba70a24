import { isStaleAt, markStaleExperiment, STALE_AFTER_MS } from "../console/experiments/experiment-staleness.ts";
import { type Candidate, listStaleCandidates } from "../console/experiments/stale-experiment-store.ts";
import type { Job } from "./jobs.ts";
import { markStale } from "./mark-stale.ts";

/** Marks experiments as stale that ended and have not been changed since. */
export const staleExperiments: Job = {
  name: "staleExperiments",
  intervalMs: 60 * 60 * 1_000,
  run(env) {
    const { now } = env;
    return markStale<Candidate>(env, {
      operationID: "markStaleExperiments",
      list: (db, after) => listStaleCandidates(db, now() - STALE_AFTER_MS, after),
      isWrong: ({ experiment }) => isStaleAt(experiment, now()),
      mark: ({ experiments }, { experiment }) => experiments.replace(experiment, markStaleExperiment(experiment)),
    });
  },
};
