import { type CrossMoments, computeCovariance } from "./cross-moments.ts";
import { addPairMoments, type Estimate, estimate, type PairMoments, residualThird, sampleVariances } from "./moments.ts";

// CUPED: a group is compared as if its units had been alike before. Source: Deng, Xu, Kohavi, Walker 2013.

/** Why the values before the exposure were not used. */
export type NotAdjusted =
  /** There are 100 units or less. */
  | "few_units"
  /** At most 5% of the units did anything before. */
  | "few_values_before"
  /** The units' earlier values do not predict the current ones. */
  | "no_reduction";

export type Adjustment = {
  /** The weight of the units' earlier values. */
  readonly theta: number;
  /** The share of the variance that is explained, 0–1. */
  readonly varianceReduction: number;
  /** The groups in the order given. */
  readonly groups: readonly Estimate[];
};

/** From so many units on, and from such a share of units with a value before. Source: the documentation of Statsig. */
const MORE_UNITS_THAN = 100;
const MORE_VALUES_THAN = 0.05;

export type Adjusted = { adjustment: Adjustment; reason?: undefined } | { adjustment?: undefined; reason: NotAdjusted };

/**
 * Means adjusted by a value from before the exposure, with one θ over the units of all groups. A unit without such a value counts with 0.
 * @param groups y is the value, x the earlier one
 * @param unitsWithValue units of all groups with an earlier value
 */
export function adjustMeans(groups: readonly PairMoments[], unitsWithValue: number): Adjusted {
  const all = groups.reduce(addPairMoments);
  return adjustedIf(all.n, unitsWithValue, () => adjustedMeans(groups, all));
}

function adjustedIf(units: number, unitsWithValue: number, adjust: () => Adjustment): Adjusted {
  if (units <= MORE_UNITS_THAN) return { reason: "few_units" };
  if (unitsWithValue / units <= MORE_VALUES_THAN) return { reason: "few_values_before" };
  const adjustment = adjust();
  return adjustment.varianceReduction > 0 ? { adjustment } : { reason: "no_reduction" };
}

function adjustedMeans(groups: readonly PairMoments[], all: PairMoments): Adjustment {
  const { varianceX, varianceY, covariance } = sampleVariances(all);
  const theta = varianceX === 0 ? 0 : covariance / varianceX;
  const meanX = all.sumX / all.n;
  return {
    theta,
    varianceReduction: varianceY === 0 ? 0 : (theta * covariance) / varianceY,
    groups: groups.map((group) => {
      const { n, sumY, sumX } = group;
      const spread = sampleVariances(group);
      const variance = spread.varianceY + theta * theta * spread.varianceX - 2 * theta * spread.covariance;
      return estimate(sumY / n - theta * (sumX / n - meanX), variance, n, residualThird(group, theta));
    }),
  };
}

/** With 50 units in a group, the false-positive rate is 1.4 α at α = 1%. Chosen with `test/calibration`. */
const LEAST_UNITS_OF_ADJUSTED_RATIO = 100;

/** The values of a unit in the moments of a ratio: numerator, denominator, and both before the exposure. */
const [Y, D, BEFORE_Y, BEFORE_D] = [0, 1, 2, 3] as const;

/**
 * The ratio of a test adjusted by the ratio before the exposure, and the unadjusted ratio of the control. θ makes the variance of their
 * difference the least. Source: Deng et al. 2013, appendix B.
 * @param control moments of four values per unit: numerator, denominator, and both before
 * @param unitsWithValue units of both groups with an earlier value
 */
export function adjustRatios(control: CrossMoments, test: CrossMoments, unitsWithValue: number): Adjusted {
  const hasBefore = [control, test].every(({ sums }) => sums[BEFORE_D] !== 0);
  return adjustedIf(control.n + test.n, hasBefore ? unitsWithValue : 0, () => adjustedRatios(control, test));
}

function adjustedRatios(control: CrossMoments, test: CrossMoments): Adjustment {
  const [c, t] = [linearised(control), linearised(test)];
  const before = c.varianceBefore / control.n + t.varianceBefore / test.n;
  const theta = before === 0 ? 0 : (c.covariance / control.n + t.covariance / test.n) / before;
  const adjustedVariance = ({ variance, varianceBefore, covariance }: typeof c) =>
    variance + theta * theta * varianceBefore - 2 * theta * covariance;
  const plain = c.variance / control.n + t.variance / test.n;
  const left = adjustedVariance(c) / control.n + adjustedVariance(t) / test.n;
  return {
    theta,
    varianceReduction: plain === 0 ? 0 : 1 - left / plain,
    groups: [
      { ...estimate(c.ratio, adjustedVariance(c), control.n), leastUnits: LEAST_UNITS_OF_ADJUSTED_RATIO },
      {
        ...estimate(t.ratio - theta * (t.ratioBefore - c.ratioBefore), adjustedVariance(t), test.n),
        leastUnits: LEAST_UNITS_OF_ADJUSTED_RATIO,
      },
    ],
  };
}

/** The units' linearised ratios (y − R d)/d̄ of both periods: how they vary, and vary together. */
function linearised(moments: CrossMoments) {
  const sum = (index: number) => moments.sums[index] ?? 0;
  const weights = (y: number, d: number): { ratio: number; of: number[] } => {
    const [ratio, mean] = [sum(y) / sum(d), sum(d) / moments.n];
    return { ratio, of: moments.sums.map((_, index) => (index === y ? 1 / mean : index === d ? -ratio / mean : 0)) };
  };
  const [now, before] = [weights(Y, D), weights(BEFORE_Y, BEFORE_D)];
  return {
    ratio: now.ratio,
    ratioBefore: before.ratio,
    variance: computeCovariance(moments, now.of, now.of),
    varianceBefore: computeCovariance(moments, before.of, before.of),
    covariance: computeCovariance(moments, now.of, before.of),
  };
}
