import type { Interval } from "./difference.ts";
import { type Maybe, none, some } from "./maybe.ts";

/** A group whose units have either 0 or 1. */
export type Proportion = { readonly units: number; readonly successes: number };

/** A number of standard errors that a true value is tested at; positive while the estimate is above it. */
type Score = (at: number) => number;

const STEPS = 200;
const rate = ({ units, successes }: Proportion) => successes / units;
/** Half a success in one group, the correction of a continuous distribution. Source: Yates 1934. */
const half = ({ units }: Proportion) => 0.5 / units;

/**
 * The score test of two proportions: the difference in standard errors, with the variance of both groups pooled and Yates' correction. It is
 * the signed root of the corrected chi-square statistic of the 2 × 2 table. Sources: Pearson 1900; Yates 1934.
 */
export function scoreProportions(control: Proportion, test: Proportion): Maybe<{ readonly standardError: number; readonly score: number }> {
  const pooled = (control.successes + test.successes) / (control.units + test.units);
  const standardError = Math.sqrt(pooled * (1 - pooled) * (1 / control.units + 1 / test.units));
  if (!(standardError > 0)) return none("no_variance");
  const delta = rate(test) - rate(control);
  return some({ standardError, score: corrected(delta, half(control) + half(test)) / standardError });
}

/** A distance less the correction, which never changes its sign. */
const corrected = (distance: number, by: number): number => Math.sign(distance) * Math.max(0, Math.abs(distance) - by);

/**
 * The differences of proportions that the score test does not reject: it excludes 0 exactly if `scoreProportions` is beyond `z`. Source: Mee
 * 1984; the proportions that fit a difference best as in Miettinen and Nurminen 1985.
 */
export function differenceInterval(control: Proportion, test: Proportion, z: number): Interval {
  const delta = rate(test) - rate(control);
  const by = half(control) + half(test);
  const score: Score = (at) => {
    const [p, q] = fitDifference(control, test, at);
    const variance = (p * (1 - p)) / test.units + (q * (1 - q)) / control.units;
    return corrected(delta - at, by) / Math.sqrt(Math.max(variance, Number.MIN_VALUE));
  };
  return [boundBetween(score, -1, delta, z), boundBetween((at) => -score(at), 1, delta, z)];
}

/**
 * The ratios of proportions, less 1, that the score test does not reject: it excludes 0 exactly if `scoreProportions` is beyond `z`. Source:
 * Koopman 1984, with Yates' correction. @returns no value if the control has no success
 */
export function ratioInterval(control: Proportion, test: Proportion, z: number): Maybe<Interval> {
  if (control.successes === 0) return none("control_mean_zero");
  const score: Score = (ratio) => scoreRatio(control, test, ratio);
  const estimate = rate(test) / rate(control);
  let most = 2 * Math.max(estimate, 1);
  // One success of the control is more than the correction takes away, so that some ratio is too large.
  while (-score(most) <= z && most < Number.MAX_VALUE / 4) most *= 4;
  return some([boundBetween(score, 0, estimate, z) - 1, boundBetween((at) => -score(at), most, estimate, z) - 1]);
}

/**
 * The score test of the null hypothesis that the test's proportion is `ratio` times the control's, in standard errors, with Yates' correction.
 * Sources: Koopman 1984; Farrington, Manning 1990.
 */
export function scoreRatio(control: Proportion, test: Proportion, ratio: number): number {
  const distance = corrected(rate(test) - ratio * rate(control), half(test) + ratio * half(control));
  return distance / errorAtRatio(control, test, ratio);
}

/** The standard error of p̂t − ratio·p̂c under the null hypothesis of that ratio. */
export function errorAtRatio(control: Proportion, test: Proportion, ratio: number): number {
  const q = fitRatio(control, test, ratio);
  const p = ratio * q;
  const variance = (p * (1 - p)) / test.units + (ratio ** 2 * q * (1 - q)) / control.units;
  return Math.sqrt(Math.max(variance, Number.MIN_VALUE));
}

/** The point where a score, falling from `outer` to `inner`, is `z`; `outer` if it is lower there. */
function boundBetween(score: Score, outer: number, inner: number, z: number): number {
  if (score(outer) <= z) return outer;
  let [beyond, within] = [outer, inner];
  for (let step = 0; step < STEPS; step++) {
    const middle = (beyond + within) / 2;
    if (middle === beyond || middle === within) break;
    if (score(middle) > z) beyond = middle;
    else within = middle;
  }
  return within;
}

/** The most likely proportions of test and control with a difference: a root of a cubic equation. Source: Miettinen, Nurminen 1985. */
function fitDifference(control: Proportion, test: Proportion, delta: number): [test: number, control: number] {
  const [p, q] = [rate(test), rate(control)];
  const theta = control.units / test.units;
  const a = 1 + theta;
  const b = -(1 + theta + p + theta * q + delta * (theta + 2));
  const c = delta * delta + delta * (2 * p + theta + 1) + p + theta * q;
  const d = -p * delta * (1 + delta);
  const v = (b / (3 * a)) ** 3 - (b * c) / (6 * a * a) + d / (2 * a);
  const u = (v < 0 ? -1 : 1) * Math.sqrt(Math.max(0, (b / (3 * a)) ** 2 - c / (3 * a)));
  const w = u === 0 ? 0 : (Math.PI + Math.acos(Math.min(1, Math.max(-1, v / u ** 3)))) / 3;
  const fitted = 2 * u * Math.cos(w) - b / (3 * a);
  const low = Math.max(0, delta);
  const kept = Math.min(Math.min(1, 1 + delta), Math.max(low, fitted));
  return [kept, Math.min(1, Math.max(0, kept - delta))];
}

/** The most likely proportion of the control with a ratio of test to control. Source: Koopman 1984. */
function fitRatio(control: Proportion, test: Proportion, ratio: number): number {
  const all = control.units + test.units;
  const successes = control.successes + test.successes;
  if (ratio === 0) return control.successes / all;
  const a = all * ratio;
  const b = -(test.units * ratio + test.successes + control.units + control.successes * ratio);
  const root = Math.sqrt(Math.max(0, b * b - 4 * a * successes));
  // Of the two forms of the root, the one that subtracts no numbers of like size.
  return Math.min(1, 1 / ratio, (2 * successes) / (-b + root));
}
