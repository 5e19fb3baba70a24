import { utcDay } from "../../common/utc-day.ts";
import { distinctTerms, type Plan } from "../plans/plan.ts";
import type { Analysis } from "./analysis.ts";
import { dayNumber } from "./day-number.ts";
import type { Dialect } from "./dialect.ts";
import { type ArrivalDays, eventColumns, loggedTable } from "./logged.ts";
import { type Bind, parametersFor, type Statement } from "./statement.ts";
import { termColumns } from "./term-columns.ts";
import { SHARDS, type Shards } from "./unit-days.ts";

/**
 * A row of the answer. `day` counts from 1, and `t3` is the sum of the plan with the index 3. Days without any event have no row. A row of
 * day 0 shows that events of the days were dropped, and only those of some units are kept.
 */
export type TotalsRow = { day: number } & Record<`t${number}`, number>;

type Totalled = Pick<Analysis, "projectID" | "days" | "end">;

/**
 * The statement that sums metrics over all events of each day, in one pass, including those of units without exposures. Only for plans
 * where `hasTotal` is true.
 */
export function totalsQuery(plans: readonly Plan[], { projectID, days, end }: Totalled, dialect: Dialect): Statement {
  const bind = parametersFor(dialect);
  const since = days[0] ?? end;
  const text = `
with ${loggedTable(distinctTerms(plans), { projectID, since, readsKept: false }, dialect, bind)},
hit ${dialect.inlined} (
  select 0 as age, ${dayNumber(`event."time"`, { days, earlierDays: [] }, dialect, bind)} as day, ${eventColumns(distinctTerms(plans))}
  from logged as event where event."time" >= ${bind.integer(since)} and event."time" < ${bind.integer(end)}
)
select day${plans.map((plan, index) => `, ${totalExpression(plan, dialect, bind)} as t${index}`).join("")}
from hit group by day
union all select 0 as day${plans.map((_, index) => `, ${dialect.double("0")} as t${index}`).join("")}
where exists (select 1 from dropped_event_day where "day" >= ${bind.integer(utcDay(since))})
order by day`;
  return { text, parameters: bind.parameters };
}

/** What the events that arrived on a day add to the totals of a day. */
export type ArrivedTotalsRow = TotalsRow & { arrival: number };

/**
 * The statement that sums metrics over the events that arrived on some days, by the day on which they happened. Shards divide events by their
 * ids, so that one statement can read only a part of a day.
 */
export function arrivedTotalsQuery(
  plans: readonly Plan[],
  { arrived, shards }: { arrived: ArrivalDays; shards: Shards },
  { projectID, days, end }: Totalled,
  dialect: Dialect,
  bind: Bind,
): string {
  const since = days[0] ?? end;
  const isPart = shards.first > 0 || shards.last < SHARDS - 1;
  const ofShards = () => ` and (event."id" & ${SHARDS - 1}) between ${bind.integer(shards.first)} and ${bind.integer(shards.last)}`;
  return `
with ${loggedTable(distinctTerms(plans), { projectID, since, readsKept: false, arrived }, dialect, bind)},
hit ${dialect.inlined} (
  select event.arrival, 0 as age, ${dayNumber(`event."time"`, { days, earlierDays: [] }, dialect, bind)} as day, ${eventColumns(distinctTerms(plans))}
  from logged as event where event."time" >= ${bind.integer(since)} and event."time" < ${bind.integer(end)}${isPart ? ofShards() : ""}
)
select arrival, day${plans.map((plan, index) => `, ${totalExpression(plan, dialect, bind)} as t${index}`).join("")}
from hit group by arrival, day order by arrival, day`;
}

function totalExpression({ numerator }: Plan, dialect: Dialect, bind: Bind): string {
  const sums = numerator.terms.map((term) => {
    const { counts, number } = termColumns(term, 0, [], dialect, bind);
    return `coalesce(${dialect.double(`sum(case when ${counts()} then ${number} end)`)}, 0)`;
  });
  return sums.join(" + ") || dialect.double("0");
}

/** The sum of each day of each plan; undefined if events were dropped. */
export function dailyTotals(rows: readonly TotalsRow[], plans: number, days: number): number[][] | undefined {
  const byDay = new Map(rows.map((row) => [Number(row.day), row]));
  if (byDay.has(0)) return undefined;
  return Array.from({ length: plans }, (_, index) => Array.from({ length: days }, (__, day) => byDay.get(day + 1)?.[`t${index}`] ?? 0));
}
