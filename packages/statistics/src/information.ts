import { normalDensity, normalQuantile } from "./distributions.ts";
import type { Estimate } from "./moments.ts";
import type { Proportion } from "./proportions.ts";

// How much data a verdict needs, so that its false positives stay close to α. `test/calibration` has chosen the constants.

/** The reason for the missing verdict, and how much data is missing. */
export type Lack = {
  readonly reason: /** A group is too small for its variance to be known. */
    | "notEnoughUnits"
    /** Too few units have a 1, or a 0. */
    | "notEnoughSuccesses"
    | "notEnoughFailures"
    /** A few large values decide about the mean of the smaller group. */
    | "tooSkewed"
    /** The moments that the skewness follows from are unknown. */
    | "skewnessUnknown";
  /** Units that the smaller group lacks, or successes or failures that all groups together lack, about. */
  readonly missing?: number;
};

/** With fewer, Welch's approximation calls too many differences if the other group is large. An estimate may ask for more. */
const LEAST_UNITS = 10;
/** Successes and failures that are expected in the smaller group. Source: Cochran 1954. */
const LEAST_EXPECTED = 5;
/** Units of the smaller group for each square of the skewness: of a rare event, about its occurrences. */
const UNITS_PER_SQUARED_SKEWNESS = 5;
/** By how much skewness may inflate α to the first order. Less than the 1.15 that are allowed, since the sample's skewness is smaller than the true one. */
const INFLATION = 1.1;

/**
 * The data missing from the comparison of two means or ratios for a verdict at `alpha`, if any. A one-sided test needs more: skewness makes
 * one tail larger, and the smaller other one does not make up for it.
 */
export function lackOfMeans(
  control: Estimate,
  test: Estimate,
  { alpha, isOneSided = false }: { alpha: number; isOneSided?: boolean },
): Lack | undefined {
  const smaller = Math.min(control.units, test.units);
  const least = Math.max(...[control, test].map(({ leastUnits = LEAST_UNITS }) => leastUnits));
  if (smaller < least) return { reason: "notEnoughUnits", missing: least - smaller };
  const skewness = pooledSkewness(control, test);
  if (!Number.isFinite(skewness)) return { reason: "skewnessUnknown" };
  const excess = Math.max(
    (skewnessOfDifference(skewness, control.units, test.units) / largestSkewness(alpha, isOneSided)) ** 2,
    (UNITS_PER_SQUARED_SKEWNESS * skewness ** 2) / smaller,
  );
  return excess > 1 ? { reason: "tooSkewed", missing: Math.ceil(smaller * (excess - 1)) } : undefined;
}

/** The skewness of a unit within its group. That of a small group alone misses the rare large values which make it skewed. */
function pooledSkewness(control: Estimate, test: Estimate): number {
  const units = control.units + test.units;
  const third = (control.units * (control.thirdMoment ?? Number.NaN) + test.units * (test.thirdMoment ?? Number.NaN)) / units;
  const variance = ((control.units - 1) * control.variance + (test.units - 1) * test.variance) / (units - 2);
  return variance === 0 ? 0 : third / variance ** 1.5;
}

/** The size of the skewness of a difference of means. It vanishes for groups of the same size, whose skewness cancels. */
function skewnessOfDifference(skewness: number, controlUnits: number, testUnits: number): number {
  const [c, t] = [1 / controlUnits, 1 / testUnits];
  return Math.abs((skewness * (t * t - c * c)) / (c + t) ** 1.5);
}

/**
 * The largest skewness of a difference at which the tails of the test add up to at most `INFLATION`·α. The quantile z of a studentized mean with
 * the skewness γ is off by γ(2z² + 1)/6, so that the tails are about α/2·exp(±zγ(2z² + 1)/6), and together α·cosh(zγ(2z² + 1)/6). Sources:
 * Johnson 1978; Hall 1992. Boos and Hughes-Oliver 2000 bound each tail of one mean instead, which asks for 355·γ² units at α = 5%. So does a
 * one-sided test, with the density of its quantile relative to the tail, φ(z)/α, in place of z: at a large α, a tail changes faster than z says.
 */
function largestSkewness(alpha: number, isOneSided: boolean): number {
  const z = -normalQuantile(isOneSided ? alpha : alpha / 2);
  if (z <= 0) return Number.POSITIVE_INFINITY;
  const [speed, change] = isOneSided ? [normalDensity(z) / alpha, Math.log(INFLATION)] : [z, Math.acosh(INFLATION)];
  return (6 * change) / (speed * (2 * z * z + 1));
}

/** The data missing from the comparison of two proportions for a verdict, if any. Source: Cochran 1954. */
export function lackOfProportions(control: Proportion, test: Proportion): Lack | undefined {
  const units = control.units + test.units;
  const needed = (LEAST_EXPECTED * units) / Math.min(control.units, test.units);
  const successes = control.successes + test.successes;
  if (successes < needed) return { reason: "notEnoughSuccesses", missing: Math.ceil(needed - successes) };
  const failures = units - successes;
  return failures < needed ? { reason: "notEnoughFailures", missing: Math.ceil(needed - failures) } : undefined;
}

/** A percentile of the events of a group, with the standard error of its level. */
export type PercentileLevel = { readonly units: number; readonly levelError: number };

/** Units of a group whose percentile is compared, and independent events that lie beyond it. */
const LEAST_UNITS_OF_PERCENTILE = 20;
const LEAST_EVENTS_BEYOND = 5;

/** The data missing from the comparison of two percentiles for a verdict, if any. @param level of the percentile, as a share */
export function lackOfPercentiles(groups: readonly PercentileLevel[], level: number): Lack | undefined {
  const missing = groups.map(({ units, levelError }) => {
    const beyond = ((level * (1 - level)) / levelError ** 2) * Math.min(level, 1 - level);
    return Math.max(LEAST_UNITS_OF_PERCENTILE, units * (LEAST_EVENTS_BEYOND / beyond)) - units;
  });
  const most = Math.max(...missing);
  return most > 0 ? { reason: "notEnoughUnits", missing: Math.ceil(most) } : undefined;
}
