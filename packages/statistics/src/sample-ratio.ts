import { chiSquareSurvival, logGamma } from "./distributions.ts";
import { type Maybe, none, some } from "./maybe.ts";

export type SampleRatio = {
  readonly chiSquare: number;
  readonly degreesOfFreedom: number;
  /** With a fixed horizon: for one look, planned before. */
  readonly p: number;
  /** For every look: regardless of the number of looks, at most α of the groups with the expected shares ever have one below α. */
  readonly sequentialP: number;
  /** The largest distance of a group's share from the expected one, 0–1. */
  readonly largestDistance: number;
};

/**
 * Whether groups have as many units as their sizes say. Many experiments with a mismatch have a fault that no result survives.
 * @param weights the expected share of each group, in any unit. Groups that are switched off are left out
 */
export function testSampleRatio(observed: readonly number[], weights: readonly number[]): Maybe<SampleRatio> {
  const total = observed.reduce((sum, units) => sum + units, 0);
  const weight = weights.reduce((sum, share) => sum + share, 0);
  if (weight === 0) return none("no_weights");
  if (total === 0) return none("no_units");
  let [chiSquare, largestDistance] = [0, 0];
  for (const [index, units] of observed.entries()) {
    const expected = (total * (weights[index] ?? 0)) / weight;
    chiSquare += (units - expected) ** 2 / expected;
    largestDistance = Math.max(largestDistance, Math.abs(units - expected) / total);
  }
  const degreesOfFreedom = observed.length - 1;
  return some({
    chiSquare,
    degreesOfFreedom,
    p: chiSquareSurvival(chiSquare, degreesOfFreedom),
    sequentialP: sequentialP(observed, weights, weight),
    largestDistance,
  });
}

/**
 * How many units the prior on the shares is worth, which has its mean at the expected ones. With 100, groups of a hundred units may differ by a
 * fifth before that is improbable; the evidence of a smaller mismatch grows with the units all the same.
 */
const CONCENTRATION = 100;

/**
 * The inverse of the Bayes factor of a Dirichlet prior on the shares against the expected ones, which is a martingale if these are right.
 * Source: Lindon, Malek 2022, "Anytime-valid inference for multinomial count data".
 */
function sequentialP(observed: readonly number[], weights: readonly number[], weight: number): number {
  const total = observed.reduce((sum, units) => sum + units, 0);
  let evidence = logGamma(CONCENTRATION) - logGamma(CONCENTRATION + total);
  for (const [index, units] of observed.entries()) {
    const share = (weights[index] ?? 0) / weight;
    // A group without a share has no prior either: its first unit is a mismatch for certain.
    if (share === 0) evidence = units > 0 ? Number.POSITIVE_INFINITY : evidence;
    else evidence += logGamma(CONCENTRATION * share + units) - logGamma(CONCENTRATION * share) - units * Math.log(share);
  }
  return Math.min(1, Math.exp(-evidence));
}

export type HealthLevel = "PASSED" | "WARNING" | "FAILED";

/**
 * By the p-value for every look, since health is checked every hour: FAILED below 0.001 if a share is 0.1% of all units off or more, so that
 * millions of units do not fail without reason; else WARNING below 0.01.
 */
export function sampleRatioLevel({ sequentialP: p, largestDistance }: Pick<SampleRatio, "sequentialP" | "largestDistance">): HealthLevel {
  if (p < 0.001 && largestDistance >= 0.001) return "FAILED";
  return p < 0.01 ? "WARNING" : "PASSED";
}
