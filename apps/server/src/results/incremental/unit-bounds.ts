import type { Bounds, Term } from "../plans/plan.ts";
import { addDay, amountsOf, type Clip, type Clips, NO_CLIPS, readEarlier, type UnitMeasure } from "./unit-measures.ts";
import type { UnitDays } from "./unit-rows.ts";

/** Collects the amounts other than 0 whose percentiles are the bounds of measures. */
export function collectBounds(measures: readonly UnitMeasure[], terms: readonly Term[], end: number) {
  const bounded = measures
    .filter(isBounded)
    .map((measure) => ({ measure, y: newAmounts(), d: newAmounts(), p: newAmounts(), q: newAmounts() }));
  const [numbers, earlier] = [new Float64Array(terms.length), new Float64Array(terms.length)];
  const amounts = { y: 0, d: 0 };
  return {
    add(days: UnitDays, unit: number): void {
      const since = days.units.since[unit] as number;
      if (since >= end) return;
      const first = readEarlier(days, unit, terms, earlier);
      const after = days.starts[unit + 1] as number;
      numbers.fill(Number.NaN);
      for (let row = first; row < after; row++) addDay(numbers, days, row, terms);
      for (const { measure, y, d, p, q } of bounded) {
        if (measure.waits !== null && since + measure.waits > end) continue;
        if (after > first) {
          amountsOf(measure, numbers, amounts);
          y.add(amounts.y);
          d.add(amounts.d);
        }
        amountsOf(measure, earlier, amounts);
        p.add(amounts.y);
        q.add(amounts.d);
      }
    },
    clips: (): Clips[] =>
      measures.map((measure) => {
        const own = bounded.find((one) => one.measure === measure);
        if (!own) return NO_CLIPS;
        const { y, d } = measure.bounds;
        return { y: toClip(own.y.sorted(), y), d: toClip(own.d.sorted(), d), p: toClip(own.p.sorted(), y), q: toClip(own.q.sorted(), d) };
      }),
  };
}

export function isBounded({ bounds }: UnitMeasure): boolean {
  return [bounds.y, bounds.d].some(({ low, high }) => low !== undefined || high !== undefined);
}

/** A list of numbers other than 0, without an object for each. */
function newAmounts() {
  let list = new Float64Array(1_024);
  let count = 0;
  return {
    add(amount: number): void {
      if (amount === 0) return;
      if (count === list.length) {
        const longer = new Float64Array(2 * count);
        longer.set(list);
        list = longer;
      }
      list[count++] = amount;
    },
    sorted: (): Float64Array => list.subarray(0, count).sort(),
  };
}

function toClip(sorted: Float64Array, { low, high }: Bounds): Clip {
  if (sorted.length === 0) return NO_CLIPS.y;
  const at = (level: number | undefined, otherwise: number) => (level === undefined ? otherwise : percentile(sorted, level));
  return { low: at(low, Number.NEGATIVE_INFINITY), high: at(high, Number.POSITIVE_INFINITY) };
}

/** The interpolated percentile, as `percentile_cont` of SQL has it. */
function percentile(sorted: Float64Array, level: number): number {
  const rank = level * (sorted.length - 1);
  const below = Math.floor(rank);
  const lower = sorted[below] as number;
  return lower + (rank - below) * ((sorted[below + 1] ?? lower) - lower);
}
