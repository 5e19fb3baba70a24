import { utcDay } from "../../common/utc-day.ts";
import type { RunningAnalysis } from "../../console/events/analyses.ts";
import { runningAnalyses } from "../../console/events/analysis-store.ts";
import { inPlace } from "../../results/sql/clickhouse-tables.ts";
import { DAYS_BEFORE_EXPOSURE } from "../../results/sql/compared-units.ts";
import { eventReader } from "../../store/database/ask.ts";
import type { Database } from "../../store/database/database.ts";
import { type Db, repeating } from "../../store/database/unit-of-work.ts";
import { MAX_KEPT_DAYS } from "./kept-events.ts";

/**
 * Drops the days of arrival before a day that running analyses no longer need. Days of all projects are kept since the first one that an
 * analysis needs, but at most for MAX_KEPT_DAYS. If it is interrupted, calling it again completes it.
 * @returns the number of dropped days
 */
export async function dropUnneededDays(database: Database, before: number, today: number): Promise<number> {
  const { db } = database;
  for (const day of await daysBefore(db, "kept_event", today - MAX_KEPT_DAYS)) await dropDay(db, "kept_event", day);
  const expired = await daysBefore(db, "event", before);
  if (expired.length === 0) return 0;
  const needed = Math.min(before, ...(await neededDays(db)));
  const dropped = expired.filter((day) => day < Math.max(needed, today - MAX_KEPT_DAYS));
  for (const day of dropped) {
    // The partition comes last: as long as it is there, an interrupted run is repeated.
    await db.clickhouse?.insert("dropped_event_day", JSON.stringify({ day }), `dropped ${day}`);
    await repeating(database, (own) => own.$executeRaw`delete from event_count where "day" = ${day}`);
    await dropDay(db, "event", day);
  }
  return dropped.length;
}

async function dropDay({ clickhouse }: Db, table: "event" | "kept_event", day: number): Promise<void> {
  await clickhouse?.command(`alter table ${inPlace(table, clickhouse.cluster)} drop partition ${day}`);
}

async function daysBefore(db: Db, table: "event" | "kept_event", before: number): Promise<number[]> {
  const rows = await eventReader(db).read<{ day: number }>(
    () => `select distinct toInt32(_partition_id) as "day" from ${table} order by "day"`,
  );
  return rows.map(({ day }) => day).filter((day) => day < before);
}

/** The first day that each running analysis needs. Exposures before its entity was made come from clocks that are wrong. */
async function neededDays(db: Db): Promise<number[]> {
  const days: number[] = [];
  for (const analysis of await runningAnalyses(db)) {
    const first = await firstExposure(db, analysis);
    if (first !== undefined) days.push(utcDay(first) - DAYS_BEFORE_EXPOSURE);
  }
  return days;
}

async function firstExposure(db: Db, { projectID, type, id, createdTime }: RunningAnalysis): Promise<number | undefined> {
  const [row] = await eventReader(db).read<{ first: number | null }>((bind) => {
    const exposures =
      type === "experiment"
        ? `experiment_exposure where "experimentID" = ${bind.text(id)}`
        : `check_exposure where "entityType" = ${bind.text(type)} and "entityID" = ${bind.text(id)}`;
    return `select minOrNull("firstTime") as first from ${exposures}
      and "projectID" = ${bind.text(projectID)} and "firstTime" >= ${bind.integer(createdTime)}`;
  });
  return row?.first ?? undefined;
}
