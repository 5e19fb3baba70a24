import type { Comparison } from "./comparison.ts";
import { type Lack, lackOfMeans } from "./information.ts";
import type { Estimate } from "./moments.ts";

// Whether an effect changes with the days since units were first exposed. The days of a unit are correlated, so each unit is summarized by one
// number, and the groups' numbers are compared. Source: Matthews, Altman, Campbell, Royston 1990, "Analysis of serial measurements in medical
// research". Novelty and learning effects: Kohavi, Tang, Xu 2020, chapter 23.

/**
 * The weights w(k) of a unit's days k = 0 to K − 1. The sum of w(k)·x(k) is the change from the first to the last day on the unit's line of least
 * squares, in the unit of x: w(k) = 12(k − (K − 1)/2)/(K(K + 1)). They add up to 0, so a level that all days of a unit share cancels.
 * @param days K, at least 2
 */
export const trendWeights = (days: number): number[] =>
  Array.from({ length: days }, (_, day) => (12 * (day - (days - 1) / 2)) / (days * (days + 1)));

/** A group's mean trend, and its mean of a day. Both are of the units that were observed on all days. */
export type DailyEstimates = { readonly trend: Estimate; readonly level: Estimate };

/**
 * The data missing from the comparison of trends for a verdict at `alpha`, if any. The trend of rare values is symmetric, so its skewness doesn't
 * show that few units decide. That of their level does.
 */
export const lackOfTrends = (control: DailyEstimates, test: DailyEstimates, { alpha }: { alpha: number }): Lack | undefined =>
  lackOfMeans(control.trend, test.trend, { alpha }) ?? lackOfMeans(control.level, test.level, { alpha });

export type TrendVerdict =
  /** The effect moves toward 0. */
  | "wearsOff"
  /** It moves away from 0. */
  | "grows"
  /** It moves up or down, and it is unclear whether it is above or below 0 on average. */
  | "rises"
  | "falls"
  | "noChange";

type Tested = Pick<Comparison, "delta" | "p">;

/**
 * Names a change of the effect that is significant at `alpha`, by the sign of the average effect.
 * @param change the difference of the trends @param average the difference of the levels; undefined if it can't be tested
 */
export function describeTrend(change: Tested, average: Tested | undefined, alpha: number): TrendVerdict {
  if (change.p > alpha) return "noChange";
  if (!average || average.p > alpha) return change.delta > 0 ? "rises" : "falls";
  return change.delta > 0 === average.delta > 0 ? "grows" : "wearsOff";
}
