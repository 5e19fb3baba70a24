// Distribution functions, accurate in their tails: a small probability is computed as such, never as 1 − a large one.
import betainc from "@stdlib/math-base-special-betainc";
import erfcinv from "@stdlib/math-base-special-erfcinv";
import gammainc from "@stdlib/math-base-special-gammainc";
import gammaln from "@stdlib/math-base-special-gammaln";
import normal from "@stdlib/stats-base-dists-normal-cdf";
import t from "@stdlib/stats-base-dists-t-cdf";
import tInverse from "@stdlib/stats-base-dists-t-quantile";

/** The probability that a standard normal value is at most `x`. */
export const normalCdf = (x: number): number => normal(x, 0, 1);

/** The probability that a standard normal value is above `x`. */
export const normalSurvival = (x: number): number => normalCdf(-x);

/** The standard normal density. */
export const normalDensity = (x: number): number => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);

/** The value that a standard normal one stays below with probability `p`. By the inverse of erfc, which is exact down to 1e-300. */
export const normalQuantile = (p: number): number => -Math.SQRT2 * erfcinv(2 * p);

/** The probability that a value of Student's distribution is at most `x`. @param degrees of freedom, whole or fractional */
export const tCdf = (x: number, degrees: number): number => t(x, degrees);

/** The probability that a value of Student's distribution is above `x`. */
export const tSurvival = (x: number, degrees: number): number => t(-x, degrees);

/** The value that one of Student's distribution stays below with probability `p`. */
export const tQuantile = (p: number, degrees: number): number => tInverse(p, degrees);

/** The probability of a chi-square value above `x`. */
export const chiSquareSurvival = (x: number, degrees: number): number => gammainc(x / 2, degrees / 2, true, true);

/** The natural logarithm of the gamma function. */
export const logGamma = (x: number): number => gammaln(x);

/** The probability that a value of the beta distribution is at most `x`. */
export const betaCdf = (x: number, alpha: number, beta: number): number => betainc(x, alpha, beta, true, false);
