import { Prisma } from "../../generated/prisma/client.ts";
import type { StoredMoments } from "../../results/pulse/stored-moments.ts";
import { fromText } from "../../store/change-log/entity-text.ts";
import type { Db } from "../../store/database/unit-of-work.ts";
import type { Experiment } from "../experiments/experiment.ts";
import { ENDED_STATUSES } from "../experiments/experiment-staleness.ts";
import type { Gate } from "../gates/gate.ts";
import type { Holdout } from "../holdouts/holdout.ts";
import type { FinishedState, PulseLoad } from "./pulse-load.ts";
import { LOAD_COLUMNS, type LoadRow, toLoad } from "./result-store.ts";

/** A load that a replica runs. */
export type ClaimedLoad = PulseLoad & { projectID: string; runner: string };

type Lease = { runner: string; now: number; leaseMs: number };

/**
 * Takes a load of the project whose loads ran longest ago, and of these the one that has waited longest. It may be one whose replica has
 * not renewed its lease. Undefined if none waits.
 */
export async function claimLoad(db: Db, { runner, now, leaseMs }: Lease): Promise<ClaimedLoad | undefined> {
  const [row] = await db.$queryRaw<(LoadRow & { projectID: string })[]>`
    update pulse_load set runner = ${runner}, "leasedUntil" = ${now + leaseMs} where ("projectID", id) = (
      select "projectID", id from pulse_load as waiting where "finishedTime" is null and "leasedUntil" < ${now}
      order by (select max("leasedUntil") from pulse_load as own where own."projectID" = waiting."projectID"), "createdTime", "projectID", id
      limit 1 for update of waiting skip locked
    ) returning "projectID", ${LOAD_COLUMNS}`;
  if (!row) return undefined;
  const { projectID, ...rest } = row;
  return { ...toLoad(rest), projectID, runner };
}

const isOurs = ({ projectID, id, runner }: ClaimedLoad) =>
  Prisma.sql`"projectID" = ${projectID} and id = ${id} and runner = ${runner} and "finishedTime" is null`;

/** @returns whether the replica still runs the load: it has not been canceled or taken over */
export async function renewLease(db: Db, load: ClaimedLoad, leasedUntil: number): Promise<boolean> {
  return (await db.$executeRaw`update pulse_load set "leasedUntil" = ${leasedUntil} where ${isOurs(load)}`) > 0;
}

/** Lets any replica take the load. @param ranUntil ms; its project has its next turn after those whose loads ran longer ago */
export async function releaseLoad(db: Db, load: ClaimedLoad, ranUntil = 0): Promise<void> {
  await db.$executeRaw`update pulse_load set "leasedUntil" = ${ranUntil} where ${isOurs(load)}`;
}

/** Whether a load of another project waits. */
export async function othersWait(db: Db, { projectID }: ClaimedLoad, now: number): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    select from pulse_load where "finishedTime" is null and "leasedUntil" < ${now} and "projectID" <> ${projectID} limit 1`;
  return rows.length > 0;
}

/** Stores the findings of a part of the load, and its progress. @returns whether the replica still runs the load */
export async function saveProgress(db: Db, load: ClaimedLoad, found: readonly StoredMoments[]): Promise<boolean> {
  const written = await db.$executeRaw`
    update pulse_load set metrics = ${JSON.stringify(load.metrics)}, jobs = ${JSON.stringify(load.jobs)},
      units = ${load.units && JSON.stringify(load.units)}
    where ${isOurs(load)}`;
  if (written === 0) return false;
  const { type, id, ruleID } = load.subject;
  for (const { metricID, startTime, endTime, timeZone, loadedTime, version, latest, daily } of found) {
    const days = daily && JSON.stringify(daily);
    await db.$executeRaw`
      insert into pulse_moments (
        "projectID", "subjectType", "subjectID", "ruleID", "metricID", "startTime", "endTime", "timeZone", "loadedTime", version,
        latest, daily
      ) values (${load.projectID}, ${type}, ${id}, ${ruleID ?? ""}, ${metricID}, ${startTime}, ${endTime}, ${timeZone}, ${loadedTime},
        ${version}, ${JSON.stringify(latest)}, ${days})
      on conflict ("projectID", "subjectType", "subjectID", "ruleID", "metricID") do update set "startTime" = excluded."startTime",
        "endTime" = excluded."endTime", "timeZone" = excluded."timeZone", "loadedTime" = excluded."loadedTime", version = excluded.version,
        latest = excluded.latest, daily = excluded.daily`;
  }
  return true;
}

export async function finishLoad(db: Db, load: ClaimedLoad, finishedState: FinishedState, now: number): Promise<void> {
  await db.$executeRaw`
    update pulse_load set "finishedTime" = ${now}, "finishedState" = ${finishedState}, metrics = ${JSON.stringify(load.metrics)},
      units = ${load.units && JSON.stringify(load.units)}
    where ${isOurs(load)}`;
}

/** When today began in the time zones of all projects, ms. */
export type Todays = { inUTC: number; elsewhere: readonly { projectID: string; today: number }[] };

/** When today began in the project of a row. */
function todayIn(projectID: Prisma.Sql, { inUTC, elsewhere }: Todays): Prisma.Sql {
  if (elsewhere.length === 0) return Prisma.sql`${inUTC}::bigint`;
  const ids = elsewhere.map((one) => one.projectID);
  return Prisma.sql`coalesce((
    select today from unnest(${ids}::text[], ${elsewhere.map(({ today }) => today)}::bigint[]) as own (id, today) where own.id = ${projectID}
  ), ${inUTC}::bigint)`;
}

/** Whether a project exists, and has all of its data if it is the sample project. */
const isComplete = (projectID: Prisma.Sql) => Prisma.sql`exists (
  select from project left join sample_project on sample_project."projectID" = project.id
  where project.id = ${projectID} and "deletedTime" is null and (sample_project."projectID" is null or "readyTime" is not null)
)`;

/**
 * Experiments of all projects that are to be loaded: running ones without a load since today began, and those that ended since `recent` without
 * a load since their end. The next ones after `after`. Times are ms.
 */
export async function listUnloaded(
  db: Db,
  since: { todays: Todays; recent: number },
  after: { projectID: string; id: string } | undefined,
) {
  const rows = await db.$queryRaw<{ projectID: string; id: string; entity: string }[]>`
    select "projectID", id, entity from (
      select "projectID", id, entity, case when status in ('active', 'assignment_stopped') then ${todayIn(Prisma.sql`"projectID"`, since.todays)}
        when status = any(${[...ENDED_STATUSES]}::text[]) then (entity::json ->> 'endTime')::bigint end as since
      from experiment
    ) as candidate
    where since >= ${since.recent} and ("projectID", id) > (${after?.projectID ?? ""}, ${after?.id ?? ""})
      and ${isComplete(Prisma.sql`candidate."projectID"`)}
      and not exists (
        select from pulse_load where pulse_load."projectID" = candidate."projectID" and "subjectType" = 'experiment' and "subjectID" = candidate.id
          and pulse_load."createdTime" >= since
      )
    order by "projectID", id limit 100`;
  return rows.map(({ entity, ...row }) => ({ ...row, experiment: fromText<Experiment>(entity) }));
}

/** A gate or holdout that metrics monitor, with the rules that were loaded: for a holdout, an empty text. */
export type Monitored = { projectID: string; id: string; loaded: string[] } & (
  | { type: "gate"; entity: Gate }
  | { type: "holdout"; entity: Holdout }
);

/** Gates in progress and holdouts of all projects that metrics monitor, with today's loads. The next ones after `after`. */
export async function listMonitored(db: Db, todays: Todays, after: Monitored | undefined): Promise<Monitored[]> {
  const rows = await db.$queryRaw<{ projectID: string; type: Monitored["type"]; id: string; entity: string; loaded: string[] }[]>`
    select "projectID", type, id, entity, array(
      select "ruleID" from pulse_load
      where pulse_load."projectID" = monitored."projectID" and "subjectType" = type and "subjectID" = id
        and "createdTime" >= ${todayIn(Prisma.sql`monitored."projectID"`, todays)}
    ) as loaded
    from (
      select "projectID", 'gate' as type, id, entity from gate where status = 'In Progress'
      union all select "projectID", 'holdout' as type, id, entity from holdout
    ) as monitored
    where ("projectID", type, id) > (${after?.projectID ?? ""}, ${after?.type ?? ""}, ${after?.id ?? ""})
      and ${isComplete(Prisma.sql`monitored."projectID"`)}
      and exists (
        select from reference
        where reference."projectID" = monitored."projectID" and "fromType" = type and "fromID" = monitored.id and "toType" = 'metric'
      )
    order by "projectID", type, id limit 100`;
  return rows.map(({ entity, ...row }) => ({ ...row, entity: fromText(entity) }) as Monitored);
}

/** Whether loads of a project wait or run. */
export async function hasUnfinishedLoads(db: Db, projectID: string): Promise<boolean> {
  const rows = await db.$queryRaw<object[]>`select from pulse_load where "projectID" = ${projectID} and "finishedTime" is null limit 1`;
  return rows.length > 0;
}

/** Deletes loads that finished before a time, ms. */
export async function deleteOldLoads(db: Db, before: number): Promise<void> {
  await db.$executeRaw`delete from pulse_load where "finishedTime" < ${before}`;
}
