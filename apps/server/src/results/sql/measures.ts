import type { Amount, Bases, Plan, Term } from "../plans/plan.ts";
import type { Analysis } from "./analysis.ts";
import { dayNumber } from "./day-number.ts";
import type { Dialect } from "./dialect.ts";
import type { Bind } from "./statement.ts";

/**
 * A day's additions to the moments of a group: the sums over its units. Their amounts are y, d for the denominator of a ratio, and p and q
 * before the first exposure. So the moments as of a day are the sums of all days up to it. `n` counts units, `k` those with d ≠ 0, and `m`
 * those with p ≠ 0. A unit without denominator has no numerator. Products of three factors show how skewed the amounts are.
 */
export const SUMS = [
  ...(["n", "k", "m", "y", "yy", "d", "dd", "yd", "p", "pp", "q", "qq", "pq", "yp", "yq", "dp", "dq"] as const),
  ...(["yyy", "yyd", "ydd", "ddd", "yyp", "ypp", "ppp"] as const),
] as const;

type Sum = (typeof SUMS)[number];

/** A plan as SQL. Its columns are called after its index: `y3`. */
export type Measure = {
  index: number;
  isRatio: boolean;
  /** When units enter, in ms since their first exposure, if they wait for the end of their span; null if they enter at once. */
  waits: number | null;
  /** The amounts of a unit's row in `running`: at the end of the day, before it, and before the first exposure. */
  running: Amounts;
  before: Amounts;
  earlier: Amounts;
  /** The amounts of a unit without events. */
  start: Amounts;
  bounds: Record<"y" | "d", Amount["bounds"]>;
  bases: Bases | undefined;
};

/** SQL expressions. */
type Amounts = { y: string; d: string };

/** The columns of a term. */
type Letter = "x" | "b" | "w";

const NOTHING: Amount = { terms: [], bounds: {} };

/** @param termNumber the number of a term's columns */
export function toMeasure(plan: Plan, index: number, termNumber: (term: Term) => number, dialect: Dialect, bind: Bind): Measure {
  const { numerator, denominator = NOTHING } = plan;
  const sumExpression = ({ terms }: Amount, letter: Letter) =>
    dialect.double(terms.map((term) => thresholded(term, `${letter}${termNumber(term)}`, bind)).join(" + ") || "0");
  const isRatio = plan.denominator !== undefined;
  const participating = ({ y, d }: Amounts): Amounts => ({ y: isRatio ? `(case when ${d} <> 0 then ${y} else 0 end)` : y, d });
  const amounts = (letter: Letter) => participating({ y: sumExpression(numerator, letter), d: sumExpression(denominator, letter) });
  return {
    index,
    isRatio,
    waits: plan.waitsForSpan ? spanEnd(plan) : null,
    running: amounts("x"),
    before: amounts("b"),
    earlier: amounts("w"),
    start: participating({ y: dialect.double(startNumber(numerator)), d: dialect.double(startNumber(denominator)) }),
    bounds: { y: numerator.bounds, d: denominator.bounds },
    bases: plan.bases,
  };
}

function thresholded({ threshold }: Term, column: string, bind: Bind): string {
  const number = `coalesce(${column}, 0)`;
  return threshold === undefined ? number : `(case when ${number} >= ${bind.double(threshold)} then 1 else 0 end)`;
}

function startNumber({ terms }: Amount): string {
  return String(terms.filter(({ threshold }) => threshold !== undefined && threshold <= 0).length);
}

/** When the spans of a plan are over, in ms since the first exposure; null if one has no end. */
function spanEnd({ numerator, denominator = NOTHING }: Plan): number | null {
  const ends = [...numerator.terms, ...denominator.terms].map(({ span }) => span.to);
  return ends.some((end) => end === null) ? null : Math.max(...(ends as number[]));
}

type Given = { analysis: Analysis; dialect: Dialect; bind: Bind };

/** The tables of measures whose units enter alike, and the rows of each day's additions to each measure. */
export function measureTables(
  measures: readonly Measure[],
  waits: number | null,
  part: number,
  given: Given,
): { tables: string; rows: string } {
  const { analysis, dialect, bind } = given;
  const [entry, state, step, moved] = ["entry", "state", "step", "moved"].map((name) => `${name}${part}`) as [
    string,
    string,
    string,
    string,
  ];
  const bound = `bound${part}`;
  const earlier = dialect.oneRow(`earlier_${bound}`);
  const last = "where is_last and day > 0";
  const each = (columns: (measure: Measure) => string[]) =>
    measures
      .flatMap(columns)
      .map((column) => `, ${column}`)
      .join("");
  const entersAt = waits === null ? "unit.since" : `unit.since + ${bind.integer(waits)}`;
  const hasEntered = waits === null ? "" : `where ${entersAt} <= ${bind.integer(analysis.end)}`;
  // A unit's amount so far is less than in its whole span.
  const ofEntered = waits === null ? "" : ` join (select unit as entered from ${entry}) as entry on entry.entered = running.unit`;
  const bounds = measures.flatMap((measure) => boundColumns(measure, (letter) => letter, dialect));
  const earlierBounds = measures.flatMap((measure) => boundColumns(measure, (letter) => EARLIER[letter], dialect));
  const entering = `select unit.unit, unit.grp, unit.dim, ${dayNumber(entersAt, analysis, dialect, bind)} as day${each(entryColumns)}
    from unit left join (select * from running where day = 0) as earlier on earlier.unit = unit.unit ${hasEntered}`;
  const tables = [
    ...(earlierBounds.length > 0
      ? [
          `unbounded${part} ${dialect.shared} (${entering})`,
          `earlier_${bound} ${dialect.shared} (select ${earlierBounds.join(", ")} from unbounded${part})`,
          `${entry} ${dialect.shared} (select unit, grp, dim, day${each((measure) => boundedEntryColumns(measure, earlier.column))} from unbounded${part}${earlier.join})`,
        ]
      : [`${entry} ${dialect.shared} (${entering})`]),
    ...(bounds.length > 0
      ? [
          `${bound} ${dialect.shared} (select ${bounds.join(", ")} from (select unit${each((measure) => stateColumns(measure, false))} from running${ofEntered} ${last}) as state)`,
        ]
      : []),
    `${state} ${dialect.inlined} (
  select unit, day${each((measure) => stateColumns(measure, waits === null))} from running ${waits === null ? "where day > 0" : last}
)`,
    `${step} ${dialect.inlined} (
  select entry.grp, entry.dim, ${waits === null ? "now" : "entry"}.day as day${each((measure) => stepColumns(measure, bound, waits !== null))}
  from ${state} as now join ${entry} as entry on entry.unit = now.unit ${dialect.once}
)`,
    `${moved} ${dialect.shared} (
  select grp, dim, day${each((measure) => sumColumns(ofEntry(measure), measure, dialect))} from ${entry} group by grp, dim, day
  union all select grp, dim, day${each((measure) => sumColumns(ofStep(measure), measure, dialect))} from ${step} group by grp, dim, day
)`,
  ];
  const rows = measures.map(({ index }) => [String(index), ...SUMS.map((name) => `${name}_${index}`)]);
  return { tables: tables.join(",\n"), rows: dialect.divided(["grp", "dim", "day"], ["metric", ...SUMS], rows, moved) };
}

/** The letters of the amounts that a measure has. */
const amountLetters = ({ isRatio }: Measure) => (isRatio ? (["y", "d"] as const) : (["y"] as const));
const EARLIER = { y: "p", d: "q" };

function entryColumns(measure: Measure): string[] {
  const { index, start, earlier } = measure;
  return amountLetters(measure).flatMap((letter) => [
    `${start[letter]} as ${letter}${index}`,
    `coalesce(${earlier[letter]}, 0) as ${EARLIER[letter]}${index}`,
  ]);
}

/** Amounts before the first exposure have separate percentiles as bounds, like present amounts. */
function boundedEntryColumns(measure: Measure, toColumn: (name: string) => string): string[] {
  const { index, bounds } = measure;
  return amountLetters(measure).flatMap((letter) => {
    const [amount, earlier] = [`${letter}${index}`, `${EARLIER[letter]}${index}`];
    return [amount, `${clipped(earlier, bounds[letter], (side) => toColumn(`${side}_${earlier}`))} as ${earlier}`];
  });
}

function stateColumns(measure: Measure, isWithBefore: boolean): string[] {
  const { index, running, before } = measure;
  return amountLetters(measure).flatMap((letter) => [
    `${running[letter]} as ${letter}${index}`,
    ...(isWithBefore ? [`${before[letter]} as ${letter}${index}_before`] : []),
  ]);
}

/** @param isFromEntry whether the step starts at the unit's entry instead of the day before */
function stepColumns(measure: Measure, bound: string, isFromEntry: boolean): string[] {
  const { index, bounds } = measure;
  return amountLetters(measure).flatMap((letter) => {
    const column = `${letter}${index}`;
    const within = (expression: string) => clipped(expression, bounds[letter], (side) => `(select ${side}_${column} from ${bound})`);
    return [
      `entry.${EARLIER[letter]}${index}`,
      `${within(`now.${column}`)} as ${column}`,
      `${isFromEntry ? `entry.${column}` : within(`now.${column}_before`)} as ${column}_before`,
    ];
  });
}

/** @param columnLetter the letter of the column that has amounts with the bounds of another letter */
function boundColumns({ index, bounds }: Measure, columnLetter: (letter: "y" | "d") => string, dialect: Dialect): string[] {
  return (["y", "d"] as const).flatMap((letter) => {
    const column = `${columnLetter(letter)}${index}`;
    const at = (level: number | undefined, name: string) =>
      level === undefined ? [] : [`${dialect.percentile(column, level, `${column} <> 0`)} as ${name}_${column}`];
    return [...at(bounds[letter].low, "low"), ...at(bounds[letter].high, "high")];
  });
}

/**
 * An amount within its bounds. 0 stays: an inactive unit is not an outlier. In a step, the bounds are subqueries, which are computed once;
 * a join with their one row may compute them for each row of the other side.
 */
export function clipped(amount: string, { low, high }: Amount["bounds"], toBound: (side: "low" | "high") => string): string {
  if (low === undefined && high === undefined) return amount;
  const raised = low === undefined ? amount : `greatest(${amount}, ${toBound("low")})`;
  return `case when ${amount} = 0 then 0 else ${high === undefined ? raised : `least(${raised}, ${toBound("high")})`} end`;
}

type Expressions = Record<Sum, string>;

/**
 * The factors of the products. With bases, an amount other than 0 counts as its deviation, so that a unit without events adds nothing and
 * may get its amount later. In a measure without a denominator, `d` and `q` then show whether it is 0. Of a ratio, y − base·d deviates.
 */
function factors({ index, isRatio, bases }: Measure, suffix = ""): Record<"y" | "d" | "p" | "q", string> {
  const [y, d, p, q] = [`y${index}${suffix}`, `d${index}${suffix}`, `p${index}`, `q${index}`];
  if (!bases) return { y, d, p, q };
  const isNot0 = (amount: string) => `(case when ${amount} <> 0 then 1 else 0 end)`;
  const deviation = (amount: string, base: number, divisor: string) =>
    isRatio ? `(${amount} - ${toDouble(base)} * ${divisor})` : `(case when ${amount} <> 0 then ${amount} - ${toDouble(base)} else 0 end)`;
  return {
    y: deviation(y, bases.y, d),
    d: isRatio ? d : isNot0(y),
    p: deviation(p, bases.p, q),
    q: isRatio ? q : isNot0(p),
  };
}

/** Every engine reads a number with an exponent as a double. */
const toDouble = (value: number): string => `(${value.toExponential()})`;

/** A unit's additions when it enters. */
export function ofEntry(measure: Measure): Expressions {
  const { y, d, p, q } = factors(measure);
  return {
    n: "1",
    k: `case when ${d} <> 0 then 1 else 0 end`,
    m: `case when p${measure.index} <> 0 then 1 else 0 end`,
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
    yyy: `${y} * ${y} * ${y}`,
    yyd: `${y} * ${y} * ${d}`,
    ydd: `${y} * ${d} * ${d}`,
    ddd: `${d} * ${d} * ${d}`,
    yyp: `${y} * ${y} * ${p}`,
    ypp: `${y} * ${p} * ${p}`,
    ppp: `${p} * ${p} * ${p}`,
  };
}

/** The additions of a change of a unit's amounts. */
function ofStep(measure: Measure): Expressions {
  const { y, d, p, q } = factors(measure);
  const { y: y0, d: d0 } = factors(measure, "_before");
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
    yyy: `${y} * ${y} * ${y} - ${y0} * ${y0} * ${y0}`,
    yyd: `${y} * ${y} * ${d} - ${y0} * ${y0} * ${d0}`,
    ydd: `${y} * ${d} * ${d} - ${y0} * ${d0} * ${d0}`,
    ddd: `${d} * ${d} * ${d} - ${d0} * ${d0} * ${d0}`,
    yyp: `(${y} * ${y} - ${y0} * ${y0}) * ${p}`,
    ypp: `(${y} - ${y0}) * ${p} * ${p}`,
    ppp: "0",
  };
}

/** The sums that a measure without a denominator has. The others are 0. */
const OF_MEAN: readonly Sum[] = ["n", "m", "y", "yy", "p", "pp", "yp", "yyy", "yyp", "ypp", "ppp"];
/** The sums that a measure with a denominator does not have. */
const NOT_OF_RATIO: readonly Sum[] = ["yyp", "ypp", "ppp"];

export function sumColumns(expressions: Expressions, { index, isRatio, bases }: Measure, dialect: Dialect): string[] {
  const isSummed = (name: Sum) => (isRatio ? !NOT_OF_RATIO.includes(name) : bases !== undefined || OF_MEAN.includes(name));
  return SUMS.map((name) => {
    const expression = isSummed(name) ? expressions[name] : "0";
    return `${expression === "0" ? "0" : dialect.sum(expression)} as ${name}_${index}`;
  });
}
