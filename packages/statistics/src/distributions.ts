// Distribution functions, accurate in their tails: a small probability is computed as such, never as 1 − a large one.
import { createRequire } from "node:module";
import type Betainc from "@stdlib/math-base-special-betainc";
import type Erfcinv from "@stdlib/math-base-special-erfcinv";
import type Gammainc from "@stdlib/math-base-special-gammainc";
import type Normal from "@stdlib/stats-base-dists-normal-cdf";
import type T from "@stdlib/stats-base-dists-t-cdf";
import type TInverse from "@stdlib/stats-base-dists-t-quantile";

const require = createRequire(import.meta.url);

/** The functions of stdlib. They consist of 400 modules, so each is loaded at its first use. */
const betainc = once<typeof Betainc>(() => require("@stdlib/math-base-special-betainc"));
const erfcinv = once<typeof Erfcinv>(() => require("@stdlib/math-base-special-erfcinv"));
const gammainc = once<typeof Gammainc>(() => require("@stdlib/math-base-special-gammainc"));
const normal = once<typeof Normal>(() => require("@stdlib/stats-base-dists-normal-cdf"));
const t = once<typeof T>(() => require("@stdlib/stats-base-dists-t-cdf"));
const tInverse = once<typeof TInverse>(() => require("@stdlib/stats-base-dists-t-quantile"));

function once<Loaded>(load: () => Loaded): () => Loaded {
  let loaded: Loaded | undefined;
  return () => {
    loaded ??= load();
    return loaded;
  };
}

/** Loads each of the functions ahead of its first use. */
export const distributionLoads: readonly (() => void)[] = [betainc, erfcinv, gammainc, normal, t, tInverse];

/** The probability that a standard normal value is at most `x`. */
export const normalCdf = (x: number): number => normal()(x, 0, 1);

/** The probability that a standard normal value is above `x`. */
export const normalSurvival = (x: number): number => normalCdf(-x);

/** The standard normal density. */
export const normalDensity = (x: number): number => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);

/** The value that a standard normal one stays below with probability `p`. By the inverse of erfc, which is exact down to 1e-300. */
export const normalQuantile = (p: number): number => -Math.SQRT2 * erfcinv()(2 * p);

/** The probability that a value of Student's distribution is at most `x`. @param degrees of freedom, also fractions */
export const tCdf = (x: number, degrees: number): number => t()(x, degrees);

/** The probability that a value of Student's distribution is above `x`. */
export const tSurvival = (x: number, degrees: number): number => t()(-x, degrees);

/** The value that one of Student's distribution stays below with probability `p`. */
export const tQuantile = (p: number, degrees: number): number => tInverse()(p, degrees);

/** The probability of a chi-square value above `x`. */
export const chiSquareSurvival = (x: number, degrees: number): number => gammainc()(x / 2, degrees / 2, true, true);

/** The probability that a value of the beta distribution is at most `x`. */
export const betaCdf = (x: number, alpha: number, beta: number): number => betainc()(x, alpha, beta, true, false);
