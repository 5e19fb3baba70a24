import type { Interval } from "./difference.ts";
import { normalQuantile } from "./distributions.ts";
import { type Maybe, none, some } from "./maybe.ts";
import { estimateRatio, type PairMoments } from "./moments.ts";

/**
 * A percentile of sorted values, between two of them in proportion: type 7 of Hyndman and Fan 1996, which is `percentile_cont` of SQL.
 * @param level 0–1
 */
export function computePercentile(sorted: readonly number[], level: number): Maybe<number> {
  if (sorted.length === 0) return none("no_units");
  const rank = level * (sorted.length - 1);
  const below = Math.floor(rank);
  const low = sorted[below] as number;
  return some(low + (rank - below) * ((sorted[below + 1] ?? low) - low));
}

/** The levels whose values bound the interval of a percentile of events, and the error of the level. */
export type PercentileLevels = { readonly standardError: number; readonly lower: number; readonly upper: number };

/**
 * The certainty of a percentile of events if the events of one unit belong together. Source: Deng, Knoblich, Lu 2018,
 * arXiv 1803.06336, section 4.
 * @param moments y is the number of a unit's events up to the percentile, x the number of its events
 * @returns no value if a level is below 0 or above 1. No event bounds the interval there.
 */
export function percentileLevels(moments: PairMoments, level: number, { confidence }: { confidence: number }): Maybe<PercentileLevels> {
  const share = estimateRatio(moments);
  if (share.value === undefined) return share;
  const { standardError } = share.value;
  const reach = -normalQuantile((1 - confidence) / 2) * standardError;
  const [lower, upper] = [level - reach, level + reach];
  return lower < 0 || upper > 1 ? none("percentile_of_few_events") : some({ standardError, lower, upper });
}

export type Percentile = { readonly value: number; readonly interval: Interval; readonly standardError: number };

/** A percentile from its value and the values at its levels. @returns no value where those are equal */
export function percentileBetween(value: number, interval: Interval, { confidence }: { confidence: number }): Maybe<Percentile> {
  const [lower, upper] = interval;
  if (lower === upper) return none("percentile_of_equal_values");
  return some({ value, interval, standardError: (upper - lower) / (-2 * normalQuantile((1 - confidence) / 2)) });
}

/**
 * The degrees of freedom of a percentile's standard error, which follows from the distance of two of its events: as many of Student's
 * distribution as vary like it. Between both levels lie 2z·q(1 − q)/SE independent events, and the square of their distance varies by four
 * times the inverse of that. Sources: Bloch, Gastwirth 1968; Satterthwaite 1946.
 * @param levelError the standard error of the level
 */
export const percentileDegrees = (level: number, levelError: number, { confidence }: { confidence: number }): number =>
  (-normalQuantile((1 - confidence) / 2) * level * (1 - level)) / levelError;

/** The bounds that values are cut at. */
export type Bounds = { readonly lower: number; readonly upper: number };

/**
 * Bounds for winsorisation: percentiles of the values that are not 0, over all groups. A bound for each group would be an effect.
 * @param low 0–1; 0 means no lower bound
 * @param high 0–1; 1 means no upper bound
 */
export function winsorBounds(values: readonly number[], { low = 0, high = 1 }: { low?: number; high?: number } = {}): Bounds {
  const sorted = values.filter((value) => value !== 0).sort((a, b) => a - b);
  const at = (level: number, open: number) => computePercentile(sorted, level).value ?? open;
  return {
    lower: low === 0 ? Number.NEGATIVE_INFINITY : at(low, Number.NEGATIVE_INFINITY),
    upper: high === 1 ? Number.POSITIVE_INFINITY : at(high, Number.POSITIVE_INFINITY),
  };
}

/** A value within the bounds. 0 stays: a unit without activity is not an outlier. */
export const winsorised = (value: number, { lower, upper }: Bounds): number => (value === 0 ? 0 : Math.min(upper, Math.max(lower, value)));
