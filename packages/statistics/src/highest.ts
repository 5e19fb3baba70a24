/** The belief about a number. */
export type Distribution = { mean: number; deviation: number; cdf(value: number): number };

/** The points of the quadrature: for each distribution, and for few ones as many as for several. */
const POINTS_EACH = 200;
const POINTS = 4_000;
/** Beyond so many standard deviations, densities are negligible. */
const REACH = 9;

/**
 * The probability of each number to be the highest: the integral of its density over the probability that all others are lower. The points lie
 * where the distributions do, so that two narrow ones are distinguished beside a wide third one.
 */
export function probabilitiesOfHighest(distributions: readonly Distribution[]): number[] {
  const steps = POINTS_EACH + Math.ceil(POINTS / distributions.length);
  const points = distributions
    .flatMap(({ mean, deviation }) => Array.from({ length: steps + 1 }, (_, step) => mean + deviation * REACH * ((2 * step) / steps - 1)))
    .sort((a, b) => a - b);
  const below = distributions.map(({ mean, deviation, cdf }) =>
    points.map((point) => (point < mean - REACH * deviation ? 0 : point > mean + REACH * deviation ? 1 : cdf(point))),
  );
  const probabilities = below.map((own, index) => {
    const othersBelow = (point: number) =>
      below.reduce((product, other, position) => (position === index ? product : product * (other[point] as number)), 1);
    let probability = 0;
    for (let point = 1; point < points.length; point++) {
      const gained = (own[point] as number) - (own[point - 1] as number);
      if (gained > 0) probability += (gained * (othersBelow(point - 1) + othersBelow(point))) / 2;
    }
    return probability;
  });
  // Removes the rounding error of the sum.
  const sum = probabilities.reduce((total, probability) => total + probability, 0);
  return probabilities.map((probability) => probability / sum);
}
