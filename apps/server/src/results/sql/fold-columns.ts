import { DAY_MS } from "../../common/utc-day.ts";
import type { Fold, Marker, Term } from "../plans/plan.ts";
import type { Dialect } from "./dialect.ts";
import type { Bind } from "./statement.ts";
import { termColumns } from "./term-columns.ts";

/**
 * The columns of one term in each step of the query. `hit` has the events of units. `counted` has the number of each event, `prepared` its
 * addition to its unit, `daily` that of a unit's day. `running` has the unit's number at the end of a day, before it, and before its first
 * exposure. A column has the number of its term: `x3`, `b3` before a day, and `w3` before the first exposure, which is day 0.
 */
export type FoldColumns = { counted: string[]; prepared: string[]; daily: string[]; running: string[] };

/** The days of a unit in their order, and the window of `running`: those before a day. */
export const DAYS = "partition by unit order by day";
export const DAYS_BEFORE = `${DAYS} rows between unbounded preceding and 1 preceding`;

/** Folds whose number is the sum of the events' additions. */
const SUMMED: readonly Fold["by"][] = ["sum", "days", "distinct", "first", "latest"];

export function foldColumns(
  term: Term,
  index: number,
  { preMs, markers }: { preMs: number; markers: readonly Marker[] },
  dialect: Dialect,
  bind: Bind,
): FoldColumns {
  const { number: numberOfEvent, counts, countsEarlier, countsEither } = termColumns(term, preMs, markers, dialect, bind);
  const { fold } = term;
  const x = `x${index}`;
  const w = `w${index}`;
  const daily = `${dailyExpression(term, x, dialect, bind)} as ${x}`;
  const running = (earlier: string) => [...runningColumns(fold, x, `b${index}`), `case when day = 0 then ${earlier} end as ${w}`];
  if (isAlikeEarlier(term))
    return {
      counted: [`case when ${countsEither()} then ${numberOfEvent} end as ${x}`],
      prepared: [x],
      daily: [daily],
      running: running(x),
    };
  // A distinct text has a separate column, and the number 1.
  const text = fold.by === "distinct" ? dialect.textUnder(`hit."metadata"`, bind.text(fold.key)) : undefined;
  const number = text ?? numberOfEvent;
  return {
    counted: [`case when ${counts()} then ${number} end as ${x}`, `case when ${countsEarlier()} then ${number} end as ${w}`],
    prepared: [`${preparedExpression(fold, x, dialect, bind)} as ${x}`, preparedEarlier(term, w, bind)],
    daily: [daily, `${earlierExpression(term, w, dialect, bind)} as ${w}`],
    running: running(w),
  };
}

/** Whether the time before the first exposure is folded as a day is, so that one column has both. */
function isAlikeEarlier({ fold, cap }: Term): boolean {
  return cap === undefined && ["sum", "any", "max", "min"].includes(fold.by);
}

/** The number of whole days between the first exposure and an event. */
function dayOfUnit(dialect: Dialect, bind: Bind): string {
  return `floor(${dialect.double("age")} / ${bind.double(DAY_MS)})`;
}

/** An event's addition, or its number where that is compared. The window functions see the events of a unit that have a number. */
function preparedExpression(fold: Fold, x: string, dialect: Dialect, bind: Bind): string {
  const inOrder = `partition by unit, ${x} is null order by "time", id`;
  switch (fold.by) {
    case "first":
      return `case when ${x} is not null and row_number() over (${inOrder}) = 1 then ${x} end`;
    case "latest":
      return `${x} - coalesce(${dialect.beside("lag", x, inOrder)}, 0)`;
    case "days":
      return `case when ${x} is not null and row_number() over (partition by unit, ${x} is null, ${dayOfUnit(dialect, bind)} order by "time", id) = 1 then 1 end`;
    case "distinct":
      return `case when ${x} is not null and row_number() over (partition by unit, ${x} order by "time", id) = 1 then 1 end`;
    default:
      return x;
  }
}

/**
 * The addition of an event before the exposure. The cap of a day counts before the exposure too: otherwise a unit with a large amount
 * before would decide alone how much CUPED explains.
 */
function preparedEarlier({ fold, cap }: Term, w: string, bind: Bind): string {
  if (cap === undefined || fold.by !== "sum") return w;
  const most = bind.double(cap);
  const onDay = `sum(${w}) over (partition by unit, day, age < 0 order by "time", id rows between unbounded preceding and`;
  return `case when ${w} is not null then least(${onDay} current row), ${most}) - least(coalesce(${onDay} 1 preceding), 0), ${most}) end as ${w}`;
}

function dailyExpression({ fold, cap }: Term, x: string, dialect: Dialect, bind: Bind): string {
  if (fold.by === "max" || fold.by === "min") return `${fold.by}(${x})`;
  if (!SUMMED.includes(fold.by)) return `max(case when ${x} is not null then 1 else 0 end)`;
  const sum = `coalesce(${dialect.double(`sum(${x})`)}, 0)`;
  return cap === undefined ? sum : `least(${sum}, ${bind.double(cap)})`;
}

/** Both come from the window before the day, so that the rows of a unit are read once. */
function runningColumns(fold: Fold, x: string, b: string): string[] {
  const today = `case when day > 0 then ${x} end`;
  const folded = (by: string) => `${by}(${today}) over days_before`;
  if (fold.by === "any") {
    const before = `coalesce(${folded("max")}, 0)`;
    return [`case when day > 0 and ${x} = 1 or ${before} = 1 then 1 else 0 end as ${x}`, `${before} as ${b}`];
  }
  if (fold.by === "max" || fold.by === "min") {
    const before = folded(fold.by);
    const replaces = `${before} is null or ${today} ${fold.by === "max" ? ">" : "<"} ${before}`;
    return [`coalesce(case when ${replaces} then ${today} else ${before} end, 0) as ${x}`, `coalesce(${before}, 0) as ${b}`];
  }
  const before = `coalesce(${folded("sum")}, 0)`;
  return [`${before} + coalesce(${today}, 0) as ${x}`, `${before} as ${b}`];
}

function earlierExpression({ fold }: Term, w: string, dialect: Dialect, bind: Bind): string {
  const known = `${w} is not null`;
  const orZero = (expression: string) => `coalesce(${dialect.double(expression)}, 0)`;
  switch (fold.by) {
    case "days":
      return orZero(dialect.aggregate(`count(distinct ${dayOfUnit(dialect, bind)})`, known, "0"));
    case "distinct":
      return orZero(`count(distinct ${w})`);
    case "first":
      return orZero(dialect.firstBy(w, [`"time"`, "id"], known));
    case "latest":
      return orZero(dialect.lastBy(w, [`"time"`, "id"], known));
    default:
      return orZero(`${fold.by === "any" ? "max" : fold.by}(${w})`);
  }
}
