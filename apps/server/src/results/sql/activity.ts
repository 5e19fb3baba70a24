import { DAY_MS } from "../../common/utc-day.ts";
import type { Activity } from "../plans/plan.ts";
import type { Dialect } from "./dialect.ts";
import type { Bind } from "./statement.ts";

/** The rows `unit`, `age`, `time` and `id` of units' activity, from the events of `happened`. */
export function activityRows(activity: Activity, dialect: Dialect, bind: Bind): string {
  if (activity.marks === "first")
    return `select unit, min(age) as age, min("time") as "time", 0 as id from happened group by unit having min(age) >= 0`;
  return activeDays(activity.withinDays, dialect, bind);
}

/**
 * A row for each active day of a unit. A day counts from its beginning if an earlier one makes it active, or else from its first event on. Days
 * are numbered from the first exposure, and those before it have events and windows of their own.
 */
function activeDays(withinDays: number, dialect: Dialect, bind: Bind): string {
  const dayMs = bind.integer(DAY_MS);
  const numbered = `select unit, age, "time", cast(floor(${dialect.double("age")} / ${bind.double(DAY_MS)}) as bigint) as day_of_unit from happened`;
  const own = `select unit, day_of_unit, min(age) as age, min("time") as "time" from (${numbered}) as numbered group by unit, day_of_unit`;
  const order = "partition by unit, day_of_unit < 0 order by day_of_unit";
  const [last, next] = (["lag", "lead"] as const).map((side) => dialect.beside(side, "day_of_unit", order));
  const neighbours = `select unit, day_of_unit, age, "time", ${last} as last_day, ${next} as next_day from (${own}) as own`;
  // The days that an event makes active end with its window, with the next event, or with the exposure.
  const start = `(day_of_unit + ms) * ${dayMs}`;
  const isFirst = `ms = 0 and (last_day is null or day_of_unit - last_day >= ${bind.integer(withinDays)})`;
  const at = `case when ${isFirst} then age else ${start} end`;
  const offsets = bind.integers(Array.from({ length: withinDays }, (_, index) => index));
  return `select unit, ${at} as age, "time" - age + ${at} as "time", 0 as id from (select neighbour.*, ${dialect.each(offsets)} as ms from (${neighbours}) as neighbour) as active
    where (next_day is null or day_of_unit + ms < next_day) and (day_of_unit >= 0 or day_of_unit + ms < 0)`;
}
