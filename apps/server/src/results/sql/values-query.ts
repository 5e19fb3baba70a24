import type { TimeZone } from "../../common/time-zone.ts";
import { distinctMarkers, distinctTerms, type PercentilePlan, type Plan, type Term, termOfPercentile } from "../plans/plan.ts";
import { dayNumber } from "./day-number.ts";
import type { Dialect } from "./dialect.ts";
import { foldColumns } from "./fold-columns.ts";
import { eventColumns, loggedTable, unitIDColumn } from "./logged.ts";
import { markedRows } from "./marked.ts";
import { toMeasure } from "./measures.ts";
import type { SourceTable } from "./source-query.ts";
import { loggedRows, sourceTables } from "./source-rows.ts";
import { parametersFor, type Statement } from "./statement.ts";

/**
 * A row of the answer. `metric` is the index of the plan, and `day` counts from 1. `units` are those with a number or denominator other
 * than 0, or those with an event if the numerator is a percentile.
 */
export type ValuesRow = { metric: number; day: number; units: number; numerator: number; denominator: number };

export type ValuedDays = {
  projectID: string;
  /** The unit ID type of the units. */
  idType: string;
  /** When each day begins, ms, ascending. */
  days: readonly number[];
  /** Events from this time on do not count, ms. */
  end: number;
  /** The time zone of the days. */
  timeZone: TimeZone;
  /** Given if values are computed from rows of a warehouse. */
  sources?: readonly SourceTable[];
  /** The environments whose events count, in lower case; any if undefined. Activity counts in any. */
  environments?: readonly string[];
};

/** The statement that answers the values of metrics on single days. The plans are those of `planOfDay`. Days without any event have no row. */
export function valuesQuery(
  plans: readonly (Plan | PercentilePlan)[],
  { projectID, idType, days, end, environments, sources }: ValuedDays,
  dialect: Dialect,
): Statement {
  const bind = parametersFor(dialect);
  const terms = distinctTerms(plans);
  const markers = distinctMarkers(terms);
  const folds = terms.map((term, index) => foldColumns(term, index, { preMs: 0, markers }, dialect, bind));
  const names = new Map(terms.map((term, index) => [JSON.stringify(term), index]));
  const termNumber = (term: Term) => names.get(JSON.stringify(term)) as number;
  const since = days[0] ?? end;
  const logged = sources
    ? `${sourceTables(terms, { sources }, dialect)}${loggedRows(terms, sources, { since, end }, dialect, bind)}`
    : loggedTable(terms, { projectID, since, readsKept: false, environments }, dialect, bind);
  const unitID = sources ? `event."userID"` : unitIDColumn(idType, dialect, bind);
  const columns = (part: "counted" | "prepared" | "daily") =>
    folds
      .map((fold) =>
        fold[part]
          .filter(isOfUnit)
          .map((column) => `, ${column}`)
          .join(""),
      )
      .join("");
  const values = plans.map((plan, index) => {
    if ("percentile" in plan) return selectPercentiles(plan, index, `x${termNumber(termOfPercentile(plan))}`, dialect);
    const { isRatio, running } = toMeasure(plan, index, termNumber, dialect, bind);
    const { y, d } = running;
    const sum = (expression: string) => dialect.double(`sum(${expression})`);
    return `select ${index} as metric, day, ${sum(`case when ${isRatio ? d : y} <> 0 then 1 else 0 end`)} as units, ${sum(y)} as numerator, ${sum(d)} as denominator
from daily group by day`;
  });
  // A unit's days are units of their own.
  const text = `
with ${logged},
dated ${dialect.inlined} (
  select ${unitID} as unit_id, ${dayNumber(`event."time"`, { days, earlierDays: [] }, dialect, bind)} as day, ${eventColumns(terms)}
  from logged as event where event."time" >= ${bind.integer(since)} and event."time" < ${bind.integer(end)}
),
${markers.length > 0 ? "happened as" : `hit ${dialect.inlined}`} (
  select cast(day as text) || ' ' || unit_id as unit, 0 as age, day, "time", id, "name", "value", "metadata", "userFields"
  from dated where unit_id <> ''
)${markers.length > 0 ? `,\n${markedRows(markers, 0, { days, earlierDays: [], end }, dialect, bind)}` : ""},
counted ${dialect.inlined} (select unit, day, age, "time", id${columns("counted")} from hit),
prepared ${dialect.inlined} (select unit, day, age, "time", id${columns("prepared")} from counted),
daily ${dialect.shared} (select unit, day${columns("daily")} from prepared group by unit, day)
${values.join("\nunion all\n")}
order by metric, day`;
  return { text, parameters: bind.parameters };
}

function selectPercentiles({ percentile }: PercentilePlan, index: number, x: string, dialect: Dialect): string {
  return `select ${index} as metric, day, ${dialect.double("count(distinct unit)")} as units, ${dialect.double(dialect.percentile(x, percentile, "true"))} as numerator,
  ${dialect.double("0")} as denominator from counted where ${x} is not null group by day`;
}

/** Days have no earlier rows: the columns of units' earlier behavior, `w0`, are left out. */
export const isOfUnit = (column: string) => !/(^| as )w\d+$/.test(column);
