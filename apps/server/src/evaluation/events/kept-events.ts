import { randomUUID } from "node:crypto";
import { utcDay } from "../../common/utc-day.ts";
import { runningAnalyses } from "../../console/events/analysis-store.ts";
import type { Database } from "../../store/database/database.ts";
import { type Db, repeating } from "../../store/database/unit-of-work.ts";
import { addUnits, copyKept, deleteKeptBefore, deleteUnneeded, endRun, projectsWithKeptEvents } from "./kept-event-store.ts";

/** No event is kept longer, in days from its arrival. */
export const MAX_KEPT_DAYS = 400;

/**
 * Copies the events of expired days that analyses still need, and deletes unneeded kept ones. Call it before the days are dropped. It
 * consists of short statements. If it is interrupted, or runs twice at once, calling it again completes it.
 * @param now ms since the epoch
 */
export async function keepEvents(database: Database, expiredDays: readonly number[], now: number): Promise<void> {
  const run = `${now}-${randomUUID()}`;
  const step = <T>(act: (db: Db) => Promise<T>) => repeating(database, act);
  const oldest = utcDay(now) - MAX_KEPT_DAYS;
  try {
    const analyses = await runningAnalyses(database.db);
    for (const analysis of analyses) await step((db) => addUnits(db, run, analysis));
    for (const projectID of new Set(analyses.map((analysis) => analysis.projectID))) {
      for (const day of expiredDays) if (day >= oldest) await copyKept(database, run, projectID, day);
    }
    for (const projectID of await step(projectsWithKeptEvents)) await step((db) => deleteUnneeded(db, run, projectID));
    await step((db) => deleteKeptBefore(db, oldest));
  } finally {
    await step((db) => endRun(db, run, now));
  }
}
