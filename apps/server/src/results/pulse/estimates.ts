import {
  type Adjusted,
  adjustMeans,
  adjustRatios,
  type CrossMoments,
  type Estimate,
  estimateMoments,
  estimateRatio,
  type Maybe,
  type NotAdjusted,
  type PairMoments,
} from "@gatehouse/statistics";
import type { Sums } from "./sums.ts";

/** The groups of which one is the control and one the test. The others count for what all groups have in common. */
export type ComparedSums = { control: Sums; test: Sums; others: readonly Sums[]; isRatio: boolean };

/** Why a value before the exposure was not used. */
export type NotUsed = NotAdjusted | "not_asked" | "of_percentile";

export type Estimates = {
  control: Maybe<Estimate>;
  test: Maybe<Estimate>;
  /** The share of the variance that what units did before their exposure explains, or why that was not used. */
  cuped: { varianceReduction: number; reason?: undefined } | { varianceReduction?: undefined; reason: NotUsed };
};

/** The mean of a unit in both groups, or the ratio of each group's sums. */
export function estimateGroups(compared: ComparedSums, isCupedAsked: boolean): Estimates {
  const plain = { control: estimateMean(compared.control, compared.isRatio), test: estimateMean(compared.test, compared.isRatio) };
  if (!isCupedAsked || !plain.control.value || !plain.test.value) return { ...plain, cuped: { reason: "not_asked" } };
  const { adjustment, reason } = compared.isRatio ? adjustedRatios(compared) : adjustedMeans(compared);
  if (!adjustment) return { ...plain, cuped: { reason } };
  const [control, test] = adjustment.groups as [Estimate, Estimate];
  return { control: { value: control }, test: { value: test }, cuped: { varianceReduction: adjustment.varianceReduction } };
}

/** The mean of a unit, or the ratio of the sums. */
export function estimateMean(sums: Sums, isRatio: boolean): Maybe<Estimate> {
  if (!isRatio) return estimateMoments({ n: sums.n, sum: sums.y, sumSquares: sums.yy });
  // Only units with a denominator count.
  return estimateRatio({ n: sums.k, sumY: sums.y, sumX: sums.d, sumSquaresY: sums.yy, sumSquaresX: sums.dd, sumProducts: sums.yd });
}

function adjustedMeans({ control, test, others }: ComparedSums): Adjusted {
  const groups = [control, test, ...others];
  return adjustMeans(
    groups.map(({ n, y, p, yy, pp, yp }): PairMoments => ({ n, sumY: y, sumX: p, sumSquaresY: yy, sumSquaresX: pp, sumProducts: yp })),
    groups.reduce((sum, { m }) => sum + m, 0),
  );
}

function adjustedRatios({ control, test }: ComparedSums): Adjusted {
  return adjustRatios(toCrossMoments(control), toCrossMoments(test), control.m + test.m);
}

/** Numerator and denominator, and both before the exposure. */
function toCrossMoments({ n, y, d, p, q, yy, yd, yp, yq, dd, dp, dq, pp, pq, qq }: Sums): CrossMoments {
  return {
    n,
    sums: [y, d, p, q],
    products: [
      [yy, yd, yp, yq],
      [yd, dd, dp, dq],
      [yp, dp, pp, pq],
      [yq, dq, pq, qq],
    ],
  };
}
