import type { Dialect } from "./dialect.ts";
import type { Fold, Marker, Term } from "./plan.ts";
import { DAY_MS } from "./plan-terms.ts";
import type { Bind } from "./statement.ts";
import { columnsOf } from "./term-columns.ts";

/**
 * The columns of one term in each step of the query. `hit` has the events of units. `counted` has the number of each event, `prepared` what
 * it adds to its unit, `daily` what a unit's day adds, `running` the unit's number at the end of a day, and `earlier` its number before the
 * first exposure. A term has one column in each, called after its number: `x3`.
 */
export type FoldColumns = { counted: string[]; prepared: string[]; daily: string; running: string; earlier: string };

/** Folds whose number is the sum of what each event adds. */
const SUMMED: readonly Fold["by"][] = ["sum", "days", "distinct", "first", "latest"];

export function foldColumns(
  term: Term,
  index: number,
  { preMs, markers }: { preMs: number; markers: readonly Marker[] },
  dialect: Dialect,
  bind: Bind,
): FoldColumns {
  const { ofHit, countsEarlier } = columnsOf(term, preMs, markers, dialect, bind);
  const { fold } = term;
  const x = `x${index}`;
  const w = `w${index}`;
  // Of a distinct text, the number is 1 and the text has a column of its own.
  const text = fold.by === "distinct" ? dialect.textUnder(`hit."metadata"`, bind.text(fold.key)) : undefined;
  const number = text ?? ofHit.number;
  return {
    counted: [`case when ${ofHit.counts} then ${number} end as ${x}`, `case when ${countsEarlier} then ${number} end as ${w}`],
    prepared: [`${preparedOf(fold, x, dialect, bind)} as ${x}`, w],
    daily: `${dailyOf(term, x, dialect, bind)} as ${x}`,
    running: `${runningOf(fold, x)} as ${x}`,
    earlier: `${earlierOf(term, w, dialect, bind)} as ${w}`,
  };
}

/** The number of whole days between the first exposure and an event. */
function dayOfUnit(dialect: Dialect, bind: Bind): string {
  return `floor(${dialect.double("age")} / ${bind.double(DAY_MS)})`;
}

/** What an event adds, or its number where that is compared. The window functions see the events of a unit that have a number. */
function preparedOf(fold: Fold, x: string, dialect: Dialect, bind: Bind): string {
  const inOrder = `partition by unit, ${x} is null order by "time", id`;
  switch (fold.by) {
    case "first":
      return `case when ${x} is not null and row_number() over (${inOrder}) = 1 then ${x} end`;
    case "latest":
      return `${x} - coalesce(lag(${x}) over (${inOrder}), 0)`;
    case "days":
      return `case when ${x} is not null and row_number() over (partition by unit, ${x} is null, ${dayOfUnit(dialect, bind)} order by "time", id) = 1 then 1 end`;
    case "distinct":
      return `case when ${x} is not null and row_number() over (partition by unit, ${x} order by "time", id) = 1 then 1 end`;
    default:
      return x;
  }
}

function dailyOf({ fold, cap }: Term, x: string, dialect: Dialect, bind: Bind): string {
  if (fold.by === "max" || fold.by === "min") return `${fold.by}(${x})`;
  if (!SUMMED.includes(fold.by)) return `max(case when ${x} is not null then 1 else 0 end)`;
  const sum = `coalesce(${dialect.double(`sum(${x})`)}, 0)`;
  return cap === undefined ? sum : `least(${sum}, ${bind.double(cap)})`;
}

function runningOf(fold: Fold, x: string): string {
  const upTo = "over (partition by unit order by day)";
  if (fold.by === "any") return `max(${x}) ${upTo}`;
  if (fold.by === "max" || fold.by === "min") return `coalesce(${fold.by}(${x}) ${upTo}, 0)`;
  return `sum(${x}) ${upTo}`;
}

function earlierOf({ fold }: Term, w: string, dialect: Dialect, bind: Bind): string {
  const known = `${w} is not null`;
  const orZero = (expression: string) => `coalesce(${dialect.double(expression)}, 0)`;
  switch (fold.by) {
    case "sum":
    case "max":
    case "min":
      return orZero(`${fold.by}(${w})`);
    case "any":
      return orZero(`max(case when ${known} then 1 else 0 end)`);
    case "days":
      return orZero(dialect.aggregate(`count(distinct ${dayOfUnit(dialect, bind)})`, known, "0"));
    case "distinct":
      return orZero(`count(distinct ${w})`);
    case "first":
      return orZero(dialect.firstBy(w, `"time", id`, known));
    case "latest":
      return orZero(dialect.firstBy(w, `"time" desc, id desc`, known));
  }
}
