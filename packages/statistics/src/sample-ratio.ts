import { chiSquareSurvival } from "./distributions.ts";
import { type Maybe, none, some } from "./maybe.ts";

export type SampleRatio = {
  readonly chiSquare: number;
  readonly degreesOfFreedom: number;
  readonly p: number;
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
  return some({ chiSquare, degreesOfFreedom, p: chiSquareSurvival(chiSquare, degreesOfFreedom), largestDistance });
}

export type HealthLevel = "PASSED" | "WARNING" | "FAILED";

/** FAILED below p = 0.001 if a share is 0.1 % of all units off or more, so that millions of units do not fail for nothing; else WARNING below 0.01. */
export function sampleRatioLevel({ p, largestDistance }: Pick<SampleRatio, "p" | "largestDistance">): HealthLevel {
  if (p < 0.001 && largestDistance >= 0.001) return "FAILED";
  return p < 0.01 ? "WARNING" : "PASSED";
}
