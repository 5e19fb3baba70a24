import { Prisma } from "../../generated/prisma/client.ts";
import type { StoreDeps } from "../../store/store-deps.ts";
import type { ExposedGroup, ExposedUnit, ReportDay, ReportType, ScannedUnits } from "./report.ts";

type ScannedRow = Omit<ExposedUnit, "firstTime"> & { firstTime: bigint; isLast: boolean };

/** Units that one statement looks at. */
const SCAN_SIZE = 10_000;

export function createReportStore({ db, projectID }: Pick<StoreDeps, "db" | "projectID">) {
  return {
    /** How many experiments units saw, or were loaded for a day. */
    async countExperiments(type: ReportType, { start, end }: ReportDay): Promise<number> {
      const loaded = Prisma.sql`(
        select distinct "subjectID" from pulse_moments
        where "projectID" = ${projectID} and "subjectType" = 'experiment' and "startTime" < ${end} and "endTime" > ${start}
      )`;
      const from = {
        first_exposures: Prisma.sql`(select distinct "experimentID" from experiment_exposure_count where "projectID" = ${projectID})`,
        pulse_daily: loaded,
        topline_impact_daily: loaded,
      }[type];
      const [row] = await db.$queryRaw<{ count: number }[]>`select count(*)::int as count from ${from} as found`;
      return row?.count ?? 0;
    },

    /** The next groups that units saw, after a group and in their order. */
    async listExposedGroups({ experimentID, groupID }: ExposedGroup): Promise<ExposedGroup[]> {
      return db.$queryRaw`
        select distinct "experimentID", "groupID" from experiment_exposure_count
        where "projectID" = ${projectID} and ("experimentID", "groupID") > (${experimentID}, ${groupID}) order by 1, 2 limit 1000`;
    },

    /**
     * The units of a group that saw it first on a day, among the next ones of all days. So a statement takes a bounded time without an index
     * of times, which every exposure would pay for.
     */
    async scanUnits({ experimentID, groupID }: ExposedGroup, after: string, { start, end }: ReportDay): Promise<ScannedUnits> {
      const rows = await db.$queryRaw<ScannedRow[]>`
        with scanned as materialized (
          select "unitID", "firstTime", environment from experiment_exposure
          where "projectID" = ${projectID} and "experimentID" = ${experimentID} and "groupID" = ${groupID} and "unitID" > ${after}
          order by "unitID" limit ${SCAN_SIZE}
        )
        select *, false as "isLast" from scanned where "firstTime" >= ${start} and "firstTime" < ${end}
        union all (select *, true from scanned order by "unitID" desc limit 1)
        order by "isLast", "unitID"`;
      const ofDay = rows.filter(({ isLast }) => !isLast);
      return {
        units: ofDay.map(({ unitID, firstTime, environment }) => ({ unitID, firstTime: Number(firstTime), environment })),
        last: rows.find(({ isLast }) => isLast)?.unitID,
      };
    },

    /** The ids of experiments that a load has computed for a day, after an id and in their order. */
    async listLoaded(after: string, { start, end }: ReportDay): Promise<string[]> {
      const rows = await db.$queryRaw<{ id: string }[]>`
        select distinct "subjectID" as id from pulse_moments
        where "projectID" = ${projectID} and "subjectType" = 'experiment' and "subjectID" > ${after} and "startTime" < ${end} and "endTime" > ${start}
        order by 1 limit 100`;
      return rows.map(({ id }) => id);
    },
  };
}
