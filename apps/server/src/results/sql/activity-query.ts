import { startOfDayAfter } from "../../common/local-day.ts";
import { type Activity, type Amount, distinctTerms, isActivity, type PercentilePlan, type Plan } from "../plans/plan.ts";
import { dayNumber } from "./day-number.ts";
import type { Dialect } from "./dialect.ts";
import { loggedTable, unitIDColumn } from "./logged.ts";
import { parametersFor, type Statement } from "./statement.ts";
import type { ValuedDays } from "./values-query.ts";

/** Whether a plan reads only the activity of units. */
export function isOfActivity(plan: Plan | PercentilePlan): plan is Plan {
  return distinctTerms([plan]).every(({ sources }) => sources.every(isActivity));
}

/** How many days a plan reads, the one that is valued included. */
function daysRead(plans: readonly Plan[]): number {
  return Math.max(1, ...activities(plans).map((one) => (one.marks === "active" ? one.withinDays : 1)));
}

/**
 * The statement that counts, for each day, the units that were active in the days up to it, and those that were active on it for the first
 * time. Its rows are those of `valuesQuery`. Each of its plans is of activity. The days follow each other.
 */
export function activityQuery(plans: readonly Plan[], { projectID, idType, days, end, timeZone }: ValuedDays, dialect: Dialect): Statement {
  const bind = parametersFor(dialect);
  const window = daysRead(plans);
  const [start = end] = days;
  const earlierDays = Array.from({ length: window - 1 }, (_, index) => startOfDayAfter(start, index + 1 - window, timeZone));
  // Whether a unit is new, only all that is stored of it says.
  const since = activities(plans).some(({ marks }) => marks === "first") ? 0 : (earlierDays[0] ?? start);
  const offsets = Array.from({ length: window }, (_, index) => index);
  const values = plans.map(({ numerator, denominator = { terms: [], bounds: {} } }, index) => {
    const [y, d] = [activityNumber(numerator), activityNumber(denominator)];
    const sum = (expression: string) => dialect.double(`sum(${expression})`);
    return `select ${index} as metric, day, ${sum(`case when ${denominator.terms.length > 0 ? d : y} <> 0 then 1 else 0 end`)} as units, ${sum(y)} as numerator, ${sum(d)} as denominator
from shown group by day`;
  });
  // A day that is active by several events is so by the last of them.
  const text = `
with ${loggedTable(distinctTerms(plans), { projectID, since, readsKept: false }, dialect, bind)},
seen as (
  select unit, day from (
    select ${unitIDColumn(idType, dialect, bind)} as unit, ${dayNumber(`event."time"`, { days, earlierDays }, dialect, bind)} as day
    from logged as event where event."time" >= ${bind.integer(since)} and event."time" < ${bind.integer(end)}
  ) as dated where unit <> '' group by unit, day
),
paused as (
  select unit, day, ${dialect.beside("lead", "day", DAYS_OF_UNIT)} - day as pause, ${dialect.beside("lag", "day", DAYS_OF_UNIT)} is null as is_first
  from seen
),
shown ${dialect.shared} (
  select day + ms as day, ms as gap, is_first and ms = 0 as is_new
  from (select day, pause, is_first, ${dialect.each(bind.integers(offsets))} as ms from paused) as active
  where (pause is null or ms < pause) and day + ms >= 1 and day + ms <= ${bind.integer(days.length)}
)
${values.join("\nunion all\n")}
order by metric, day`;
  return { text, parameters: bind.parameters };
}

const DAYS_OF_UNIT = "partition by unit order by day";

function activities(plans: readonly Plan[]): Activity[] {
  return distinctTerms(plans).flatMap(({ sources }) => sources.filter(isActivity));
}

/** The number of a unit's day, in a row of `shown`. */
function activityNumber({ terms }: Amount): string {
  const tests = terms
    .flatMap(({ sources }) => sources.filter(isActivity))
    .map((one) => (one.marks === "first" ? "is_new" : `gap < ${one.withinDays}`));
  return tests.length === 0 ? "0" : tests.map((test) => `case when ${test} then 1 else 0 end`).join(" + ");
}
