import { type Difference, estimateDifference } from "./difference.ts";
import { type Maybe, none, some } from "./maybe.ts";
import type { Estimate } from "./moments.ts";

/** A part of the units that was known before the exposure. */
export type Stratum = { readonly control: Estimate; readonly test: Estimate };

/** The means of both groups as if each had the strata's shares of all units. */
export type StratifiedMeans = Stratum;

/**
 * The mean of each group over strata, each weighted by its share of the units of both groups. The variance is the one given the units of each
 * stratum. Its degrees of freedom, over the strata, are those of Satterthwaite 1946. Source: Miratrix, Sekhon, Yu 2013.
 */
export function stratifiedMeans(strata: readonly Stratum[]): Maybe<StratifiedMeans> {
  const total = strata.reduce((sum, { control, test }) => sum + control.units + test.units, 0);
  if (total === 0) return none("no_units");
  const weights = strata.map(({ control, test }) => (control.units + test.units) / total);
  const of = (group: keyof Stratum): Estimate =>
    weightedMean(
      strata.map((stratum) => stratum[group]),
      weights,
    );
  return some({ control: of("control"), test: of("test") });
}

/** The difference over strata, each weighted by its share of all units. Source: Miratrix, Sekhon, Yu 2013. */
export function stratifiedDifference(strata: readonly Stratum[]): Maybe<Difference> {
  const { value, reason } = stratifiedMeans(strata);
  return value ? estimateDifference(value.control, value.test) : { reason };
}

function weightedMean(estimates: readonly Estimate[], weights: readonly number[]): Estimate {
  const sum = (of: (estimate: Estimate, weight: number) => number) =>
    estimates.reduce((total, estimate, index) => total + of(estimate, weights[index] as number), 0);
  const units = sum(({ units: own }) => own);
  const squaredError = sum(({ standardError }, weight) => (weight * standardError) ** 2);
  const variance = squaredError * units;
  const skewness = estimates.every(({ thirdMoment }) => thirdMoment !== undefined);
  const fourth = sum(({ standardError, units: own }, weight) => (weight * standardError) ** 4 / (own - 1));
  return {
    mean: sum(({ mean }, weight) => weight * mean),
    ...{ variance, units, standardError: Math.sqrt(squaredError) },
    // The third moment of a unit that gives the weighted mean its own.
    ...(skewness && { thirdMoment: units ** 2 * sum(({ thirdMoment = 0, units: own }, weight) => (weight ** 3 * thirdMoment) / own ** 2) }),
    ...(fourth > 0 && { degreesOfFreedom: squaredError ** 2 / fourth }),
  };
}
