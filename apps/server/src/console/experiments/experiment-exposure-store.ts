import { daysFrom, daysMeeting, toDate } from "../../common/local-day.ts";
import type { TimeZone } from "../../common/time-zone.ts";
import { DAY_MS, QUARTER_MS } from "../../common/utc-day.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import type { Bind } from "../../results/sql/statement.ts";
import { eventReader } from "../../store/database/ask.ts";
import type { Db } from "../../store/database/unit-of-work.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { deleteFromClickHouse } from "../events/outbox-store.ts";
import type { DailyUnits } from "./experiment-exposures.ts";

/** @param environments in lower case */
type Counted = { experimentID: string; environments: readonly string[] };

/** Exposures of experiments and autotunes are data, like events: the event intake adds them, and the change log does not have them. */
export function createExperimentExposureStore({ db, projectID }: Pick<StoreDeps, "db" | "projectID">) {
  const { dialect, read } = eventReader(db);

  /** The number of units that saw each group for the first time, by the day and the quarter of an hour. */
  function counted({ experimentID, environments }: Counted, bind: Bind): string {
    const isOwn = `"projectID" = ${bind.text(projectID)} and "experimentID" = ${bind.text(experimentID)}
        and ${dialect.isIn(`"environment"`, bind.texts(environments))}`;
    if (!db.clickhouse) return `(select * from experiment_exposure_count where ${isOwn}) as counted`;
    const [day, quarter] = [bind.integer(DAY_MS), bind.integer(QUARTER_MS)];
    return `(
      select "groupID", intDiv("firstTime", ${day}) as "day", intDiv("firstTime" % ${day}, ${quarter}) as "quarter", count(*) as "units"
      from experiment_exposure where ${isOwn} group by "groupID", "day", "quarter"
    ) as counted`;
  }

  return {
    /**
     * The number of units that saw each group for the first time on each day of a time zone, sorted by day. Days without any are listed from
     * `startTime` on, in ms.
     */
    async count(exposed: Counted, startTime: number, timeZone: TimeZone): Promise<DailyUnits[]> {
      const known = await read<{ day: number }>((bind) => `select distinct "day" from ${counted(exposed, bind)} order by "day"`);
      const days = [...new Set(known.flatMap(({ day }) => daysMeeting(day * DAY_MS, (day + 1) * DAY_MS, timeZone)))];
      if (days.length === 0) return [];
      const rows = await read<{ groupID: string; number: number; units: number }>((bind) => {
        const time = `("day"::bigint * ${bind.integer(DAY_MS)} + "quarter" * ${bind.integer(QUARTER_MS)})`;
        return `select "groupID", ${dialect.position(time, bind.integers(days))} as "number", ${dialect.double(`sum("units")`)} as "units"
          from ${counted(exposed, bind)} group by "groupID", "number" order by "number", "groupID"`;
      });
      const seen = rows.map(({ number, ...row }) => ({ ...row, day: days[number - 1] as number }));
      const last = seen.at(-1)?.day;
      const listed = last === undefined ? [] : daysFrom(Math.max(startTime, seen[0]?.day ?? startTime), last + 1, timeZone);
      const empty = listed.map((day) => ({ groupID: "", units: 0, day }));
      const all = [...seen, ...empty].map(({ day, ...row }) => ({ ...row, date: toDate(day, timeZone) }));
      return all.sort((one, other) => (one.date < other.date ? -1 : one.date > other.date ? 1 : 0));
    },

    /** Called with the deletion of the experiment, and with its reset: the next run assigns units to groups again. */
    async delete(experimentID: string): Promise<void> {
      await db.$executeRaw`delete from exposure_tally where "projectID" = ${projectID} and "experimentID" = ${experimentID}`;
      if (db.clickhouse) return deleteFromClickHouse(db, { table: "experiment_exposure", where: { projectID, experimentID } });
      await db.$executeRaw`delete from experiment_exposure where "projectID" = ${projectID} and "experimentID" = ${experimentID}`;
      await db.$executeRaw`delete from experiment_exposure_count where "projectID" = ${projectID} and "experimentID" = ${experimentID}`;
    },
  };
}

/** Deletes exposures that arrived while their experiment or autotune was being deleted. */
export async function deleteOrphanedExposures(db: Db): Promise<void> {
  await db.$executeRaw`delete from exposure_tally as counted where ${IS_ORPHAN}`;
  if (db.clickhouse) return deleteOrphansFromClickHouse(db);
  await db.$executeRaw`
    delete from experiment_exposure as kept using (
      select distinct "projectID", "experimentID" from experiment_exposure_count as counted where ${IS_ORPHAN}
    ) as orphan where kept."projectID" = orphan."projectID" and kept."experimentID" = orphan."experimentID"`;
  await db.$executeRaw`delete from experiment_exposure_count as counted where ${IS_ORPHAN}`;
}

async function deleteOrphansFromClickHouse(db: Db): Promise<void> {
  const exposed = await eventReader(db).read<{ projectID: string; experimentID: string }>(
    () => `select distinct "projectID", "experimentID" from experiment_exposure`,
  );
  const orphans = await db.$queryRaw<{ projectID: string; experimentID: string }[]>`
    select "projectID", "experimentID" from unnest(
      ${exposed.map((one) => one.projectID)}::text[], ${exposed.map((one) => one.experimentID)}::text[]
    ) as counted ("projectID", "experimentID") where ${IS_ORPHAN}`;
  for (const where of orphans) await deleteFromClickHouse(db, { table: "experiment_exposure", where });
}

const IS_ORPHAN = Prisma.sql`
  not exists (select from experiment where experiment."projectID" = counted."projectID" and "id" = "experimentID")
  and not exists (select from autotune where autotune."projectID" = counted."projectID" and "id" = "experimentID")`;
