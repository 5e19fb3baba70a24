import { DAY_MS } from "../../common/utc-day.ts";
import type { RunningAnalysis } from "../../console/events/analyses.ts";
import { KEPT_EVENTS } from "../../console/events/kept-events-lock.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import { comparedUnits, DAYS_BEFORE_EXPOSURE, isChosen } from "../../results/sql/compared-units.ts";
import { postgres } from "../../results/sql/dialect.ts";
import type { Database } from "../../store/database/database.ts";
import { lock } from "../../store/database/locks.ts";
import { type Db, writing } from "../../store/database/unit-of-work.ts";

/** The events about which one statement decides. */
const BATCH_SIZE = 5_000;
/** Rows of a run that was interrupted are deleted after this time, ms. */
const MAX_RUN_MS = DAY_MS;

/** A run of the retention. Replicas that run at the same time have their own. */
export type Run = string;

type Place = { name: string; time: bigint; id: bigint; day: number };

const START: Place = { name: "", time: -1n, id: -1n, day: -1 };

/** Adds the units of an analysis whose events are kept. */
export async function addUnits(db: Db, run: Run, { projectID, idType, createdTime: _, ...analysis }: RunningAnalysis): Promise<void> {
  await db.$executeRaw`
    insert into kept_unit as kept ("projectID", "run", "idType", "unitID", "fromTime")
    select ${projectID}, ${run}, ${idType.toLowerCase()}, "unitID", min("firstTime") - ${DAYS_BEFORE_EXPOSURE * DAY_MS}::bigint
    from ${exposedUnits(projectID, analysis)} group by "unitID" order by "unitID"
    on conflict ("projectID", "run", "idType", "unitID") do update set "fromTime" = least(kept."fromTime", excluded."fromTime")`;
}

type Omitted<A> = A extends RunningAnalysis ? Omit<A, "projectID" | "idType" | "createdTime"> : never;

function exposedUnits(projectID: string, analysis: Omitted<RunningAnalysis>): Prisma.Sql {
  if (analysis.type === "experiment")
    return Prisma.sql`experiment_exposure where "projectID" = ${projectID} and "experimentID" = ${analysis.id}`;
  const { type, id, ruleID, passPercentage } = analysis;
  const { smallerPasses, shareOfOthers } = comparedUnits(passPercentage);
  const isOfShare = Prisma.raw(isChosen(`"entityType" || ' ' || "entityID" || ' '`, `"unitID"`, shareOfOthers, postgres));
  return Prisma.sql`check_exposure
    where "projectID" = ${projectID} and "entityType" = ${type} and "entityID" = ${id}
      ${ruleID === null ? Prisma.empty : Prisma.sql`and "ruleID" = ${ruleID}`}
      and ("passed" = ${smallerPasses} or ${isOfShare})`;
}

/** Whether one of an event's units is kept. */
function isKept(run: Run): Prisma.Sql {
  return Prisma.sql`(
    exists (
      select from kept_unit as unit where unit."projectID" = batch."projectID" and unit."run" = ${run} and unit."idType" = 'userid'
        and unit."unitID" = batch."userID" and unit."fromTime" <= batch."time")
    or exists (
      select from json_each_text(batch."customIDs"::json) as own
      join kept_unit as unit on unit."projectID" = batch."projectID" and unit."run" = ${run} and unit."idType" = lower(own.key)
        and unit."unitID" = own.value and unit."fromTime" <= batch."time"))`;
}

const COLUMNS = Prisma.raw(
  [
    ...["projectID", "name", "time", "id", "day", "source", "userID", "customIDs", "value", "environment", "exposed", "ruleID"],
    ...["metadata", "userFields", "secondaryExposures"],
  ]
    .map((column) => `"${column}"`)
    .join(),
);

/** Copies the events of a project and a day that are kept. Copying again has no effect. */
export async function copyKept(database: Database, run: Run, projectID: string, day: number): Promise<void> {
  await inBatches((last) =>
    writing(database, async (db) => {
      // A separate statement, so that the next one sees which events were deleted while this one waited.
      await lock(db, KEPT_EVENTS);
      return copyBatch(db, run, { projectID, day, last });
    }),
  );
}

type Batch = { projectID: string; day: number; last: Place };

function copyBatch(db: Db, run: Run, { projectID, day, last }: Batch): Promise<Place[]> {
  return db.$queryRaw<Place[]>`
    with batch as materialized (
      select * from event where "projectID" = ${projectID} and "day" = ${day} and ("name", "time", "id") > (${last.name}, ${last.time}::bigint, ${last.id}::bigint)
      order by "name", "time", "id" limit ${BATCH_SIZE}
    ), copied as (
      insert into kept_event (${COLUMNS}) select ${COLUMNS} from batch
      where "name" not like 'statsig::%' and ${isKept(run)} order by "name", "time", "id"
      on conflict do nothing
    )
    select "name", "time", "id", "day" from batch order by "name" desc, "time" desc, "id" desc limit 1`;
}

/** Deletes the kept events of a project that analyses no longer need. */
export async function deleteUnneeded(db: Db, run: Run, projectID: string): Promise<void> {
  await inBatches(
    (last) => db.$queryRaw<Place[]>`
      with batch as materialized (
        select "projectID", "name", "time", "id", "day", "userID", "customIDs" from kept_event
        where "projectID" = ${projectID} and ("name", "time", "id", "day") > (${last.name}, ${last.time}::bigint, ${last.id}::bigint, ${last.day}::int)
        order by "name", "time", "id", "day" limit ${BATCH_SIZE}
      ), deleted as (
        delete from kept_event as kept using batch
        where kept."projectID" = batch."projectID" and kept."name" = batch."name" and kept."time" = batch."time" and kept."id" = batch."id"
          and kept."day" = batch."day" and not ${isKept(run)}
      )
      select "name", "time", "id", "day" from batch order by "name" desc, "time" desc, "id" desc, "day" desc limit 1`,
  );
}

/** Repeats a statement from the last place that it reached, until it returns no places. */
async function inBatches(next: (last: Place) => Promise<Place[]>): Promise<void> {
  let last: Place | undefined = START;
  while (last) [last] = (await next(last)) as [Place | undefined];
}

/** The projects that have kept events. */
export async function projectsWithKeptEvents(db: Db): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    select "id" from project where exists (select from kept_event where kept_event."projectID" = project."id")`;
  return rows.map(({ id }) => id);
}

/** Deletes kept events that arrived before a day, even if analyses need them. */
export async function deleteKeptBefore(db: Db, day: number): Promise<void> {
  await db.$executeRaw`delete from kept_event where "day" < ${day}`;
}

/** Deletes the units of a run, and those that interrupted runs left. */
export async function endRun(db: Db, run: Run, now: number): Promise<void> {
  await db.$executeRaw`delete from kept_unit where "run" = ${run} or "run" < ${String(now - MAX_RUN_MS)}`;
}
