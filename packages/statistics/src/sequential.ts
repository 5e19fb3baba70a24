import type { Interval } from "./difference.ts";
import { normalCdf, normalQuantile } from "./distributions.ts";
import { fiellerInterval } from "./lift.ts";
import { type Maybe, none, some } from "./maybe.ts";
import type { Estimate } from "./moments.ts";

// Tests that hold their level regardless of the number of looks.

type Group = Pick<Estimate, "variance" | "units">;

export type Sequential = {
  readonly p: number;
  readonly interval: Interval;
  readonly halfWidth: number;
};

export type Mixture = Sequential & {
  /** The difference is significant beyond so many standard errors. */
  readonly threshold: number;
  /** The threshold relative to that of the test with a fixed horizon. */
  readonly inflation: number;
};

/**
 * The sequential test that Statsig documents, after the mixture test of Zhao et al. 2018 (arXiv 1905.10493), which has ln α where this has
 * ln(α/2). It is for the time before the planned end. Its threshold is constant, so it is not an always-valid sequence in the strict
 * sense.
 */
export function mixtureTest(control: Group, test: Group, delta: number, { alpha }: { alpha: number }): Mixture {
  const variance = control.variance / control.units + test.variance / test.units;
  const z = -normalQuantile(alpha / 2);
  const prior = (z * z * (control.variance + test.variance)) / (control.units + test.units);
  const threshold = Math.sqrt(((variance + prior) / prior) * (-2 * Math.log(alpha / 2) - Math.log(variance / (variance + prior))));
  const halfWidth = threshold * Math.sqrt(variance);
  const inflation = threshold / z;
  return {
    threshold,
    inflation,
    halfWidth,
    interval: [delta - halfWidth, delta + halfWidth],
    p: 2 * normalCdf(-Math.abs(delta) / Math.sqrt(variance) / inflation),
  };
}

/**
 * The threshold of the sequential test at `alpha`, as a normal deviate: the least of the mixture test's thresholds up to `alpha`. For a large α,
 * that of `alpha` itself is larger again, and a test at a smaller one also holds the level.
 */
export function sequentialThreshold(control: Group, test: Group, { alpha }: { alpha: number }): number {
  return mixtureTest(control, test, 0, { alpha: Math.min(alpha, easiestAlpha(control, test)) }).threshold;
}

/** The smallest α whose sequential test calls a difference; 1 if none does. @param deviate the difference as a normal deviate */
export function sequentialPValue(control: Group, test: Group, deviate: number): number {
  const isCalled = (logAlpha: number) => mixtureTest(control, test, 0, { alpha: Math.exp(logAlpha) }).threshold <= Math.abs(deviate);
  let [low, high] = [LEAST_LOG_P, Math.log(easiestAlpha(control, test))];
  if (!isCalled(high)) return 1;
  for (let step = 0; step < SEARCH_STEPS; step++) {
    const middle = (low + high) / 2;
    if (isCalled(middle)) high = middle;
    else low = middle;
  }
  return Math.exp(high);
}

const LEAST_LOG_P = Math.log(1e-300);
const SEARCH_STEPS = 60;
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** The α at which the threshold of the mixture test is the least, by golden-section search. */
function easiestAlpha(control: Group, test: Group): number {
  const threshold = (logAlpha: number) => mixtureTest(control, test, 0, { alpha: Math.exp(logAlpha) }).threshold;
  let [low, high] = [Math.log(1e-4), Math.log(0.99)];
  for (let step = 0; step < SEARCH_STEPS; step++) {
    const [left, right] = [high - GOLDEN * (high - low), low + GOLDEN * (high - low)];
    if (threshold(left) < threshold(right)) high = right;
    else low = left;
  }
  return Math.exp((low + high) / 2);
}

/** How many standard errors the interval of a confidence sequence reaches. @param n units of all groups */
export function sequenceReach(n: number, options: { alpha: number; tuning?: number }): number {
  return confidenceSequence({ delta: 0, standardError: 1, n }, options).halfWidth;
}

/**
 * An asymptotic confidence sequence: its interval holds at all times together. The p-value is also always valid.
 * Source: Waudby-Smith, Arbour, Sinha, Kennedy, Ramdas, arXiv 2103.06476, equations 9, 155 and 161.
 * @param n units of all groups
 * @param tuning the number of units at which the interval is narrowest
 */
export function confidenceSequence(
  { delta, standardError, n }: { delta: number; standardError: number; n: number },
  { alpha, tuning = 5_000 }: { alpha: number; tuning?: number },
): Sequential & { rho: number } {
  const rho = Math.sqrt((-2 * Math.log(alpha) + Math.log(-2 * Math.log(alpha) + 1)) / tuning);
  const grown = n * rho * rho + 1;
  const halfWidth = standardError * Math.sqrt(n) * Math.sqrt(((2 * grown) / (n * rho) ** 2) * Math.log(Math.sqrt(grown) / alpha));
  const evidence = Math.log(grown) / 2 - (rho * rho * n * (delta / standardError) ** 2) / (2 * grown);
  return { rho, halfWidth, interval: [delta - halfWidth, delta + halfWidth], p: Math.min(1, Math.exp(evidence)) };
}

/**
 * The lift of the test over the control as a share, with an interval that holds at all times together. It is Fieller's interval:
 * the lifts that the confidence sequence of their difference does not exclude.
 * @param tuning the units of both groups for the narrowest interval
 */
export function sequentialLift(
  control: Estimate,
  test: Estimate,
  { alpha, tuning }: { alpha: number; tuning?: number },
): Maybe<{ readonly lift: number; readonly interval: Interval }> {
  if (control.mean === 0) return none("control_mean_zero");
  if (control.standardError === 0 && test.standardError === 0) return none("no_variance");
  const reach = sequenceReach(control.units + test.units, { alpha, ...(tuning !== undefined && { tuning }) });
  const { value: interval, reason } = fiellerInterval(control, test, reach);
  return interval ? some({ lift: (test.mean - control.mean) / Math.abs(control.mean), interval }) : none(reason);
}

/** `significant`: the effect is at least as large as was planned for; `futile`: it is not; `open`: go on. */
export type SprtDecision = "significant" | "futile" | "open";

export type Sprt = {
  readonly logLikelihoodRatio: number;
  /** At or above: significant. */
  readonly upper: number;
  /** At or below: futile. */
  readonly lower: number;
  readonly decision: SprtDecision;
};

/**
 * The sequential probability ratio test of a normal difference. Source: Wald 1945.
 * @param statistic the difference in standard errors
 * @param effect the least effect of interest, in a unit's standard deviations, set before the start
 * @param beta 1 − power
 */
export function sprt(
  { statistic, controlUnits, testUnits }: { statistic: number; controlUnits: number; testUnits: number },
  { effect, alpha, beta }: { effect: number; alpha: number; beta: number },
): Sprt {
  const expected = effect / Math.sqrt(1 / controlUnits + 1 / testUnits);
  const logLikelihoodRatio = Math.abs(statistic) * expected - (expected * expected) / 2;
  const [upper, lower] = [Math.log((1 - beta) / alpha), Math.log(beta / (1 - alpha))];
  const decision = logLikelihoodRatio >= upper ? "significant" : logLikelihoodRatio <= lower ? "futile" : "open";
  return { logLikelihoodRatio, upper, lower, decision };
}
