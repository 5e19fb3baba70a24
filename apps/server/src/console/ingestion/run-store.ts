import { notFound } from "../../common/errors.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import { recordAuditEvent } from "../../store/change-log/audit-event.ts";
import type { Db } from "../../store/database/unit-of-work.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import type { Window } from "../common/page.ts";
import type { Dataset } from "./ingestion-input.ts";
import type { IngestionRun, RunDay } from "./ingestion-run.ts";

export type RunRow = {
  id: string;
  dataset: string;
  trigger: string;
  createdTime: bigint;
  creatorName: string | null;
  isPlanned: boolean;
  history: string;
  updatedTime: bigint;
  finishedTime: bigint | null;
};

type DayRow = {
  runID: string;
  source: string;
  day: number;
  history: string;
  rows: bigint;
  copied: bigint;
  refused: bigint;
  message: string | null;
};

export const RUN_COLUMNS = Prisma.sql`id, dataset, trigger, "createdTime", "creatorName", "isPlanned", history, "updatedTime", "finishedTime"`;

/** The runs of a project. They are data: only the audit log records their requests. */
export function createRunStore({ db, projectID, by }: StoreDeps) {
  const runs = (where: Prisma.Sql, rest = Prisma.empty) =>
    db.$queryRaw<RunRow[]>`select ${RUN_COLUMNS} from ingestion_run where "projectID" = ${projectID} and ${where} ${rest}`;

  return {
    /** Lets no other transaction add runs before this one ends. */
    async lock(): Promise<void> {
      await db.$queryRaw`select 1 from project where id = ${projectID} for no key update`;
    },

    /** How many runs wait or are executed. */
    async countUnfinished(): Promise<number> {
      const [row] = await db.$queryRaw<{ count: number }[]>`
        select count(*)::int as count from ingestion_run where "projectID" = ${projectID} and "finishedTime" is null`;
      return row?.count ?? 0;
    },

    /** The newest run of the schedule of a dataset. */
    async latestScheduled(dataset: Dataset): Promise<{ createdTime: number; isFinished: boolean } | undefined> {
      const [row] = await runs(Prisma.sql`dataset = ${dataset} and trigger = 'schedule'`, Prisma.sql`order by "createdTime" desc limit 1`);
      return row && { createdTime: Number(row.createdTime), isFinished: row.finishedTime !== null };
    },

    /** Adds a run behind all others. Call `lock` first. */
    async add(run: IngestionRun): Promise<void> {
      const { id, dataset, trigger, createdTime, creatorName, isPlanned, history, updatedTime, days } = run;
      await db.$executeRaw`
        insert into ingestion_run ("projectID", ${RUN_COLUMNS}, "leasedUntil") select
          ${projectID}, ${id}, ${dataset}, ${trigger},
          greatest(${createdTime}::bigint, (select max("createdTime") + 1 from ingestion_run where "projectID" = ${projectID})),
          ${creatorName}, ${isPlanned}, ${JSON.stringify(history)}, ${updatedTime}, null, 0`;
      await insertDays(db, { projectID, id }, days);
      if (trigger === "backfill")
        await recordAuditEvent(db, { ...by, entityType: "ingestion_run", entityID: id, details: { dataset, ...countDays(days) } });
    },

    /** @throws AppError not_found */
    async get(id: string): Promise<IngestionRun> {
      const [row] = await runs(Prisma.sql`id = ${id}`);
      if (!row) throw notFound("Ingestion run", id);
      return toRun(row, await listDays(db, projectID, [id]));
    },

    /** Newest first. */
    async list({ skip, take }: Window): Promise<{ data: IngestionRun[]; total: number }> {
      const [rows, [counted]] = await Promise.all([
        runs(Prisma.sql`true`, Prisma.sql`order by "createdTime" desc limit ${take} offset ${skip}`),
        db.$queryRaw<{ total: number }[]>`select count(*)::int as total from ingestion_run where "projectID" = ${projectID}`,
      ]);
      const days = await listDays(
        db,
        projectID,
        rows.map(({ id }) => id),
      );
      return { data: rows.map((row) => toRun(row, days)), total: counted?.total ?? 0 };
    },
  };
}

function countDays(days: readonly RunDay[]) {
  return { sources: new Set(days.map(({ source }) => source)).size, days: new Set(days.map(({ day }) => day)).size };
}

/** Adds days to a run, unless it has them. */
export async function insertDays(db: Db, { projectID, id }: { projectID: string; id: string }, days: readonly RunDay[]): Promise<void> {
  const histories = days.map(({ history }) => JSON.stringify(history));
  await db.$executeRaw`
    insert into ingestion_run_day ("projectID", "runID", source, day, history, rows, copied, refused, message)
    select ${projectID}, ${id}, source, day, history, 0, 0, 0, null
    from unnest(${days.map(({ source }) => source)}::text[], ${days.map(({ day }) => day)}::int[], ${histories}::text[]) as given (source, day, history)
    on conflict do nothing`;
}

type OfRun = RunDay & { runID: string };

/** The days of runs, in the order of days and sources. */
export async function listDays(db: Db, projectID: string, runIDs: readonly string[]): Promise<OfRun[]> {
  const rows = await db.$queryRaw<DayRow[]>`
    select "runID", source, day, history, rows, copied, refused, message from ingestion_run_day
    where "projectID" = ${projectID} and "runID" = any(${[...runIDs]}::text[]) order by "runID", day, source`;
  return rows.map(({ history, rows: found, copied, refused, ...row }) => ({
    ...row,
    history: JSON.parse(history),
    ...{ rows: Number(found), copied: Number(copied), refused: Number(refused) },
  }));
}

export function toRun({ createdTime, updatedTime, finishedTime, history, ...row }: RunRow, days: readonly OfRun[]): IngestionRun {
  return {
    ...row,
    dataset: row.dataset as Dataset,
    trigger: row.trigger as IngestionRun["trigger"],
    ...{ createdTime: Number(createdTime), updatedTime: Number(updatedTime), history: JSON.parse(history) },
    finishedTime: finishedTime === null ? null : Number(finishedTime),
    days: days.flatMap(({ runID, ...day }) => (runID === row.id ? [day] : [])),
  };
}
