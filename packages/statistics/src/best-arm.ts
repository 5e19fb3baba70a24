import { betaCdf, normalCdf } from "./distributions.ts";
import { type Distribution, probabilitiesOfHighest } from "./highest.ts";
import type { Moments } from "./moments.ts";

/** An arm of a bandit: how many units it got, and how many of them succeeded. */
export type Arm = { readonly units: number; readonly successes: number };

/**
 * The probability of each arm to have the highest rate, with the posterior Beta(1 + successes, 1 + failures). By quadrature over the rates, so
 * the same counts always give the same weights.
 */
export function bestArmProbabilities(arms: readonly Arm[]): number[] {
  return probabilitiesOfHighest(
    arms.map(({ units, successes }): Distribution => {
      const [alpha, beta] = [1 + successes, 1 + units - successes];
      const sum = alpha + beta;
      return {
        mean: alpha / sum,
        deviation: Math.sqrt((alpha * beta) / (sum * sum * (sum + 1))),
        cdf: (rate) => (rate <= 0 ? 0 : rate >= 1 ? 1 : betaCdf(rate, alpha, beta)),
      };
    }),
  );
}

/**
 * The probability of each arm to have the highest mean of one value per unit, with the normal posterior N(x̄, s²/n). The variance s² of an arm
 * counts one more unit with the variation of all arms together, so that an arm of equal units is not taken for certain. If no unit of any arm
 * varies, the highest mean is the best, and equal ones share the probability.
 * @param arms the moments of at least two units each
 */
export function bestMeanProbabilities(arms: readonly Moments[]): number[] {
  const spreads = arms.map(({ n, sum, sumSquares }) => Math.max(0, sumSquares - (sum * sum) / n));
  const pooled = spreads.reduce((sum, spread) => sum + spread, 0) / arms.reduce((sum, { n }) => sum + n - 1, 0);
  const means = arms.map(({ n, sum, base = 0 }) => base + sum / n);
  if (!(pooled > 0)) return shareAmongHighest(means);
  return probabilitiesOfHighest(
    arms.map(({ n }, index): Distribution => {
      const mean = means[index] as number;
      const deviation = Math.sqrt(((spreads[index] as number) + pooled) / n / n);
      return { mean, deviation, cdf: (value) => normalCdf((value - mean) / deviation) };
    }),
  );
}

function shareAmongHighest(means: readonly number[]): number[] {
  const highest = Math.max(...means);
  const count = means.filter((mean) => mean === highest).length;
  return means.map((mean) => (mean === highest ? 1 / count : 0));
}
