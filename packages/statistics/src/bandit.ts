import { type Arm, bestArmProbabilities, bestMeanProbabilities } from "./best-arm.ts";
import type { Moments } from "./moments.ts";

/** An arm's outcomes give no weight before each arm has so many units. */
export const MIN_UNITS_PER_ARM = 100;

/** Known outcomes of the arms: whether each unit succeeded, or one value of each. */
export type Outcomes = { of: "occurrence"; arms: readonly Arm[] } | { of: "value"; arms: readonly Moments[] };

/**
 * The weights of Thompson sampling: the probability of each arm to be the best. Undefined as long as an arm has less than MIN_UNITS_PER_ARM
 * units. Source: Thompson 1933; Scott 2010, "A modern Bayesian look at the multi-armed bandit".
 */
export function banditWeights(outcomes: Outcomes, { higherIsBetter = true } = {}): number[] | undefined {
  if (outcomes.of === "occurrence") {
    if (outcomes.arms.some(({ units }) => units < MIN_UNITS_PER_ARM)) return undefined;
    return bestArmProbabilities(
      higherIsBetter ? outcomes.arms : outcomes.arms.map(({ units, successes }) => ({ units, successes: units - successes })),
    );
  }
  if (outcomes.arms.some(({ n }) => n < MIN_UNITS_PER_ARM)) return undefined;
  return bestMeanProbabilities(
    higherIsBetter ? outcomes.arms : outcomes.arms.map((one) => ({ ...one, sum: -one.sum, base: one.base === undefined ? 0 : -one.base })),
  );
}

/**
 * The shares of traffic for weights of k arms: p = f + (1 − k f) w with the floor f = exploration / k. The exploring share is divided equally
 * and the rest by weight, so no arm gets less than the floor. The rest keeps the proportions of the posterior, which clipping would shift.
 * @param exploration the share of traffic that explores, 0–1
 */
export function allocateTraffic(weights: readonly number[], exploration: number): number[] {
  const floor = exploration / weights.length;
  return weights.map((weight) => floor + (1 - exploration) * weight);
}
