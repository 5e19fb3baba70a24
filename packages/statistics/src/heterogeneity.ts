import type { Difference } from "./difference.ts";
import { betaCdf } from "./distributions.ts";
import { type Maybe, none, some } from "./maybe.ts";

/** Whether differences of several parts of the units vary more than chance explains. */
export type Heterogeneity = {
  /** The weighted squared deviations of the differences from their common one: Cochran's Q. */
  readonly q: number;
  /** One less than the parts. */
  readonly degreesOfFreedom: number;
  readonly p: number;
  /** The share of the variation between parts that chance does not explain, 0–1. */
  readonly iSquared: number;
  /** The common difference, with weights of inverse variances. */
  readonly delta: number;
};

/**
 * Tests whether independent differences have one true value. Large parts have Q's χ² distribution. For small ones, whose variances are estimates,
 * Q is compared with Welch's F distribution. Sources: Cochran 1954; Welch 1951; I² by Higgins, Thompson 2002.
 */
export function testHeterogeneity(differences: readonly Difference[]): Maybe<Heterogeneity> {
  const count = differences.length;
  if (count < 2) return none("one_part");
  const weights = differences.map(({ standardError }) => 1 / standardError ** 2);
  const total = sum(weights);
  if (!Number.isFinite(total)) return none("no_variance");
  const share = (index: number) => (weights[index] as number) / total;
  const delta = sum(differences.map((one, index) => share(index) * one.delta));
  const q = sum(differences.map((one, index) => (weights[index] as number) * (one.delta - delta) ** 2));
  const degreesOfFreedom = count - 1;
  const lambda = sum(differences.map((one, index) => (1 - share(index)) ** 2 / one.degreesOfFreedom));
  const f = q / degreesOfFreedom / (1 + ((2 * (count - 2)) / (count ** 2 - 1)) * lambda);
  const p = fSurvival(f, degreesOfFreedom, (count ** 2 - 1) / (3 * Math.max(lambda, LEAST_LAMBDA)));
  return some({ q, degreesOfFreedom, p, iSquared: q > degreesOfFreedom ? (q - degreesOfFreedom) / q : 0, delta });
}

/** With so many degrees of freedom, the F distribution is that of χ². */
const LEAST_LAMBDA = 1e-9;

/** The probability of a value of the F distribution above `f`. */
const fSurvival = (f: number, degrees: number, within: number): number => betaCdf(within / (within + degrees * f), within / 2, degrees / 2);

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
