import { systemContext } from "../bootstrap.ts";
import { isRunning } from "../console/experiments/experiment-lifecycle.ts";
import { listUnloaded } from "../console/results/load-queue-store.ts";
import { dueOn, newLoad } from "../console/results/pulse-load.ts";
import { startOfDay } from "../results/day.ts";
import { reading } from "../store/unit-of-work.ts";
import type { Job, JobEnv } from "./jobs.ts";
import { writeAs } from "./write-as.ts";

type Due = Awaited<ReturnType<typeof listUnloaded>>[number];

/** Loads the results of running experiments once a day, at the hour that they name, unless somebody has loaded them since. */
export const dailyLoads: Job = {
  name: "dailyLoads",
  intervalMs: 60_000,
  async run(env) {
    let after: Due | undefined;
    do {
      const now = env.now();
      const batch: Due[] = await reading(env.database, (db) => listUnloaded(db, startOfDay(now), after));
      for (const one of batch) if (now >= (dueOn(one.experiment, now) ?? Number.POSITIVE_INFINITY)) await loadOne(env, one);
      after = batch.at(-1);
    } while (after);
  },
};

/** A replica that comes second finds the load of the first. */
async function loadOne({ database, log, now }: JobEnv, { projectID, id }: Due): Promise<void> {
  const context = systemContext("loadDueResults", now(), projectID);
  await writeAs(database, context, async (stores) => {
    const experiment = await stores.experiments.find(id, { lock: true });
    if (!experiment || !isRunning(experiment.status)) return;
    const [latest] = (await stores.results.listLoads(id, { skip: 0, take: 1 })).data;
    if (latest && (latest.finishedTime === null || latest.createdTime >= startOfDay(context.now))) return;
    const request = { refresh: experiment.scheduledReloadType ?? "full" } as const;
    await stores.results.addLoad(newLoad(experiment, request, await stores.results.loadable(experiment, context.now), context));
  }).catch((err: unknown) =>
    log.warn({ err, projectID, experiment: id }, "The results of an experiment could not be loaded. It will be retried."),
  );
}
