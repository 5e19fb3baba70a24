import { DAY_MS, QUARTER_MS } from "../../evaluation/events/day.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import { dateOf, daysFrom, daysMeeting } from "../../results/day.ts";
import type { TimeZone } from "../../results/time-zone.ts";
import type { StoreDeps } from "../../store/store-deps.ts";
import type { Db } from "../../store/unit-of-work.ts";
import type { DailyUnits } from "./experiment-exposures.ts";

/** Exposures of experiments and autotunes are data, like events: the event intake adds them, and the change log does not have them. */
export function createExperimentExposureStore({ db, projectID }: Pick<StoreDeps, "db" | "projectID">) {
  return {
    /**
     * The number of units that saw each group for the first time on each day of a time zone, sorted by day. Days without any are listed from
     * `startTime` on, in ms: devices may tell of times long before, of which only days that have exposures are listed.
     */
    async count(experimentID: string, startTime: number, timeZone: TimeZone): Promise<DailyUnits[]> {
      const counted = Prisma.sql`experiment_exposure_count where "projectID" = ${projectID} and "experimentID" = ${experimentID}`;
      const known = await db.$queryRaw<{ day: number }[]>`select distinct "day" from ${counted} order by 1`;
      const days = [...new Set(known.flatMap(({ day }) => daysMeeting(day * DAY_MS, (day + 1) * DAY_MS, timeZone)))];
      const rows = await db.$queryRaw<{ groupID: string; number: number; units: number }[]>`
        select "groupID", width_bucket("day"::bigint * ${DAY_MS}::bigint + "quarter" * ${QUARTER_MS}::bigint, ${days}::bigint[]) as "number",
          sum("units")::float8 as "units"
        from ${counted} group by 1, 2 order by 2, 1`;
      const seen = rows.map(({ number, ...row }) => ({ ...row, day: days[number - 1] as number }));
      const last = seen.at(-1)?.day;
      const listed = last === undefined ? [] : daysFrom(Math.max(startTime, seen[0]?.day ?? startTime), last + 1, timeZone);
      const empty = listed.map((day) => ({ groupID: "", units: 0, day }));
      const all = [...seen, ...empty].map(({ day, ...row }) => ({ ...row, date: dateOf(day, timeZone) }));
      return all.sort((one, other) => (one.date < other.date ? -1 : one.date > other.date ? 1 : 0));
    },

    /** Called with the deletion of the experiment, and with its reset: the next run assigns units to groups anew. */
    async delete(experimentID: string): Promise<void> {
      await db.$executeRaw`delete from experiment_exposure where "projectID" = ${projectID} and "experimentID" = ${experimentID}`;
      await db.$executeRaw`delete from experiment_exposure_count where "projectID" = ${projectID} and "experimentID" = ${experimentID}`;
    },
  };
}

/** Deletes exposures that arrived while their experiment or autotune was being deleted. */
export async function deleteOrphanedExposures(db: Db): Promise<void> {
  await db.$executeRaw`
    delete from experiment_exposure as kept using (
      select distinct "projectID", "experimentID" from experiment_exposure_count as counted where ${IS_ORPHAN}
    ) as orphan where kept."projectID" = orphan."projectID" and kept."experimentID" = orphan."experimentID"`;
  await db.$executeRaw`
    delete from experiment_exposure_count as counted where ${IS_ORPHAN}`;
}

const IS_ORPHAN = Prisma.sql`
  not exists (select from experiment where experiment."projectID" = counted."projectID" and "id" = "experimentID")
  and not exists (select from autotune where autotune."projectID" = counted."projectID" and "id" = "experimentID")`;
