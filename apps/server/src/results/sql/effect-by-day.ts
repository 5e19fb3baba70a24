import { trendWeights } from "@gatehouse/statistics";
import { DAY_MS } from "../../common/utc-day.ts";
import { distinctMarkers, distinctTerms, type Plan, type Term } from "../plans/plan.ts";
import type { Analysis } from "./analysis.ts";
import type { Dialect } from "./dialect.ts";
import { withEventNumbers } from "./event-numbers.ts";
import { foldColumns } from "./fold-columns.ts";
import { eventColumns, loggedTable, unitIDColumn } from "./logged.ts";
import { type Measure, ofEntry, SUMS, sumColumns, toMeasure } from "./measures.ts";
import { type MomentsRow, unitsTable } from "./moments-query.ts";
import { loggedRows, sourceTables } from "./source-rows.ts";
import { type Bind, parametersFor, type Statement } from "./statement.ts";
import { isOfUnit } from "./values-query.ts";

// What units did on single days. Plans are those of `planOfUnitDay`, which count a unit's day by itself.

/** When each day begins, ms, ascending, and when the last one ends. Counted from the epoch, or from each unit's first exposure. */
export type Bounds = { days: readonly number[]; end: number };

/** The days that are counted: those of the calendar, or of each unit since its first exposure, which last 24 hours. */
export type CountedDays = { of: "calendar"; bounds: Bounds } | { of: "exposure"; count: number };

/** A row of the answer. `day` counts from 1. `n` counts only units with an event on the day. */
export type DayOfUnitsRow = Omit<MomentsRow, "dim">;

/** How many units of a group entered on a day of the calendar, 0 before the first and after the last one at the end, and on how many whole days they were observed. */
export type EnteredRow = { grp: string; entered: number; observed: number; units: number | string };

/** The statement that counts units by the day of their first exposure, and by the whole days since then, up to `most`. */
export function enteredQuery(analysis: Analysis, { days, end }: Bounds, most: number, dialect: Dialect): Statement {
  const bind = parametersFor(dialect);
  const entered = dialect.position("since", bind.integers([...days, end]));
  const observed = dialect.position(`${bind.integer(analysis.end)} - since`, bind.integers(daysSinceExposure(most + 1).slice(1)));
  const text = `
with ${sourceTables([], analysis, dialect)}${unitsTable(analysis, dialect, bind)}
select grp, entered, observed, count(*) as units from (select grp, ${entered} as entered, ${observed} as observed from unit) as counted
group by grp, entered, observed order by grp, entered, observed`;
  return { text, parameters: bind.parameters };
}

/** The statement that answers the sums over the units of each group for each day. */
export function effectByDayQuery(plans: readonly Plan[], analysis: Analysis, counted: CountedDays, dialect: Dialect): Statement {
  const bind = parametersFor(dialect);
  const { tables, measures } = amountTables(plans, analysis, counted, dialect, bind);
  return { text: `\nwith ${tables},\n${summed("amounts", measures, dialect)}`, parameters: bind.parameters };
}

/**
 * The statement that answers, for each group, the sums over the units that were observed for a number of days since their first exposure: of their
 * trends as `y`, and of their means of a day as `p`. Plans have no denominator.
 */
export function trendQuery(plans: readonly Plan[], analysis: Analysis, days: number, dialect: Dialect): Statement {
  const bind = parametersFor(dialect);
  const { tables, measures } = amountTables(plans, analysis, { of: "exposure", count: days }, dialect, bind);
  // Multiples of a factor: the sums of whole amounts are exact, whatever the order of the days.
  const weights = trendWeights(days);
  const factor = (weights.at(-1) ?? 0) / (days - 1);
  const multiples = weights.map((weight, index) => `when ${index + 1} then ${bind.double(Math.round(weight / factor))}`);
  const multiple = `case day ${multiples.join(" ")} else ${bind.double(0)} end`;
  const columns = measures.map(
    ({ index }) =>
      `, sum(${multiple} * y${index}) * ${bind.double(factor)} as y${index}, 0 as d${index}, sum(y${index}) / ${bind.double(days)} as p${index}, 0 as q${index}`,
  );
  const text = `
with ${tables},
trends ${dialect.shared} (
  select grp, unit, 1 as day${columns.join("")} from amounts where since + ${bind.integer(days * DAY_MS)} <= ${bind.integer(analysis.end)}
  group by grp, unit
),
${summed("trends", measures, dialect)}`;
  return { text, parameters: bind.parameters };
}

/** When each day since the first exposure begins, ms after it. */
const daysSinceExposure = (count: number): number[] => Array.from({ length: count }, (_, day) => day * DAY_MS);

/** The table `amounts`, which has the amounts of each unit on each day with an event, and the measures that read it. */
function amountTables(plans: readonly Plan[], analysis: Analysis, counted: CountedDays, dialect: Dialect, bind: Bind) {
  const terms = distinctTerms(plans);
  const numbers = withEventNumbers(terms, dialect, bind);
  const folds = terms.map((term, index) => foldColumns(term, index, { preMs: 0, markers: distinctMarkers(terms) }, numbers.reading, bind));
  const keys = terms.map((term) => JSON.stringify(term));
  const measures = plans.map((plan, index) => toMeasure(plan, index, (term: Term) => keys.indexOf(JSON.stringify(term)), dialect, bind));
  const columns = (part: "counted" | "prepared" | "daily") =>
    folds
      .flatMap((fold) => fold[part].filter(isOfUnit))
      .map((column) => `, ${column}`)
      .join("");
  const amounts = measures.map(
    ({ index, running }) => `, ${running.y} as y${index}, ${running.d} as d${index}, 0 as p${index}, 0 as q${index}`,
  );
  const tables = `${sourceTables(terms, analysis, dialect)}${unitsTable(analysis, dialect, bind)},
${datedTable(terms, analysis, counted, dialect, bind)},
hit ${dialect.inlined} (
  select unit_id, unit_id * ${MOST_DAYS} + day as unit, day, 0 as age, "time", id, "name", "value", "metadata", "userFields" from dated
),
counted ${dialect.inlined} (select unit_id, unit, day, age, "time", id${columns("counted")} from ${numbers.table()} ${dialect.once}),
prepared ${dialect.inlined} (select unit_id, unit, day, age, "time", id${columns("prepared")} from counted),
daily ${dialect.inlined} (select unit_id, day${columns("daily")} from prepared group by unit_id, day),
amounts ${dialect.shared} (
  select unit.grp as grp, unit.since as since, daily.unit_id as unit, daily.day as day${amounts.join("")}
  from daily join unit on unit.unit = daily.unit_id
)`;
  return { tables, measures };
}

/** Each day of a unit is a unit of its own to the folds. There are fewer days than this. */
const MOST_DAYS = 1_000;

/** The events of units since their first exposure, each with its day. Days since the exposure count if they were over at the end. */
function datedTable(terms: readonly Term[], analysis: Analysis, counted: CountedDays, dialect: Dialect, bind: Bind): string {
  const { projectID, exposureSource, idType, days, end, sources } = analysis;
  const since = counted.of === "calendar" ? (counted.bounds.days[0] ?? end) : (days[0] ?? 0);
  const readsKept = exposureSource.type !== "events";
  const logged = sources
    ? loggedRows(terms, sources, { since, end }, dialect, bind)
    : loggedTable(terms, { projectID, since, readsKept }, dialect, bind);
  const unitID = sources ? `event."userID"` : unitIDColumn(idType, dialect, bind);
  const [time, bounds] =
    counted.of === "calendar"
      ? [`event."time"`, counted.bounds]
      : [`(event."time" - unit.since)`, { days: daysSinceExposure(counted.count), end: counted.count * DAY_MS }];
  const day = dialect.position(time, bind.integers(bounds.days));
  const isOver = counted.of === "calendar" ? "" : `where since + day * ${bind.integer(DAY_MS)} <= ${bind.integer(end)}`;
  return `${logged},
dated ${dialect.inlined} (
  select * from (
    select unit.unit as unit_id, unit.since as since, ${day} as day, ${eventColumns(terms)}
    from logged as event join unit on unit.id = ${unitID}
    where event."time" < ${bind.integer(end)} and event."time" >= unit.since
      and ${time} >= ${bind.integer(bounds.days[0] ?? 0)} and ${time} < ${bind.integer(bounds.end)}
  ) as counting ${isOver}
)`;
}

/** The sums of a table by group and day. */
function summed(table: string, measures: readonly Measure[], dialect: Dialect): string {
  const sums = measures.flatMap((measure) => sumColumns(ofEntry(measure), measure, dialect)).map((column) => `, ${column}`);
  const rows = measures.map(({ index }) => [String(index), ...SUMS.map((name) => `${name}_${index}`)]);
  return `summed ${dialect.shared} (select grp, day${sums.join("")} from ${table} group by grp, day)
select metric, grp, day, ${SUMS.map((name) => `${dialect.double(name)} as ${name}`).join(", ")}
from (${dialect.divided(["grp", "day"], ["metric", ...SUMS], rows, "summed")}) as moved order by metric, grp, day`;
}
