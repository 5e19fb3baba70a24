import type { PercentilePlan } from "../../src/results/plans/plan.ts";
import { CONFIDENCES } from "../../src/results/pulse/percentiles.ts";
import type { Analysis } from "../../src/results/sql/analysis.ts";
import { isMatch, type Logged, numberIn } from "./reference-events.ts";
import { ofUnit } from "./reference-moments.ts";
import type { World } from "./results-engine.ts";

/** Φ⁻¹(1 − α/2) of the confidences that loads store, as tables have them. */
const Z = [1.2815515655446004, 1.6448536269514722, 1.959963984540054, 2.3263478740408408, 2.5758293035489004];

export type ReferencePercentile = { units: number; events: number; value: number; levelError: number; intervals: number[][] };

/** A percentile of the events of each group, and the values that bound its intervals, by a naive computation over units. */
export function referencePercentiles(
  { percentile, sources, span: { from, to }, waitsForSpan }: PercentilePlan,
  { days, end }: Analysis,
  { exposures, events }: World,
): Map<string, ReferencePercentile> {
  const numbers = new Map<string, number[][]>();
  const counted = exposures.filter(({ time }) => time >= (days[0] as number) && time < end);
  for (const { unit, group, time } of counted) {
    if (counted.filter((one) => one.unit === unit).length > 1) continue;
    if (waitsForSpan && time + (to ?? Number.POSITIVE_INFINITY) > end) continue;
    const isWithin = (event: Logged) => event.time < end && event.time - time >= from && (to === null || event.time - time < to);
    const own = ofUnit(unit, events).filter(isWithin);
    const values = own.flatMap((event) => {
      const source = sources.find((one) => isMatch(one, event));
      const number = source ? numberIn(source, event) : null;
      return number === null ? [] : [number];
    });
    if (values.length > 0) numbers.set(group, [...(numbers.get(group) ?? []), values]);
  }
  return new Map([...numbers].map(([group, units]) => [group, referencePercentile(units, percentile)]));
}

/** @param units the numbers of each unit that has any @param level a share */
export function referencePercentile(units: number[][], level: number): ReferencePercentile {
  const sorted = units.flat().sort((a, b) => a - b);
  const at = (share: number) => {
    const rank = share * (sorted.length - 1);
    const below = Math.floor(rank);
    const low = sorted[below] as number;
    return low + (rank - below) * ((sorted[below + 1] ?? low) - low);
  };
  const value = at(level);
  const share = sorted.filter((one) => one <= value).length / sorted.length;
  // Each unit's events up to the percentile, less its share of them.
  const residuals = units.map((own) => own.filter((one) => one <= value).length - share * own.length);
  const variance = residuals.reduce((sum, one) => sum + one * one, 0) / (units.length - 1);
  const levelError = Math.sqrt(variance / units.length) / (sorted.length / units.length);
  const intervals = Z.flatMap((z, index) => {
    const [low, high] = [level - z * levelError, level + z * levelError];
    return low < 0 || high > 1 ? [] : [[CONFIDENCES[index] as number, at(low), at(high)]];
  });
  return { units: units.length, events: sorted.length, value, levelError, intervals };
}
