import { type Estimate, percentileBetween, percentileDegrees, percentileLevels } from "../../src/index.ts";
import type { Random } from "./random.ts";

/** The percentile of a group of units with one event each, as it is estimated at a confidence. Undefined without a bound. */
type DrawnPercentile = (confidence: number) => Estimate | undefined;

/**
 * Draws the percentile of a group whose events are exponential. Only the events that the estimate reads are drawn: uniform order statistics are
 * sums of gamma variables, divided by the sum of all of them.
 */
export function drawPercentile(random: Random, level: number, units: number): DrawnPercentile {
  const below = level * units;
  const moments = { n: units, sumY: below, sumX: units, sumSquaresY: below, sumSquaresX: units, sumProducts: below };
  return (confidence) => {
    const { value: levels } = percentileLevels(moments, level, { confidence });
    if (!levels) return undefined;
    const [lower, value, upper] = drawAt(random, units, [levels.lower, level, levels.upper]) as [number, number, number];
    const { value: found } = percentileBetween(value, [lower, upper], { confidence });
    if (!found) return undefined;
    const { standardError } = found;
    const degreesOfFreedom = percentileDegrees(level, levels.standardError, { confidence });
    return { mean: value, standardError, units, variance: standardError ** 2 * units, degreesOfFreedom };
  };
}

/** The values of the events at ascending levels. */
function drawAt(random: Random, units: number, levels: readonly number[]): number[] {
  let [sum, rank] = [0, 0];
  const sums = levels.map((level) => {
    const next = 1 + Math.round(level * (units - 1));
    if (next > rank) sum += random.gamma(next - rank);
    rank = Math.max(rank, next);
    return sum;
  });
  const all = sum + random.gamma(units + 1 - rank);
  return sums.map((part) => -Math.log(1 - part / all));
}
