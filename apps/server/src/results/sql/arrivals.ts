import { utcDay } from "../../common/utc-day.ts";
import type { Dialect } from "./dialect.ts";
import { unitIDColumn } from "./logged.ts";
import type { Bind } from "./statement.ts";

/** The one group of units that enter with their first event. */
export const EVERYONE = "everyone";

type Arriving = { projectID: string; idType: string; startTime: number; endTime: number };

/** The rows of `exposures` for units that enter with their first event of any name. */
export function arrivals({ projectID, idType, startTime, endTime }: Arriving, dialect: Dialect, bind: Bind): string {
  return `select unit, '${EVERYONE}' as grp, "time", fields from (
    select ${unitIDColumn(idType, dialect, bind)} as unit, event."time", event."userFields" as fields from ${dialect.table("event")} as event
    where "projectID" = ${bind.text(projectID)} and "day" >= ${bind.integer(utcDay(startTime))}
      and "time" >= ${bind.integer(startTime)} and "time" < ${bind.integer(endTime)}
  ) as arrival where unit <> ''`;
}
