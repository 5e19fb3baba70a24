import type { Amount, Bases, Plan, Term } from "../plans/plan.ts";
import type { UnitDays } from "./unit-rows.ts";
import { foldAmounts } from "./unit-rows.ts";

/** The lowest and the highest amount that counts; lower and higher ones are set to them. */
export type Clip = { low: number; high: number };
/** The clips of a measure: of its amounts now, y and d, and before the first exposure, p and q. */
export type Clips = Record<"y" | "d" | "p" | "q", Clip>;

const UNCLIPPED: Clip = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
export const NO_CLIPS: Clips = { y: UNCLIPPED, d: UNCLIPPED, p: UNCLIPPED, q: UNCLIPPED };

type Part = { terms: readonly { at: number; threshold: number | undefined }[] };

/** A plan whose terms are places in a list. */
export type UnitMeasure = {
  numerator: Part;
  denominator: Part | undefined;
  bounds: { y: Amount["bounds"]; d: Amount["bounds"] };
  /** When units enter, in ms since their first exposure, if they wait for the end of their span; null if they enter at once. */
  waits: number | null;
  bases: Bases | undefined;
  /** The terms that it reads, as bits. */
  reads: number;
};

export function toUnitMeasure({ numerator, denominator, waitsForSpan, bases }: Plan, terms: readonly Term[]): UnitMeasure {
  const places = new Map(terms.map((term, at) => [JSON.stringify(term), at]));
  const placed = (term: Term) => ({ at: places.get(JSON.stringify(term)) as number, threshold: term.threshold });
  const own = [...numerator.terms, ...(denominator?.terms ?? [])];
  const ends = own.map(({ span }) => span.to);
  return {
    numerator: { terms: numerator.terms.map(placed) },
    denominator: denominator && { terms: denominator.terms.map(placed) },
    bounds: { y: numerator.bounds, d: denominator?.bounds ?? {} },
    waits: !waitsForSpan || ends.some((end) => end === null) ? null : Math.max(...(ends as number[])),
    bases,
    reads: own.reduce((mask, term) => mask | (1 << placed(term).at), 0),
  };
}

/**
 * The amounts of a unit. Without denominator it has no numerator.
 * @param numbers one for each term; NaN if it has none
 * @param into gets the amounts, so that none needs an object
 */
export function amountsOf({ numerator, denominator }: UnitMeasure, numbers: Float64Array, into: { y: number; d: number }): void {
  into.d = denominator ? sumOf(denominator, numbers) : 0;
  into.y = denominator && into.d === 0 ? 0 : sumOf(numerator, numbers);
}

function sumOf({ terms }: Part, numbers: Float64Array): number {
  let sum = 0;
  for (let index = 0; index < terms.length; index++) {
    const { at, threshold } = terms[index] as Part["terms"][number];
    const number = numbers[at] as number;
    const known = Number.isNaN(number) ? 0 : number;
    sum += threshold === undefined ? known : known >= threshold ? 1 : 0;
  }
  return sum;
}

/** 0 stays: an inactive unit is not an outlier. */
export function clipped(amount: number, { low, high }: Clip): number {
  return amount === 0 ? 0 : Math.min(high, Math.max(low, amount));
}

/**
 * Adds a day to the numbers of a unit, one for each term.
 * @returns the terms that have an amount on the day, as bits
 */
export function addDay(numbers: Float64Array, { amounts }: UnitDays, row: number, terms: readonly Term[]): number {
  const width = terms.length;
  let mask = 0;
  for (let term = 0; term < width; term++) {
    const amount = amounts[row * width + term] as number;
    if (Number.isNaN(amount)) continue;
    const { fold, cap } = terms[term] as Term;
    const counted = fold.by === "sum" && cap !== undefined ? Math.min(amount, cap) : amount;
    numbers[term] = foldAmounts(fold.by, numbers[term] as number, counted);
    mask |= 1 << term;
  }
  return mask;
}

/** The first row of a unit that is not before its exposure. The numbers before it are in `earlier`. */
export function readEarlier(days: UnitDays, unit: number, terms: readonly Term[], earlier: Float64Array): number {
  earlier.fill(Number.NaN);
  const end = days.starts[unit + 1] as number;
  let row = days.starts[unit] as number;
  for (; row < end && ((days.codes[row] as number) & 1) === 1; row++) addDay(earlier, days, row, terms);
  return row;
}
