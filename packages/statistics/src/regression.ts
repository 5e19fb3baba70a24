import { type Factor, factorIndependent, product, solveLower, solveUpper, squaredLength } from "./cholesky.ts";
import { type CrossMoments, computeCovariance, thirdOfSum } from "./cross-moments.ts";
import type { Estimate } from "./moments.ts";

// Regression adjustment: a group is compared as if its units had had the covariates of all units before. Each group has its own slopes, as with
// interactions of the treatment and the covariates. Source: Lin 2013.

/** Why means are not adjusted by regression. */
export type NotRegressed =
  /** There are 100 units or less, or fewer than 20 in a group. */
  | "few_units"
  /** No covariate varies between units, apart from those that others determine. */
  | "no_covariates";

export type Regressed =
  | {
      /** The means at the covariates of all units, in the order control, test. */
      groups: readonly [control: Estimate, test: Estimate];
      /** The indices of the covariates that were used; the first one is 0. */
      covariates: readonly number[];
      /** The share of the variance of the difference that was saved. Below 0 if it grew. */
      varianceReduction: number;
      reason?: undefined;
    }
  | { groups?: undefined; reason: NotRegressed };

const MORE_UNITS_THAN = 100;
const UNITS_PER_SLOPE = 10;
/** Rounding hides a variation of so small a share of the sum of squares. */
const LEAST_VARIATION = 1e-10;

type Centered = { n: number; means: number[]; products: number[][] };

/**
 * Means adjusted by covariates: ȳ + β'(x̄ − x̄g) with the slopes β of each group by least squares and x̄ for both groups. The variance is that of
 * the fitted mean, s²(1/n + d'S⁻¹d) with d = x̄ − x̄g, where s² is the residual variance of the group with n − k − 1 degrees of freedom. A
 * covariate that doesn't vary in a group, or that those before it determine there, is left out of both, and so are the last ones if a group has
 * fewer than 10 units for each slope and the mean.
 * @param control moments of y and then each covariate
 */
export function adjustByRegression(control: CrossMoments, test: CrossMoments): Regressed {
  const count = control.sums.length - 1;
  const groups = [center(control), center(test)] as const;
  const varying = Array.from({ length: count }, (_, index) => index + 1).filter((column) =>
    [control, test].every((moments, at) => varies(moments, groups[at as 0 | 1], column)),
  );
  const units = control.n + test.n;
  const smaller = Math.min(control.n, test.n);
  const most = Math.floor(smaller / UNITS_PER_SLOPE) - 1;
  if (units <= MORE_UNITS_THAN || most < 1) return { reason: "few_units" };
  const { kept: independent, factors } = factorIndependent(
    groups.map(({ products }) => products),
    varying,
  );
  const kept = independent.slice(0, most);
  if (kept.length === 0) return { reason: "no_covariates" };
  const overall = kept.map((column) => ((control.sums[column] ?? 0) + (test.sums[column] ?? 0)) / units);
  const estimates = [control, test].map((moments, at) => ({
    ...fitMean(groups[at as 0 | 1], kept, factors[at] ?? [], overall),
    thirdMoment: residualThird(moments, groups[at as 0 | 1], kept, factors[at] ?? []),
  })) as [Estimate, Estimate];
  const plain = [control, test].reduce((sum, moments) => sum + computeCovariance(moments, [1], [1]) / moments.n, 0);
  const adjusted = estimates.reduce((sum, { standardError }) => sum + standardError ** 2, 0);
  return {
    groups: estimates,
    covariates: kept.map((column) => column - 1),
    varianceReduction: plain > 0 ? 1 - adjusted / plain : 0,
  };
}

function center({ n, sums, products }: CrossMoments): Centered {
  const means = sums.map((sum) => sum / n);
  return { n, means, products: products.map((row, i) => row.map((value, j) => value - (means[i] ?? 0) * (sums[j] ?? 0))) };
}

const varies = (moments: CrossMoments, { products }: Centered, column: number): boolean =>
  (products[column]?.[column] ?? 0) > LEAST_VARIATION * (moments.products[column]?.[column] ?? 0);

/** A group's fitted mean of y at given covariates. */
function fitMean({ n, means, products }: Centered, kept: readonly number[], factor: Factor, at: readonly number[]): Estimate {
  const slopes = solveLower(
    factor,
    kept.map((column) => products[column]?.[0] ?? 0),
  );
  const distance = solveLower(
    factor,
    kept.map((column, index) => (at[index] ?? 0) - (means[column] ?? 0)),
  );
  const degreesOfFreedom = n - kept.length - 1;
  const residual = Math.max(0, (products[0]?.[0] ?? 0) - squaredLength(slopes)) / degreesOfFreedom;
  const squaredError = residual * (1 / n + squaredLength(distance));
  return {
    mean: (means[0] ?? 0) + product(slopes, distance),
    ...{ variance: squaredError * n, standardError: Math.sqrt(squaredError), units: n, degreesOfFreedom },
  };
}

/** The third central moment of a unit's residual. */
function residualThird(moments: CrossMoments, { products }: Centered, kept: readonly number[], factor: Factor): number | undefined {
  const explained = kept.map((column) => products[column]?.[0] ?? 0);
  const slopes = solveUpper(factor.slice(0, kept.length), solveLower(factor, explained));
  const weights = moments.sums.map((_, column) => (column === 0 ? 1 : -(slopes[kept.indexOf(column)] ?? 0)));
  return thirdOfSum(moments, weights);
}
