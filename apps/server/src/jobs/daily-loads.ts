import { systemContext } from "../bootstrap.ts";
import type { Experiment } from "../console/experiments/experiment.ts";
import { isRunning } from "../console/experiments/experiment-lifecycle.ts";
import { listUnloaded } from "../console/results/load-queue-store.ts";
import { dueOn, newLoad } from "../console/results/pulse-load.ts";
import { startOfDay } from "../results/day.ts";
import { reading } from "../store/unit-of-work.ts";
import type { Job, JobEnv } from "./jobs.ts";
import { writeAs } from "./write-as.ts";

type Due = Awaited<ReturnType<typeof listUnloaded>>[number];

/** An experiment that ended longer ago is not loaded any more. */
const RECENT_MS = 7 * 24 * 60 * 60 * 1_000;

/**
 * Loads the results of running experiments once a day, at the hour that they name, and of those that ended once more, unless somebody has
 * loaded them since.
 */
export const dailyLoads: Job = {
  name: "dailyLoads",
  intervalMs: 60_000,
  async run(env) {
    let after: Due | undefined;
    do {
      const now = env.now();
      const since = { today: startOfDay(now), recent: now - RECENT_MS };
      const batch: Due[] = await reading(env.database, (db) => listUnloaded(db, since, after));
      for (const one of batch) if (isDue(one.experiment, now)) await loadOne(env, one);
      after = batch.at(-1);
    } while (after);
  },
};

/** An experiment that ended is due at once. */
function isDue(experiment: Experiment, now: number): boolean {
  return !isRunning(experiment.status) || now >= (dueOn(experiment, now) ?? Number.POSITIVE_INFINITY);
}

/** A replica that comes second finds the load of the first. */
async function loadOne({ database, log, now }: JobEnv, { projectID, id }: Due): Promise<void> {
  const context = systemContext("loadDueResults", now(), projectID);
  await writeAs(database, context, async (stores) => {
    const experiment = await stores.experiments.find(id, { lock: true });
    if (!experiment || experiment.startTime === null) return;
    const since = isRunning(experiment.status) ? startOfDay(context.now) : (experiment.endTime ?? context.now);
    const [latest] = (await stores.results.listLoads(id, { skip: 0, take: 1 })).data;
    if (latest && (latest.finishedTime === null || latest.createdTime >= since)) return;
    // An incremental load would leave out what was computed on the day of the end.
    const refresh = isRunning(experiment.status) ? (experiment.scheduledReloadType ?? "full") : "full";
    const request = { refresh } as const;
    await stores.results.addLoad(newLoad(experiment, request, await stores.results.loadable(experiment, context.now), context));
  }).catch((err: unknown) =>
    log.warn({ err, projectID, experiment: id }, "The results of an experiment could not be loaded. It will be retried."),
  );
}
