import { type PercentilePlan, termOfPercentile } from "../plans/plan.ts";
import type { Analysis } from "./analysis.ts";
import type { Dialect } from "./dialect.ts";
import { hitsTable, unitsTable } from "./moments-query.ts";
import { sourceTables } from "./source-rows.ts";
import { type Bind, parametersFor, type Statement } from "./statement.ts";
import { termColumns } from "./term-columns.ts";

/**
 * The percentile of a group that has events, how many units have any, and the moments of these units: `events` is the sum of their numbers of
 * events, and `low` that of their events up to the percentile.
 */
export type PercentileRow = {
  grp: string;
  value: number;
  units: number;
} & Record<"events" | "event_squares" | "low" | "low_squares" | "products", number>;

/** The values of a group at its levels, which are numbered from 0. Null where another group has more levels. */
export type BoundsRow = { grp: string } & { [bound in `low${number}` | `high${number}`]: number | null };

/** A confidence in percent, and the levels whose values bound its interval. */
export type Level = { confidence: number; lower: number; upper: number };

/** The confidences of a group, ascending: those whose levels lie between the smallest and the largest event. */
export type GroupLevels = { groupID: string; levels: Level[] };

/** The statement that answers the percentile of each group's events. The analysis needs no days after the first. */
export function percentileQuery(plan: PercentilePlan, analysis: Analysis, dialect: Dialect): Statement {
  const bind = parametersFor(dialect);
  const sum = (expression: string) => dialect.double(`sum(${expression})`);
  const text = `
with ${numberTables(plan, analysis, dialect, bind)},
bound as (select grp, ${dialect.percentile("x", plan.percentile, "true")} as value from number group by grp),
tally as (
  select number.unit, number.grp, min(bound.value) as value, count(*) as events, sum(case when number.x <= bound.value then 1 else 0 end) as low
  from number join bound on bound.grp = number.grp group by number.unit, number.grp
)
select grp, ${dialect.double("min(value)")} as value, ${dialect.double("count(*)")} as units, ${sum("events")} as events,
  ${sum("events * events")} as event_squares, ${sum("low")} as low, ${sum("low * low")} as low_squares, ${sum("low * events")} as products
from tally group by grp order by grp`;
  return { text, parameters: bind.parameters };
}

/** The statement that answers the values of groups at their levels. */
export function boundsQuery(plan: PercentilePlan, groups: readonly GroupLevels[], analysis: Analysis, dialect: Dialect): Statement {
  const bind = parametersFor(dialect);
  const numbers = numberTables(plan, analysis, dialect, bind);
  const at = (level: number | undefined) => dialect.double(level === undefined ? "null" : dialect.percentile("x", level, "true"));
  const most = Math.max(...groups.map(({ levels }) => levels.length));
  const rows = groups.map(({ groupID, levels }) => {
    const bounds = Array.from({ length: most }, (_, index) => {
      const { lower, upper } = levels[index] ?? {};
      return `${at(lower)} as low${index}, ${at(upper)} as high${index}`;
    });
    const group = bind.text(groupID);
    return `select ${group} as grp, ${bounds.join(", ")} from number where grp = ${group}`;
  });
  return { text: `\nwith ${numbers}\n${rows.join("\nunion all\n")}`, parameters: bind.parameters };
}

/** The tables up to `number`: a row for each event that counts, with its unit, the unit's group and its number `x`. */
function numberTables(plan: PercentilePlan, analysis: Analysis, dialect: Dialect, bind: Bind): string {
  const term = termOfPercentile(plan);
  const { counts, number } = termColumns(term, 0, [], dialect, bind);
  const { to } = plan.span;
  const hasEntered = plan.waitsForSpan && to !== null ? ` and unit.since + ${bind.integer(to)} <= ${bind.integer(analysis.end)}` : "";
  return `${sourceTables([term], analysis, dialect)}${unitsTable(analysis, dialect, bind)},
${hitsTable([term], 0, analysis, dialect, bind)},
counted ${dialect.inlined} (select unit, case when ${counts()} then ${number} end as x from hit),
number ${dialect.shared} (select counted.unit, unit.grp, counted.x from counted join unit on unit.unit = counted.unit where counted.x is not null${hasEntered})`;
}
