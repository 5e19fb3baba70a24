import type { Context } from "../../common/context.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import type { ArrivedExposures } from "../../results/health/arrival-health.ts";
import { type HealthCheck, listNews } from "../../results/health/health-check.ts";
import type { EventCounts } from "../../results/sql/event-counts.ts";
import { recordAuditEvent } from "../../store/change-log/audit-event.ts";
import { fromText } from "../../store/change-log/entity-text.ts";
import type { Db } from "../../store/database/unit-of-work.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import type { Experiment } from "../experiments/experiment.ts";

/** Health is data: it is laid over experiments when they are read, and no version has it. */
export function createHealthStore({ db, projectID }: Pick<StoreDeps, "db" | "projectID">) {
  return {
    /** The findings about the present run of each experiment, by its id. */
    async find(experiments: readonly Experiment[]): Promise<Map<string, HealthCheck[]>> {
      const started = new Map(experiments.flatMap(({ id, startTime }) => (startTime === null ? [] : [[id, startTime]])));
      if (started.size === 0) return new Map();
      const rows = await db.$queryRaw<{ experimentID: string; startTime: bigint; checks: string }[]>`
        select "experimentID", "startTime", checks from experiment_health
        where "projectID" = ${projectID} and "experimentID" = any(${[...started.keys()]}::text[])`;
      const present = rows.filter(({ experimentID, startTime }) => started.get(experimentID) === Number(startTime));
      return new Map(present.map(({ experimentID, checks }) => [experimentID, JSON.parse(checks)]));
    },

    async delete(experimentID: string): Promise<void> {
      await db.$executeRaw`delete from experiment_health where "projectID" = ${projectID} and "experimentID" = ${experimentID}`;
    },
  };
}

export type Checked = { projectID: string; experiment: Experiment };

/** Running experiments of all projects that were not checked since a time, ms: the next ones after `after`. */
export async function listUnchecked(db: Db, since: number, after: Checked | undefined): Promise<Checked[]> {
  const rows = await db.$queryRaw<{ projectID: string; entity: string }[]>`
    select "projectID", entity from experiment as running
    where status in ('active', 'assignment_stopped') and ("projectID", id) > (${after?.projectID ?? ""}, ${after?.experiment.id ?? ""})
      and exists (select from project where project.id = running."projectID" and "deletedTime" is null)
      and not exists (
        select from experiment_health where experiment_health."projectID" = running."projectID" and "experimentID" = running.id and "checkedTime" > ${since}
      )
    order by "projectID", id limit 100`;
  return rows.map(({ projectID, entity }) => ({ projectID, experiment: fromText<Experiment>(entity) }));
}

/** Notes that an experiment is checked now. @returns whether no replica has begun to since a time, ms */
export async function claimCheck(db: Db, { projectID, experiment }: Checked, now: number, since: number): Promise<boolean> {
  const claimed = await db.$executeRaw`
    insert into experiment_health ("projectID", "experimentID", "startTime", "checkedTime", checks)
    values (${projectID}, ${experiment.id}, ${experiment.startTime}, ${now}, '[]')
    on conflict ("projectID", "experimentID") do update set "checkedTime" = excluded."checkedTime", "startTime" = excluded."startTime",
      checks = case when experiment_health."startTime" = excluded."startTime" then experiment_health.checks else '[]' end,
      events = case when experiment_health."startTime" = excluded."startTime" then experiment_health.events end
    where experiment_health."checkedTime" <= ${since}`;
  return claimed > 0;
}

/** Stores findings, unless the experiment was deleted or reset since. The audit log gets the checks that fail, warn, or no longer do. */
export async function saveChecks(db: Db, checked: Checked, checks: readonly HealthCheck[], by: Context): Promise<void> {
  const [row] = await db.$queryRaw<{ checks: string }[]>`select checks from experiment_health where ${isOfRun(checked)} for update`;
  if (!row) return;
  await db.$executeRaw`update experiment_health set checks = ${JSON.stringify(checks)} where ${isOfRun(checked)}`;
  const details = listNews(JSON.parse(row.checks), checks);
  if (Object.keys(details).length > 0)
    await recordAuditEvent(db, { ...by, entityType: "experiment_health", entityID: checked.experiment.id, details });
}

/** The exposures that arrived in the present run, in these environments. @param environments in lower case */
export async function readArrivals(db: Db, { projectID, experiment }: Checked, environments: readonly string[]): Promise<ArrivedExposures> {
  const rows = await db.$queryRaw<{ kind: keyof ArrivedExposures; exposures: number }[]>`
    select kind, sum(exposures)::float8 as exposures from exposure_tally
    where "projectID" = ${projectID} and "experimentID" = ${experiment.id} and run = ${experiment.startTime}
      and environment = any(${environments}::text[]) group by kind`;
  const none: ArrivedExposures = { asStated: 0, corrected: 0, withoutUnitID: 0, formerRun: 0, beforeStart: 0 };
  return { ...none, ...Object.fromEntries(rows.map(({ kind, exposures }) => [kind, exposures])) };
}

const isOfRun = ({ projectID, experiment }: Checked) =>
  Prisma.sql`"projectID" = ${projectID} and "experimentID" = ${experiment.id} and "startTime" = ${experiment.startTime}`;

/** The event counts of the present run's last load. */
export async function findEventCounts(db: Db, checked: Checked): Promise<EventCounts[]> {
  const [row] = await db.$queryRaw<{ events: string | null }[]>`select events from experiment_health where ${isOfRun(checked)}`;
  return row?.events ? JSON.parse(row.events) : [];
}

export async function saveEventCounts(db: Db, checked: Checked, counts: readonly EventCounts[]): Promise<void> {
  await db.$executeRaw`update experiment_health set events = ${JSON.stringify(counts)} where ${isOfRun(checked)}`;
}
