import { type Maybe, none, some } from "./maybe.ts";

/**
 * The moments of one value per unit. They add up over shards. `base` was subtracted from each value before it was summed, so that large values
 * with a small spread keep their digits.
 */
export type Moments = {
  readonly n: number;
  readonly sum: number;
  readonly sumSquares: number;
  /** Without it, the skewness is unknown. */
  readonly sumCubes?: number;
  readonly base?: number;
};

/** The moments of two values per unit: the summed value (y), and its divisor or an earlier value (x). */
export type PairMoments = {
  readonly n: number;
  readonly sumY: number;
  readonly sumX: number;
  readonly sumSquaresY: number;
  readonly sumSquaresX: number;
  readonly sumProducts: number;
  /** Without them, the skewness is unknown. */
  readonly cubes?: PairCubes;
};

/** The sums of products of three factors: y³, y²x, yx² and x³. */
export type PairCubes = readonly [yyy: number, yyx: number, yxx: number, xxx: number];

/** A mean of a group, how much one unit varies around it, and how sure the mean is. */
export type Estimate = {
  readonly mean: number;
  /** The sample variance of one unit (n − 1). */
  readonly variance: number;
  readonly standardError: number;
  readonly units: number;
  /** The third central moment of one unit, which gives its skewness. Undefined if it is unknown. */
  readonly thirdMoment?: number | undefined;
  /** Of the standard error, if they are not those of so many units. */
  readonly degreesOfFreedom?: number;
  /** The fewest units for a verdict: with fewer, the standard error is too small. Default: 10. */
  readonly leastUnits?: number;
};

/** The mean of the units, with the sample variance. @returns no value for less than two units */
export function estimateMoments({ n, sum, sumSquares, sumCubes, base = 0 }: Moments): Maybe<Estimate> {
  if (n === 0) return none("no_units");
  if (n === 1) return none("one_unit");
  const thirdMoment = sumCubes === undefined ? undefined : centralThird(n, sum, sumSquares, sumCubes);
  return some(estimate(base + sum / n, (sumSquares - (sum * sum) / n) / (n - 1), n, thirdMoment));
}

/** The third central moment of one value, from its power sums. */
export function centralThird(n: number, sum: number, sumSquares: number, sumCubes: number): number {
  const mean = sum / n;
  return sumCubes / n - (3 * mean * sumSquares) / n + 2 * mean ** 3;
}

/** The third central moment of y − slope·x. Undefined if the sums that it follows from are unknown. */
export function residualThird(moments: PairMoments, slope: number): number | undefined {
  const { n, sumY, sumX, sumSquaresY, sumSquaresX, sumProducts, cubes } = moments;
  if (cubes === undefined) return undefined;
  const [yyy, yyx, yxx, xxx] = cubes;
  return centralThird(
    n,
    sumY - slope * sumX,
    sumSquaresY - 2 * slope * sumProducts + slope ** 2 * sumSquaresX,
    yyy - 3 * slope * yyx + 3 * slope ** 2 * yxx - slope ** 3 * xxx,
  );
}

/**
 * The denominators of few units vary so much that the standard error of their ratio is too small: with 12 units, the false-positive rate is 1.25 α
 * at α = 1%. Chosen with `test/calibration`.
 */
const LEAST_UNITS_OF_RATIO = 30;

/**
 * The ratio of two sums, whose units vary as the linearised residual (y − R x)/x̄ does: the delta method, in a form that cannot be negative.
 * Source: Deng, Knoblich, Lu 2018, arXiv 1803.06336.
 */
export function estimateRatio(moments: PairMoments): Maybe<Estimate> {
  const { n, sumY, sumX } = moments;
  if (n === 0) return none("no_units");
  if (n === 1) return none("one_unit");
  if (sumX === 0) return none("no_denominator");
  const ratio = sumY / sumX;
  const meanX = sumX / n;
  const { varianceY, varianceX, covariance } = sampleVariances(moments);
  const third = residualThird(moments, ratio);
  const thirdMoment = third === undefined ? undefined : third / meanX ** 3;
  const variance = (varianceY - 2 * ratio * covariance + ratio * ratio * varianceX) / (meanX * meanX);
  return some({ ...estimate(ratio, variance, n, thirdMoment), leastUnits: LEAST_UNITS_OF_RATIO });
}

/** Sample variances and covariance of two values per unit. */
export function sampleVariances({ n, sumY, sumX, sumSquaresY, sumSquaresX, sumProducts }: PairMoments) {
  return {
    varianceY: Math.max(0, (sumSquaresY - (sumY * sumY) / n) / (n - 1)),
    varianceX: Math.max(0, (sumSquaresX - (sumX * sumX) / n) / (n - 1)),
    covariance: (sumProducts - (sumY * sumX) / n) / (n - 1),
  };
}

/** Rounding may leave a variance of equal values below 0. */
export function estimate(mean: number, variance: number, units: number, thirdMoment?: number): Estimate {
  const kept = Math.max(0, variance);
  return { mean, variance: kept, standardError: Math.sqrt(kept / units), units, ...(thirdMoment !== undefined && { thirdMoment }) };
}

/** The moments of both. */
export function addMoments(a: Moments, b: Moments): Moments {
  if ((a.base ?? 0) !== (b.base ?? 0)) throw new Error("Moments add up only over the same base.");
  return {
    ...{ n: a.n + b.n, sum: a.sum + b.sum, sumSquares: a.sumSquares + b.sumSquares },
    ...(a.sumCubes !== undefined && b.sumCubes !== undefined && { sumCubes: a.sumCubes + b.sumCubes }),
    ...(a.base !== undefined && { base: a.base }),
  };
}

/** The moments of both. */
export function addPairMoments(a: PairMoments, b: PairMoments): PairMoments {
  return {
    n: a.n + b.n,
    sumY: a.sumY + b.sumY,
    sumX: a.sumX + b.sumX,
    sumSquaresY: a.sumSquaresY + b.sumSquaresY,
    sumSquaresX: a.sumSquaresX + b.sumSquaresX,
    sumProducts: a.sumProducts + b.sumProducts,
    ...(a.cubes && b.cubes && { cubes: addCubes(a.cubes, b.cubes) }),
  };
}

const addCubes = (a: PairCubes, b: PairCubes): PairCubes => [a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]];
