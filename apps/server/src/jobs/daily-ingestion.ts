import type { PermittedContext } from "../common/context.ts";
import { hourOfDay, startOfDay } from "../common/local-day.ts";
import { systemContext } from "../common/system-context.ts";
import type { TimeZone } from "../common/time-zone.ts";
import { utcDay } from "../common/utc-day.ts";
import { MOST_SOURCES, newRun } from "../console/ingestion/ingestion-run.ts";
import { listScheduled, type Scheduled } from "../console/ingestion/run-queue-store.ts";
import { NEW_SCHEDULES } from "../console/ingestion-schedule/ingestion-schedule.ts";
import type { Stores } from "../console/stores.ts";
import { eachBatch } from "./each-batch.ts";
import type { Job } from "./jobs.ts";
import { writeAs } from "./write-as.ts";

/** Existing clients set hours of this zone. */
const ZONE = "America/Los_Angeles" as TimeZone;

/** Adds the runs of the schedule: once a day, for every dataset with enabled sources. */
export const dailyIngestion: Job = {
  name: "dailyIngestion",
  intervalMs: 60_000,
  async run(env) {
    const { database, log, now } = env;
    for await (const { projectID, dataset, hour, latest } of eachBatch(env, listScheduled)) {
      if (!isDue(hour ?? NEW_SCHEDULES.hours[dataset], latest ?? undefined, now())) continue;
      const context = systemContext("addIngestionRuns", now(), projectID);
      await writeAs(database, context, (stores) => addRuns(dataset, stores, context)).catch((err: unknown) =>
        log.warn({ err, projectID, dataset }, "A run of ingestion that is due could not be added. It will be retried."),
      );
    }
  },
};

/** Whether the hour has come on this day, on which no run was added yet. An hour that clocks skip is over when they do. */
function isDue(hour: number, latest: number | undefined, now: number): boolean {
  return now >= hourOfDay(now, hour, ZONE) && (latest === undefined || latest < startOfDay(now, ZONE));
}

/** A replica that comes second finds the runs of the first. */
async function addRuns(dataset: Scheduled["dataset"], stores: Stores, context: PermittedContext): Promise<void> {
  const { ingestion, ingestionSchedules } = stores;
  await ingestion.runs.lock();
  const [{ hours }, latest] = await Promise.all([ingestionSchedules.get(), ingestion.runs.latestScheduled(dataset)]);
  if (!isDue(hours[dataset], latest?.createdTime, context.now) || latest?.isFinished === false) return;
  const sources = await ingestion.listEnabledNames(dataset);
  for (let index = 0; index < sources.length; index += MOST_SOURCES) {
    const some = sources.slice(index, index + MOST_SOURCES);
    await ingestion.runs.add(newRun({ dataset, trigger: "schedule", sources: some, days: [utcDay(context.now) - 1] }, context));
  }
}
