import { Prisma } from "../../generated/prisma/client.ts";
import type { Db } from "../../store/database/unit-of-work.ts";
import type { Dataset } from "./ingestion-input.ts";
import { followedBy, type IngestionRun, type RunDay, type RunStatus } from "./ingestion-run.ts";
import { insertDays, listDays, RUN_COLUMNS, type RunRow, toRun } from "./run-store.ts";

/** A run that a replica executes. */
export type ClaimedRun = IngestionRun & { projectID: string; runner: string };

type Lease = { runner: string; now: number; leaseMs: number };

/**
 * Takes a run of the project whose runs were executed longest ago, or one whose replica has not renewed its lease. Only the oldest
 * unfinished run of a project can be taken, so that a project has one at a time. Undefined if none waits.
 */
export async function claimRun(db: Db, { runner, now, leaseMs }: Lease): Promise<ClaimedRun | undefined> {
  const [row] = await db.$queryRaw<(RunRow & { projectID: string })[]>`
    update ingestion_run set runner = ${runner}, "leasedUntil" = ${now + leaseMs} where ("projectID", id) = (
      select "projectID", id from ingestion_run as waiting where "finishedTime" is null and "leasedUntil" < ${now}
        and exists (select from project where project.id = waiting."projectID" and "deletedTime" is null)
        and not exists (
          select from ingestion_run as earlier where earlier."projectID" = waiting."projectID" and earlier."finishedTime" is null
            and earlier."createdTime" < waiting."createdTime"
        )
      order by (select max("leasedUntil") from ingestion_run as own where own."projectID" = waiting."projectID"), "createdTime", "projectID"
      limit 1 for update of waiting skip locked
    ) returning "projectID", ${RUN_COLUMNS}`;
  if (!row) return undefined;
  const { projectID, ...rest } = row;
  return { ...toRun(rest, await listDays(db, projectID, [rest.id])), projectID, runner };
}

const isOurs = ({ projectID, id, runner }: ClaimedRun) =>
  Prisma.sql`"projectID" = ${projectID} and id = ${id} and runner = ${runner} and "finishedTime" is null`;

/** @returns whether the run is still to be executed by its replica */
export async function renewRunLease(db: Db, run: ClaimedRun, leasedUntil: number): Promise<boolean> {
  return (await db.$executeRaw`update ingestion_run set "leasedUntil" = ${leasedUntil} where ${isOurs(run)}`) > 0;
}

/** Lets any replica take the run. */
export async function releaseRun(db: Db, run: ClaimedRun): Promise<void> {
  await db.$executeRaw`update ingestion_run set "leasedUntil" = 0 where ${isOurs(run)}`;
}

/** Stores the status of a run. One that is neither queued nor running is its last. @returns whether the run is still its replica's */
export async function saveRunStatus(db: Db, run: ClaimedRun, status: RunStatus, now: number): Promise<boolean> {
  const history = followedBy(run.history, status, now);
  const finishedTime = status === "queued" || status === "running" ? null : now;
  const written = await db.$executeRaw`
    update ingestion_run set history = ${JSON.stringify(history)}, "updatedTime" = ${now}, "finishedTime" = ${finishedTime} where ${isOurs(run)}`;
  return written > 0;
}

/** Adds the days that a run of the schedule found. @returns whether the run is still its replica's */
export async function savePlan(db: Db, run: ClaimedRun, days: readonly RunDay[], now: number): Promise<boolean> {
  const written = await db.$executeRaw`
    update ingestion_run set "isPlanned" = true, "updatedTime" = ${now} where ${isOurs(run)}`;
  if (written > 0) await insertDays(db, run, days);
  return written > 0;
}

/** Stores a run's outcome for a day. @returns whether the run is still its replica's */
export async function saveRunDay(db: Db, run: ClaimedRun, { source, day, history, ...found }: RunDay, now: number): Promise<boolean> {
  const { rows, copied, refused, message } = found;
  const written = await db.$executeRaw`
    with ours as (update ingestion_run set "updatedTime" = ${now} where ${isOurs(run)} returning id)
    update ingestion_run_day set history = ${JSON.stringify(history)}, rows = ${rows}, copied = ${copied}, refused = ${refused},
      message = ${message}
    from ours where "projectID" = ${run.projectID} and "runID" = ours.id and source = ${source} and day = ${day}`;
  return written > 0;
}

/** Deletes runs that finished before a time, ms. Their rows stay. */
export async function deleteOldRuns(db: Db, before: number): Promise<void> {
  await db.$executeRaw`
    with old as (delete from ingestion_run where "finishedTime" < ${before} returning "projectID", id)
    delete from ingestion_run_day using old where ingestion_run_day."projectID" = old."projectID" and "runID" = old.id`;
}

/** A dataset of a project that has enabled sources. Its hour, and the time of its schedule's newest run, ms, may be missing (null). */
export type Scheduled = { projectID: string; dataset: Dataset; hour: number | null; latest: number | null };

/** The datasets of all projects that have enabled sources. The next ones after `after`. */
export async function listScheduled(db: Db, after: Scheduled | undefined): Promise<Scheduled[]> {
  return db.$queryRaw<Scheduled[]>`
    select "projectID", dataset, (
      select (entity::json -> 'hours' ->> dataset)::int from ingestion_schedule where ingestion_schedule."projectID" = with_sources."projectID"
    ) as hour, (
      select max("createdTime")::float8 from ingestion_run
      where ingestion_run."projectID" = with_sources."projectID" and ingestion_run.dataset = with_sources.dataset and trigger = 'schedule'
    ) as latest
    from (select distinct "projectID", dataset from ingestion_source where "isEnabled") as with_sources
    where ("projectID", dataset) > (${after?.projectID ?? ""}, ${after?.dataset ?? ""})
      and exists (select from project where project.id = with_sources."projectID" and "deletedTime" is null)
    order by "projectID", dataset limit 100`;
}
