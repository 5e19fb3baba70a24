import { systemContext } from "../bootstrap.ts";
import { isStaleAt, markStale, STALE_AFTER } from "../console/experiments/experiment-staleness.ts";
import { type Candidate, listStaleCandidates } from "../console/experiments/stale-experiment-store.ts";
import { createChangeLog } from "../store/change-log.ts";
import { reading, writing } from "../store/unit-of-work.ts";
import { createStores } from "../stores.ts";
import type { Job, Surroundings } from "./jobs.ts";

/** Finds the experiments that have ended and that nobody has looked after since. */
export const staleExperiments: Job = {
  name: "staleExperiments",
  every: 60 * 60 * 1_000,
  async run(surroundings) {
    const { database, now } = surroundings;
    let after: Candidate | undefined;
    do {
      const batch = await reading(database, (db) => listStaleCandidates(db, now() - STALE_AFTER, after));
      for (const candidate of batch) await settle(surroundings, candidate);
      after = batch.at(-1);
    } while (after);
  },
};

async function settle({ database, log, now }: Surroundings, { projectID, experiment }: Candidate): Promise<void> {
  if (!isStaleAt(experiment, now())) return;
  const context = systemContext("markStaleExperiments", now(), projectID);
  // An experiment that changes at the same time keeps its change: it is looked at again in the next run.
  await writing(database, (db) =>
    createStores({ db, context, log: createChangeLog(db, context) }).experiments.replace(experiment, markStale(experiment)),
  ).catch((err: unknown) =>
    log.warn({ err, projectID, experiment: experiment.id }, "An experiment could not be marked. It will be tried again."),
  );
}
