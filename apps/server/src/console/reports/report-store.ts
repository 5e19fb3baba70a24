import type { Bind } from "../../results/sql/statement.ts";
import { eventReader } from "../../store/database/ask.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import type { ExposedGroup, ExposedUnit, ReportDay, ReportType, ScannedPlace, ScannedUnits } from "./report.ts";

type ScannedRow = Omit<ExposedUnit, "firstTime"> & { firstTime: bigint | number; isLast: boolean };

/** Units that one statement looks at. */
const SCAN_SIZE = 10_000;
/** The table of the groups with known units: the database counts the units of each. */
const EXPOSED = { database: "experiment_exposure_count", clickhouse: "experiment_exposure" };

export function createReportStore({ db, projectID }: Pick<StoreDeps, "db" | "projectID">) {
  const { dialect, read } = eventReader(db);
  /** The groups with known units. */
  const exposed = (bind: Bind) => `${EXPOSED[db.clickhouse ? "clickhouse" : "database"]} where "projectID" = ${bind.text(projectID)}`;

  return {
    /** How many experiments units saw, or were loaded for a day: one at most if it is named. */
    async countExperiments(type: ReportType, { start, end }: ReportDay, experimentID?: string): Promise<number> {
      const [row] = await (type === "first_exposures"
        ? read<{ count: bigint | number }>((bind) => `select count(distinct "experimentID") as count from ${exposed(bind)}`)
        : db.$queryRaw<{ count: bigint }[]>`
            select count(distinct "subjectID") as count from pulse_moments
            where "projectID" = ${projectID} and "subjectType" = 'experiment' and "startTime" < ${end} and "endTime" > ${start}
              and (${experimentID ?? null}::text is null or "subjectID" = ${experimentID ?? null}::text)`);
      return Number(row?.count ?? 0);
    },

    /** The next groups that units saw, after a group and in their order. */
    listExposedGroups({ experimentID, groupID }: ExposedGroup): Promise<ExposedGroup[]> {
      return read(
        (bind) => `select distinct "experimentID", "groupID" from ${exposed(bind)}
          and ("experimentID", "groupID") > (${bind.text(experimentID)}, ${bind.text(groupID)}) order by "experimentID", "groupID" limit 1000`,
      );
    },

    /**
     * The units of a group that saw it first on a day, in each environment, among the next ones of all days. So a statement takes a bounded time without an index
     * of times, which every exposure would pay for.
     */
    async scanUnits({ experimentID, groupID }: ExposedGroup, after: ScannedPlace, { start, end }: ReportDay): Promise<ScannedUnits> {
      const rows = await read<ScannedRow>(
        (bind) => `with scanned ${dialect.shared} (
          select "unitID", "firstTime", "environment" from experiment_exposure
          where "projectID" = ${bind.text(projectID)} and "experimentID" = ${bind.text(experimentID)} and "groupID" = ${bind.text(groupID)}
            and ("unitID", "environment") > (${bind.text(after.unitID)}, ${bind.text(after.environment)})
          order by "unitID", "environment" limit ${SCAN_SIZE}
        )
        select "unitID", "firstTime", "environment", "isLast" from (
          select *, false as "isLast" from scanned where "firstTime" >= ${bind.integer(start)} and "firstTime" < ${bind.integer(end)}
          union all select *, true as "isLast" from (select * from scanned order by "unitID" desc, "environment" desc limit 1) as last_one
        ) as found order by "isLast", "unitID", "environment"`,
      );
      const ofDay = rows.filter(({ isLast }) => !isLast);
      return {
        units: ofDay.map(({ unitID, firstTime, environment }) => ({ unitID, firstTime: Number(firstTime), environment })),
        last: rows.find(({ isLast }) => isLast),
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
