import { Prisma } from "../../generated/prisma/client.ts";
import type { StoreDeps } from "../../store/store-deps.ts";
import type { Db } from "../../store/unit-of-work.ts";
import type { DailyUnits } from "./experiment-exposures.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Exposures are data, like events: the event intake adds them, and the change log does not have them. */
export function createExperimentExposureStore({ db, projectID }: Pick<StoreDeps, "db" | "projectID">) {
  return {
    /**
     * The number of units that saw each group for the first time on each day, sorted by day. Days without any are listed from `startTime` on, in
     * ms: devices may tell of times long before.
     */
    async count(experimentID: string, startTime: number): Promise<DailyUnits[]> {
      const counted = Prisma.sql`from experiment_exposure_count where "projectID" = ${projectID} and "experimentID" = ${experimentID}`;
      const rows = await db.$queryRaw<{ groupID: string; date: string; units: bigint }[]>`
        select "groupID", to_char(date '1970-01-01' + "day", 'YYYY-MM-DD') as "date", "units" from (
          select "groupID", "day", "units" ${counted}
          union all select '', generate_series(greatest(min("day"), ${Math.floor(startTime / DAY_MS)}::int), max("day")), 0 ${counted}
        ) as listed order by "day", "groupID"`;
      return rows.map(({ units, ...row }) => ({ ...row, units: Number(units) }));
    },

    /** Called with the deletion of the experiment, and with its reset: the next run assigns units to groups anew. */
    async delete(experimentID: string): Promise<void> {
      await db.$executeRaw`delete from experiment_exposure where "projectID" = ${projectID} and "experimentID" = ${experimentID}`;
      await db.$executeRaw`delete from experiment_exposure_count where "projectID" = ${projectID} and "experimentID" = ${experimentID}`;
    },
  };
}

/** Deletes exposures that arrived while their experiment was being deleted. */
export async function deleteOrphanedExposures(db: Db): Promise<void> {
  await db.$executeRaw`
    delete from experiment_exposure as kept using (
      select distinct "projectID", "experimentID" from experiment_exposure_count as counted
      where not exists (select from experiment where experiment."projectID" = counted."projectID" and "id" = "experimentID")
    ) as orphan where kept."projectID" = orphan."projectID" and kept."experimentID" = orphan."experimentID"`;
  await db.$executeRaw`
    delete from experiment_exposure_count as counted
    where not exists (select from experiment where experiment."projectID" = counted."projectID" and "id" = "experimentID")`;
}
