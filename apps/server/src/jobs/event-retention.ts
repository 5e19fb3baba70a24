import { DAY_MS, utcDay } from "../common/utc-day.ts";
import { deleteOrphanedAlertChecks } from "../console/alerts/alert-check-store.ts";
import { deleteOrphanedDays } from "../console/autotunes/autotune-day-store.ts";
import { deleteOrphanedProgress } from "../console/autotunes/autotune-progress-store.ts";
import { deleteOrphanedCheckExposures } from "../console/common/check-exposure-store.ts";
import { deleteOldConfigChecks } from "../console/dynamic-configs/dynamic-config-check-store.ts";
import { runningAnalyses } from "../console/events/analysis-store.ts";
import { deleteOldExperimentChecks } from "../console/experiments/experiment-check-store.ts";
import { deleteOrphanedExposures } from "../console/experiments/experiment-exposure-store.ts";
import { deleteOldChecks } from "../console/gates/gate-check-store.ts";
import { deleteOrphanedGuardrailChecks } from "../console/results/guardrail-store.ts";
import { deleteStatesBefore, deleteStatesOfOthers } from "../console/results/load-state-store.ts";
import { dropUnneededDays } from "../evaluation/events/clickhouse-days.ts";
import { dropPartitions, expiredDays, makePartitions } from "../evaluation/events/event-partition-store.ts";
import { keepEvents } from "../evaluation/events/kept-events.ts";
import { deleteSdkReportsBefore } from "../evaluation/sdk-reports/sdk-report-store.ts";
import type { Database } from "../store/database/database.ts";
import { writing } from "../store/database/unit-of-work.ts";
import type { Job } from "./jobs.ts";

/** States that no load has used for so long are deleted. */
const STATE_MS = 7 * DAY_MS;

/** Reports of SDKs are kept for so many days. */
const SDK_REPORT_DAYS = 30;

/** Checks are kept for at least this many days, since they decide whether a gate is stale. */
const MIN_CHECK_DAYS = 90;

/**
 * Creates the event partitions of the coming days, and deletes events and checks that are older than a number of days. Events that running
 * analyses need are kept: apart by the database, by ClickHouse in their days.
 */
export const eventRetention = (days: number): Job => ({
  name: "eventRetention",
  intervalMs: 10 * 60 * 1_000,
  async run({ database, log, now }) {
    const today = utcDay(now());
    const dropped = await (database.db.clickhouse
      ? dropUnneededDays(database, today - days, today)
      : dropOldPartitions(database, days, now()));
    if (dropped > 0) log.info({ days: dropped }, "Old events were dropped.");
    const oldestChecks = now() - Math.max(days, MIN_CHECK_DAYS) * DAY_MS;
    await deleteOldChecks(database.db, oldestChecks);
    await deleteOldConfigChecks(database.db, oldestChecks);
    await deleteOldExperimentChecks(database.db, oldestChecks);
    await deleteSdkReportsBefore(database.db, today - SDK_REPORT_DAYS);
    await deleteOrphanedProgress(database.db);
    await deleteOrphanedDays(database.db);
    await deleteOrphanedGuardrailChecks(database.db);
    await deleteOrphanedAlertChecks(database.db);
    await deleteOrphanedExposures(database.db);
    await deleteOrphanedCheckExposures(database.db);
    await writing(database, (db) => deleteStatesBefore(db, now() - STATE_MS));
  },
});

async function dropOldPartitions(database: Database, days: number, now: number): Promise<number> {
  const today = utcDay(now);
  await writing(database, (db) => makePartitions(db, [today, today + 1, today + 2]));
  const expired = await expiredDays(database.db, today - days);
  if (expired.length === 0) return 0;
  await keepEvents(database, expired, now);
  const running = await runningAnalyses(database.db);
  return writing(database, async (db) => {
    // Of these, no events are kept, and results have only what is stored.
    await deleteStatesOfOthers(db, running);
    return dropPartitions(db, today - days);
  });
}
