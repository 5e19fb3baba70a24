import { betaCdf } from "./distributions.ts";

/** An arm of a bandit: how many units it got, and how many of them succeeded. */
export type Arm = { readonly units: number; readonly successes: number };

const STEPS = 4_000;
/** Beyond so many standard deviations nothing is left. */
const REACH = 9;

/**
 * The probability of each arm to have the highest rate, with the posterior Beta(1 + successes, 1 + failures). By quadrature over the rates, so
 * the same counts always give the same weights.
 */
export function bestArmOf(arms: readonly Arm[]): number[] {
  const shapes = arms.map(({ units, successes }) => ({ alpha: 1 + successes, beta: 1 + units - successes }));
  const spans = shapes.map(({ alpha, beta }) => {
    const sum = alpha + beta;
    const [mean, deviation] = [alpha / sum, Math.sqrt((alpha * beta) / (sum * sum * (sum + 1)))];
    return [Math.max(0, mean - REACH * deviation), Math.min(1, mean + REACH * deviation)] as const;
  });
  const [from, to] = [Math.min(...spans.map(([low]) => low)), Math.max(...spans.map(([, high]) => high))];
  const rates = Array.from({ length: STEPS + 1 }, (_, step) => from + ((to - from) * step) / STEPS);
  const below = shapes.map(({ alpha, beta }) => rates.map((rate) => betaCdf(rate, alpha, beta)));
  return below.map((own, arm) => {
    const othersBelow = (step: number) =>
      below.reduce((product, other, index) => (index === arm ? product : product * (other[step] ?? 1)), 1);
    let probability = 0;
    for (let step = 0; step < STEPS; step++) {
      const gained = (own[step + 1] as number) - (own[step] as number);
      if (gained > 0) probability += (gained * (othersBelow(step) + othersBelow(step + 1))) / 2;
    }
    return probability;
  });
}
