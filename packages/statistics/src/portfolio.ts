import { type Maybe, none, some } from "./maybe.ts";

/** An effect as an experiment measured it. */
export type Measured = { readonly effect: number; readonly standardError: number };

export type Shrunken = {
  /** The mean of the true effects. */
  readonly mean: number;
  /** The variance of the true effects around their mean. */
  readonly variance: number;
  /** Each effect in the order given: its posterior mean and standard deviation. */
  readonly effects: readonly {
    readonly effect: number;
    readonly standardError: number /** The weight of the measured effect, 0–1. */;
    readonly weight: number;
  }[];
};

const STEPS = 200;

/**
 * Effects shrunk towards their mean, which corrects for the winner's curse: an effect that was chosen because it is large is too large on average.
 * True effects are normal, with a mean and a variance that the effects themselves give (empirical Bayes). The variance is that of Paule, Mandel
 * 1982. Sources: James, Stein 1961; Efron, Morris 1973.
 * @returns no value for less than three effects, whose spread says too little about the true one
 */
export function shrinkEffects(measured: readonly Measured[]): Maybe<Shrunken> {
  if (measured.length < 3) return none("no_units");
  if (measured.some(({ standardError }) => !(standardError > 0))) return none("no_variance");
  const variance = betweenVariance(measured);
  const mean = weightedMean(measured, variance);
  const effects = measured.map(({ effect, standardError }) => {
    const weight = variance / (variance + standardError ** 2);
    return { effect: mean + weight * (effect - mean), standardError: Math.sqrt(weight) * standardError, weight };
  });
  return some({ mean, variance, effects });
}

/** With the inverse of the total variance of each effect as its weight. */
function weightedMean(measured: readonly Measured[], variance: number): number {
  const weight = ({ standardError }: Measured) => 1 / (variance + standardError ** 2);
  const total = measured.reduce((sum, one) => sum + weight(one), 0);
  return measured.reduce((sum, one) => sum + weight(one) * one.effect, 0) / total;
}

/** The variance with which the weighted squares around the mean add up to their degrees of freedom; 0 if they are fewer. */
function betweenVariance(measured: readonly Measured[]): number {
  const excess = (variance: number) => {
    const mean = weightedMean(measured, variance);
    const squares = measured.reduce((sum, { effect, standardError }) => sum + (effect - mean) ** 2 / (variance + standardError ** 2), 0);
    return squares - (measured.length - 1);
  };
  if (excess(0) <= 0) return 0;
  let [low, high] = [0, 1];
  while (excess(high) > 0) high *= 2;
  for (let step = 0; step < STEPS; step++) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) break;
    if (excess(middle) > 0) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
