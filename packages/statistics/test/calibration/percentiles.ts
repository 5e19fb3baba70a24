import { type Estimate, type Lack, lackOfPercentiles, percentileBetween, percentileDegrees, percentileLevels } from "../../src/index.ts";
import type { Random } from "./random.ts";

/** The percentile of a group of units with one event each, as it is estimated at a confidence. Undefined without a bound. */
type DrawnPercentile = (confidence: number) => Estimate | undefined;

/**
 * Draws the percentile of a group whose events are exponential. Only the events that the estimate reads are drawn: uniform order statistics are
 * sums of gamma variables, divided by the sum of all of them.
 */
export function drawPercentile(random: Random, level: number, units: number): DrawnPercentile {
  return (confidence) => estimatePercentile(level, units, confidence, (levels) => drawAt(random, units, levels));
}

/** A group of exponential events that grows. Its percentile is that of all events so far. */
export function growingPercentile(random: Random, level: number): { add(units: number): void; estimate: DrawnPercentile } {
  let sorted = new Float64Array(0);
  return {
    add(units) {
      sorted = merge(sorted, Float64Array.from({ length: units }, () => -Math.log(random.uniform())).sort());
    },
    estimate: (confidence) =>
      estimatePercentile(level, sorted.length, confidence, (levels) => levels.map((at) => sorted[rankAt(at, sorted.length) - 1] as number)),
  };
}

function merge(a: Float64Array, b: Float64Array): Float64Array<ArrayBuffer> {
  const merged = new Float64Array(a.length + b.length);
  let [i, j] = [0, 0];
  for (let at = 0; at < merged.length; at++)
    merged[at] = (j >= b.length || (a[i] as number) <= (b[j] as number) ? a[i++] : b[j++]) as number;
  return merged;
}

function estimatePercentile(
  level: number,
  units: number,
  confidence: number,
  valuesAt: (levels: readonly number[]) => readonly number[],
): Estimate | undefined {
  const below = level * units;
  const moments = { n: units, sumY: below, sumX: units, sumSquaresY: below, sumSquaresX: units, sumProducts: below };
  const { value: levels } = percentileLevels(moments, level, { confidence });
  if (!levels) return undefined;
  const [lower, value, upper] = valuesAt([levels.lower, level, levels.upper]) as [number, number, number];
  const { value: found } = percentileBetween(value, [lower, upper], { confidence });
  if (!found) return undefined;
  const { standardError } = found;
  const degreesOfFreedom = percentileDegrees(level, levels.standardError, { confidence });
  return { mean: value, standardError, units, variance: standardError ** 2 * units, degreesOfFreedom };
}

/** The missing data of both groups. */
export const lackOfDrawn = (level: number, units: readonly number[]): Lack | undefined =>
  lackOfPercentiles(
    units.map((one) => ({ units: one, levelError: Math.sqrt((level * (1 - level)) / (one - 1)) })),
    level,
  );

/** The place of the event at a level, from 1. */
const rankAt = (level: number, units: number): number => 1 + Math.round(level * (units - 1));

/** The values of the events at ascending levels. */
function drawAt(random: Random, units: number, levels: readonly number[]): number[] {
  let [sum, rank] = [0, 0];
  const sums = levels.map((level) => {
    const next = rankAt(level, units);
    if (next > rank) sum += random.gamma(next - rank);
    rank = Math.max(rank, next);
    return sum;
  });
  const all = sum + random.gamma(units + 1 - rank);
  return sums.map((part) => -Math.log(1 - part / all));
}
