import { type Analysis, dayOf } from "./days.ts";
import type { Dialect } from "./dialect.ts";
import type { Amount, Plan, Term } from "./plan.ts";
import type { Bind } from "./statement.ts";

/**
 * What a day adds to the moments of a group: the sums over its units, whose amounts are y, and d for the denominator of a ratio, and p and q
 * before the first exposure. So the moments as of a day are the sums of all days up to it. `n` counts units, `k` those whose d is not 0, and
 * `m` those whose p is not 0. A unit without denominator has no numerator either.
 */
export const SUMS = ["n", "k", "m", "y", "yy", "d", "dd", "yd", "p", "pp", "q", "qq", "pq", "yp", "yq", "dp", "dq"] as const;

type Sum = (typeof SUMS)[number];

/** A plan as SQL. Its columns are called after its index: `y3`. */
export type Measure = {
  index: number;
  isRatio: boolean;
  /** When units enter, in ms since their first exposure, if they wait for the end of their span; null if they enter at once. */
  waits: number | null;
  /** The amounts of a unit's row in `running`, and in `earlier`. */
  running: Amounts;
  earlier: Amounts;
  /** The amounts of a unit without events. */
  start: Amounts;
  bounds: Record<"y" | "d", Amount["bounds"]>;
};

/** SQL expressions. */
type Amounts = { y: string; d: string };

const NOTHING: Amount = { terms: [], bounds: {} };

/** @param nameOf the number of a term's columns */
export function measureOf(plan: Plan, index: number, nameOf: (term: Term) => number, dialect: Dialect, bind: Bind): Measure {
  const { numerator, denominator = NOTHING } = plan;
  const sumOf = ({ terms }: Amount, letter: "x" | "w") =>
    dialect.double(terms.map((term) => thresholded(term, `${letter}${nameOf(term)}`, bind)).join(" + ") || "0");
  const isRatio = plan.denominator !== undefined;
  const participating = ({ y, d }: Amounts): Amounts => ({ y: isRatio ? `(case when ${d} <> 0 then ${y} else 0 end)` : y, d });
  const amounts = (letter: "x" | "w") => participating({ y: sumOf(numerator, letter), d: sumOf(denominator, letter) });
  return {
    index,
    isRatio,
    waits: plan.waitsForSpan ? spanEnd(plan) : null,
    running: amounts("x"),
    earlier: amounts("w"),
    start: participating({ y: dialect.double(startOf(numerator)), d: dialect.double(startOf(denominator)) }),
    bounds: { y: numerator.bounds, d: denominator.bounds },
  };
}

function thresholded({ threshold }: Term, column: string, bind: Bind): string {
  const number = `coalesce(${column}, 0)`;
  return threshold === undefined ? number : `(case when ${number} >= ${bind.double(threshold)} then 1 else 0 end)`;
}

function startOf({ terms }: Amount): string {
  return String(terms.filter(({ threshold }) => threshold !== undefined && threshold <= 0).length);
}

/** When the spans of a plan are over, in ms since the first exposure; null if one has no end. */
function spanEnd({ numerator, denominator = NOTHING }: Plan): number | null {
  const ends = [...numerator.terms, ...denominator.terms].map(({ span }) => span.to);
  return ends.some((end) => end === null) ? null : Math.max(...(ends as number[]));
}

type Given = { analysis: Analysis; dialect: Dialect; bind: Bind };

/** The tables of measures whose units enter alike, and the rows of what each day adds to each measure. */
export function partOf(measures: readonly Measure[], waits: number | null, part: number, given: Given): { tables: string; rows: string } {
  const { analysis, dialect, bind } = given;
  const [entry, state, bound, clipped, step, moved] = ["entry", "state", "bound", "clipped", "step", "moved"].map(
    (name) => `${name}${part}`,
  );
  const each = (columns: (measure: Measure) => string[]) =>
    measures
      .flatMap(columns)
      .map((column) => `, ${column}`)
      .join("");
  const entersAt = waits === null ? "unit.since" : `unit.since + ${bind.integer(waits)}`;
  const hasEntered = waits === null ? "" : `where ${entersAt} <= ${bind.integer(analysis.end)}`;
  const isBounded = measures.some(({ bounds }) => [bounds.y, bounds.d].some((one) => one.low !== undefined || one.high !== undefined));
  const tables = [
    `${entry} as (select unit.unit, unit.grp, unit.dim, ${dayOf(entersAt, analysis, dialect, bind)} as day${each(
      ({ index, start, earlier }) => [
        ...[`${start.y} as y${index}`, `${start.d} as d${index}`],
        ...[`coalesce(${earlier.y}, 0) as p${index}`, `coalesce(${earlier.d}, 0) as q${index}`],
      ],
    )} from unit left join earlier on earlier.unit = unit.unit ${hasEntered})`,
    `${state} as (select unit, day, is_last${each(({ index, running }) => [`${running.y} as y${index}`, `${running.d} as d${index}`])} from running)`,
    ...(isBounded
      ? [
          `${bound} as (select ${measures.flatMap((measure) => boundsOf(measure, dialect)).join(", ")} from ${state} where is_last)`,
          `${clipped} as (select unit, day, is_last${each((measure) => clippedOf(measure, `bound${part}`))} from ${state})`,
        ]
      : []),
    `${step} as (select entry.grp, entry.dim, ${waits === null ? "now" : "entry"}.day${each(({ index }) => [
      ...[`entry.p${index}`, `entry.q${index}`, `now.y${index}`, `now.d${index}`],
      ...(["y", "d"] as const).map((column) => `${before(`${column}${index}`, waits)} as ${column}${index}_before`),
    ])} from ${isBounded ? clipped : state} as now join ${entry} as entry on entry.unit = now.unit ${waits === null ? "" : "where now.is_last"})`,
    `${moved} as (
  select grp, dim, day${each((measure) => sumsOf(ofEntry(measure), measure))} from ${entry} group by grp, dim, day
  union all select grp, dim, day${each((measure) => sumsOf(ofStep(measure), measure))} from ${step} group by grp, dim, day
)`,
  ];
  const rows = measures.map(
    ({ index }) =>
      `select ${index} as metric, grp, dim, day, ${SUMS.map((name) => `${name}_${index} as ${name}`).join(", ")} from ${moved}`,
  );
  return { tables: tables.join(",\n"), rows: rows.join("\nunion all ") };
}

/** The column as it was before a step: at the day before, or at the unit's entry. */
function before(column: string, waits: number | null): string {
  return waits === null ? `lag(now.${column}, 1, entry.${column}) over (partition by now.unit order by now.day)` : `entry.${column}`;
}

function boundsOf({ index, bounds }: Measure, dialect: Dialect): string[] {
  return (["y", "d"] as const).flatMap((letter) => {
    const column = `${letter}${index}`;
    const at = (level: number | undefined, name: string) =>
      level === undefined ? [] : [`${dialect.percentile(column, level, `${column} <> 0`)} as ${name}_${column}`];
    return [...at(bounds[letter].low, "low"), ...at(bounds[letter].high, "high")];
  });
}

/**
 * The amounts within their bounds. 0 stays: a unit that did nothing is no outlier. The bounds are subqueries, which are computed once; a join
 * with their one row may compute them for each row of the other side.
 */
function clippedOf({ index, bounds }: Measure, bound: string): string[] {
  return (["y", "d"] as const).map((letter) => {
    const column = `${letter}${index}`;
    const { low, high } = bounds[letter];
    if (low === undefined && high === undefined) return column;
    const raised = low === undefined ? column : `greatest(${column}, (select low_${column} from ${bound}))`;
    const brought = high === undefined ? raised : `least(${raised}, (select high_${column} from ${bound}))`;
    return `case when ${column} = 0 then 0 else ${brought} end as ${column}`;
  });
}

type Expressions = Record<Sum, string>;

/** What a unit adds when it enters. */
function ofEntry({ index }: Measure): Expressions {
  const [y, d, p, q] = ["y", "d", "p", "q"].map((letter) => `${letter}${index}`);
  return {
    n: "1",
    k: `case when ${d} <> 0 then 1 else 0 end`,
    m: `case when ${p} <> 0 then 1 else 0 end`,
    y: `${y}`,
    yy: `${y} * ${y}`,
    d: `${d}`,
    dd: `${d} * ${d}`,
    yd: `${y} * ${d}`,
    p: `${p}`,
    pp: `${p} * ${p}`,
    q: `${q}`,
    qq: `${q} * ${q}`,
    pq: `${p} * ${q}`,
    yp: `${y} * ${p}`,
    yq: `${y} * ${q}`,
    dp: `${d} * ${p}`,
    dq: `${d} * ${q}`,
  };
}

/** What a change of a unit's amounts adds. */
function ofStep({ index }: Measure): Expressions {
  const [y, d, p, q] = ["y", "d", "p", "q"].map((letter) => `${letter}${index}`);
  const [y0, d0] = [`${y}_before`, `${d}_before`];
  return {
    n: "0",
    k: `(case when ${d} <> 0 then 1 else 0 end) - (case when ${d0} <> 0 then 1 else 0 end)`,
    m: "0",
    y: `${y} - ${y0}`,
    yy: `${y} * ${y} - ${y0} * ${y0}`,
    d: `${d} - ${d0}`,
    dd: `${d} * ${d} - ${d0} * ${d0}`,
    yd: `${y} * ${d} - ${y0} * ${d0}`,
    p: "0",
    pp: "0",
    q: "0",
    qq: "0",
    pq: "0",
    yp: `(${y} - ${y0}) * ${p}`,
    yq: `(${y} - ${y0}) * ${q}`,
    dp: `(${d} - ${d0}) * ${p}`,
    dq: `(${d} - ${d0}) * ${q}`,
  };
}

/** The sums that a measure without a denominator has. The others are 0. */
const OF_MEAN: readonly Sum[] = ["n", "m", "y", "yy", "p", "pp", "yp"];

function sumsOf(expressions: Expressions, { index, isRatio }: Measure): string[] {
  return SUMS.map((name) => `sum(${isRatio || OF_MEAN.includes(name) ? expressions[name] : "0"}) as ${name}_${index}`);
}
