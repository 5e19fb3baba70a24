import type { Interval } from "./difference.ts";
import { normalCdf, normalDensity, normalQuantile } from "./distributions.ts";

/** The prior belief about a relative effect. A share: 0.05 is 5%. */
export type Prior = { mean: number; standardDeviation: number };

export type Posterior = {
  readonly mean: number;
  readonly standardDeviation: number;
  /** The probability that the test is better than the control, 0–1. */
  readonly chanceToBeat: number;
  readonly interval: Interval;
  /** The average loss from taking the test, and from staying with the control. */
  readonly expectedLoss: { readonly test: number; readonly control: number };
};

/**
 * The belief about an effect after the data: a normal prior and a normal effect, whose precisions add up. Without a prior, the data alone.
 * @param isDecreaseBetter whether less of it is better
 */
export function computePosterior(
  { effect, standardError }: { effect: number; standardError: number },
  { prior, confidence, isDecreaseBetter = false }: { prior?: Prior; confidence: number; isDecreaseBetter?: boolean },
): Posterior {
  const own = 1 / standardError ** 2;
  const given = prior ? 1 / prior.standardDeviation ** 2 : 0;
  const mean = (effect * own + (prior?.mean ?? 0) * given) / (own + given);
  const standardDeviation = Math.sqrt(1 / (own + given));
  const reach = -normalQuantile((1 - confidence) / 2) * standardDeviation;
  const better = isDecreaseBetter ? -mean : mean;
  // The mean of the part below 0, and of the part above it.
  const lost = standardDeviation * normalDensity(better / standardDeviation) - better * normalCdf(-better / standardDeviation);
  return {
    mean,
    standardDeviation,
    chanceToBeat: normalCdf(better / standardDeviation),
    interval: [mean - reach, mean + reach],
    expectedLoss: { test: lost, control: lost + better },
  };
}

/**
 * The size of the smallest true effect for which the chance to be better reaches `threshold`, with the given power: the conditional power of a
 * Bayesian decision. Source: Spiegelhalter, Abrams, Myles 2004, section 6.5.
 * @param z the normal quantile of the threshold
 * @returns undefined if the prior alone decides
 */
export function detectableBelief(
  standardError: number,
  { prior, z, power, isDecreaseBetter = false }: { prior?: Prior; z: number; power: number; isDecreaseBetter?: boolean },
): number | undefined {
  const own = 1 / standardError ** 2;
  const given = prior ? 1 / prior.standardDeviation ** 2 : 0;
  const believed = (isDecreaseBetter ? -1 : 1) * (prior?.mean ?? 0);
  const size = (z * Math.sqrt(own + given) - believed * given) / own + normalQuantile(power) * standardError;
  return size > 0 ? size : undefined;
}
