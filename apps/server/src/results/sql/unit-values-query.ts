import { distinctMarkers, distinctTerms, type Plan, type Term } from "../plans/plan.ts";
import type { Analysis } from "./analysis.ts";
import type { Dialect } from "./dialect.ts";
import { withEventNumbers } from "./event-numbers.ts";
import { DAYS, DAYS_BEFORE, foldColumns } from "./fold-columns.ts";
import { type Measure, toMeasure } from "./measures.ts";
import { hitsTable, unitsTable } from "./moments-query.ts";
import { sourceTables } from "./source-rows.ts";
import { type Bind, parametersFor, type Statement } from "./statement.ts";

/** The amounts of a unit: those of `Sums` before they are added up. */
export type AmountName = "y" | "d" | "p" | "q";

/**
 * The amounts of a unit without their bounds: `y3` is that of the plan with the index 3. `has_events` is 0 for a unit that no plan has an
 * event of since its first exposure: bounds don't apply to it.
 */
export type UnitValuesRow = { id: string; has_events: number } & Record<`${AmountName}${number}`, number>;

/** The values of the percentiles that bound amounts. Null if no unit has an amount other than 0. */
export type UnitBoundsRow = { [bound in `${"low" | "high"}_${AmountName}${number}`]: number | null };

/** Bounds apply to each amount now and, with percentiles of their own, before the first exposure. */
const BOUNDED: Record<AmountName, "y" | "d"> = { y: "y", d: "d", p: "y", q: "d" };

/** The amounts that a plan has. */
export function amountNames({ denominator, preMs }: Plan): AmountName[] {
  const isRatio = denominator !== undefined;
  return [
    ...(isRatio ? (["y", "d"] as const) : (["y"] as const)),
    ...(preMs > 0 ? (isRatio ? (["p", "q"] as const) : (["p"] as const)) : []),
  ];
}

/** The percentiles that bound an amount of a plan; undefined if it has none. */
export function boundsOfAmount({ numerator, denominator }: Plan, name: AmountName) {
  const bounds = BOUNDED[name] === "y" ? numerator.bounds : denominator?.bounds;
  return bounds && Object.keys(bounds).length > 0 ? bounds : undefined;
}

export const isBounded = (plan: Plan): boolean => amountNames(plan).some((name) => boundsOfAmount(plan, name) !== undefined);

/** When the units of a plan count, ms since their first exposure: 0, or once their span is over. */
export function entryDelay({ waitsForSpan, numerator, denominator }: Plan): number {
  if (!waitsForSpan) return 0;
  const ends = [...numerator.terms, ...(denominator?.terms ?? [])].map(({ span }) => span.to);
  return ends.some((end) => end === null) ? 0 : Math.max(...(ends as number[]));
}

/** The next units in the order of their ids, each with its group and its first exposure. */
export type UnitRow = { id: string; grp: string; since: number | string; delay: number | string };

/** The statement that answers the next units of an analysis after an id, whose first exposure was before a time. */
export function unitPageQuery(
  analysis: Analysis,
  { after, before, most }: { after: string; before: number; most: number },
  dialect: Dialect,
): Statement {
  const bind = parametersFor(dialect);
  const delay = typeof analysis.units === "string" ? "delay" : "0";
  const text = `
with ${sourceTables([], analysis, dialect)}${unitsTable(analysis, dialect, bind)}
select id, grp, since, ${delay} as delay from unit where id > ${bind.text(after)} and since < ${bind.integer(before)} order by id limit ${most}`;
  return { text, parameters: bind.parameters };
}

/** The statement that answers the amounts of each unit at the end of an analysis. All plans have the same `preMs`. */
export function unitValuesQuery(plans: readonly Plan[], analysis: Analysis, dialect: Dialect): Statement {
  const bind = parametersFor(dialect);
  const { tables, columns } = amountTables(plans, analysis, dialect, bind);
  const text = `\nwith ${tables}\nselect id, has_events${columns.map((column) => `, ${dialect.double(column)} as ${column}`).join("")} from amounts`;
  return { text, parameters: bind.parameters };
}

/** The statement that answers the bounds of plans. One plan at least must have bounds. */
export function unitBoundsQuery(plans: readonly Plan[], analysis: Analysis, dialect: Dialect): Statement {
  const bind = parametersFor(dialect);
  const { tables } = amountTables(plans, analysis, dialect, bind);
  const columns = plans.flatMap((plan, index) =>
    amountNames(plan).flatMap((name) => {
      const bounds = boundsOfAmount(plan, name);
      if (!bounds) return [];
      const amount = `${name}${index}`;
      const hasEvents = name === "y" || name === "d" ? " and has_events = 1" : "";
      const counts = `${amount} <> 0 and since <= ${bind.integer(analysis.end - entryDelay(plan))}${hasEvents}`;
      return Object.entries(bounds).map(
        ([side, level]) => `${dialect.double(dialect.percentile(amount, level, counts))} as ${side}_${amount}`,
      );
    }),
  );
  return { text: `\nwith ${tables}\nselect ${columns.join(", ")} from amounts`, parameters: bind.parameters };
}

/** The tables up to `amounts`, which has each unit's amounts, and the columns of these. */
function amountTables(plans: readonly Plan[], analysis: Analysis, dialect: Dialect, bind: Bind): { tables: string; columns: string[] } {
  const preMs = Math.max(...plans.map((plan) => plan.preMs));
  const terms = distinctTerms(plans);
  const numbers = withEventNumbers(terms, dialect, bind);
  const folds = terms.map((term, index) => foldColumns(term, index, { preMs, markers: distinctMarkers(terms) }, numbers.reading, bind));
  const keys = terms.map((term) => JSON.stringify(term));
  const measures = plans.map((plan, index) => toMeasure(plan, index, (term: Term) => keys.indexOf(JSON.stringify(term)), dialect, bind));
  const names = plans.map(amountNames);
  const amounts = measures.flatMap((measure, index) => (names[index] ?? []).map((name) => toAmount(measure, name)));
  const [now, before] = [amounts.filter(({ isEarlier }) => !isEarlier), amounts.filter(({ isEarlier }) => isEarlier)];
  const tables = `${sourceTables(terms, analysis, dialect)}${unitsTable(analysis, dialect, bind)},
${hitsTable(terms, preMs, analysis, dialect, bind)},
counted ${dialect.inlined} (select unit, day, age, "time", id${list(folds.flatMap(({ counted }) => counted))} from ${numbers.table()} ${dialect.once}),
prepared ${dialect.inlined} (select unit, day, age, "time", id${list(folds.flatMap(({ prepared }) => prepared))} from counted),
daily ${dialect.inlined} (select unit, ${DAY_OF_UNIT} as day${list(folds.flatMap(({ daily }) => daily))} from prepared group by unit, ${DAY_OF_UNIT}),
running ${dialect.shared} (
  select unit, day, ${dialect.beside("lead", "day", DAYS, "days_before")} is null as is_last${list(folds.flatMap(({ running }) => running))}
  from daily window days_before as (${DAYS_BEFORE})
),
state ${dialect.inlined} (select unit, 1 as has_events${list(now.map(({ column, expression }) => `${expression} as ${column}`))} from running where is_last and day > 0),
earlier ${dialect.inlined} (select unit${list(before.map(({ column, expression }) => `${expression} as ${column}`))} from running where day = 0),
amounts ${dialect.inlined} (
  select unit.id as id, unit.since as since, coalesce(state.has_events, 0) as has_events${list(
    amounts.map(({ column, isEarlier, start }) => `coalesce(${isEarlier ? "earlier" : "state"}.${column}, ${start}) as ${column}`),
  )}
  from unit left join state on state.unit = unit.unit left join earlier on earlier.unit = unit.unit
)`;
  return { tables, columns: amounts.map(({ column }) => column) };
}

/** Day 0 is all that is before the first exposure. */
const DAY_OF_UNIT = "case when age < 0 then 0 else day end";

const list = (columns: string[]) => columns.map((column) => `, ${column}`).join("");

/** A column with the amount of a unit, and that of one without events. */
function toAmount({ index, running, earlier, start }: Measure, name: AmountName) {
  const letter = BOUNDED[name];
  const isEarlier = name === "p" || name === "q";
  return {
    column: `${name}${index}`,
    isEarlier,
    expression: (isEarlier ? earlier : running)[letter],
    start: isEarlier ? "0" : start[letter],
  };
}
