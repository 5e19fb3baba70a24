import { type Difference, estimateDifference, type Interval, NORMAL_FROM_DEGREES, testDifference } from "./difference.ts";
import { normalCdf, normalQuantile, tQuantile } from "./distributions.ts";
import { fiellerInterval } from "./lift.ts";
import { type Maybe, none, some } from "./maybe.ts";
import type { Estimate } from "./moments.ts";
import { differenceInterval, type Proportion, ratioInterval, scoreProportions } from "./proportions.ts";

/**
 * Two groups compared, so that p-value and intervals agree at every critical value: with a critical value `z`, each interval excludes 0 exactly
 * if the size of `deviate` is larger. A test with a fixed horizon takes the normal quantile as `z`, a sequential one its threshold.
 */
export type Comparison = {
  readonly delta: number;
  readonly standardError: number;
  /** Infinite where the normal distribution is used. */
  readonly degreesOfFreedom: number;
  /** The normal deviate with the p-value of the difference, and its sign. */
  readonly deviate: number;
  /** Two-sided, with a fixed horizon. */
  readonly p: number;
  /** How the units of the control and of the test vary, as the test has it. */
  readonly groups: readonly [control: Group, test: Group];
  /** The interval of the difference. */
  interval(z: number): Interval;
  /** The interval of the difference relative to the size of the control mean, whose error counts. */
  liftInterval(z: number): Maybe<Interval>;
};

type Group = Pick<Estimate, "units" | "variance">;

const LEAST_P = 1e-300;

/**
 * Compares means or ratios: Welch's test, and Fieller's interval of the lift with the same quantiles of Student's distribution. Sources: Welch
 * 1947; Fieller 1954.
 * @param distribution by default Student's below 1,000 degrees of freedom
 */
export function compareMeans(control: Estimate, test: Estimate, { distribution }: { distribution?: "normal" } = {}): Maybe<Comparison> {
  const difference = estimateDifference(control, test);
  if (!difference.value) return difference;
  const { delta, standardError } = difference.value;
  const { p, statistic, degreesOfFreedom } = testDifference(difference.value, { confidence: 0.95, ...(distribution && { distribution }) });
  const reach = (z: number) => criticalValue(z, degreesOfFreedom);
  return some({
    ...{ delta, standardError, degreesOfFreedom, p },
    groups: [control, test],
    deviate: Number.isFinite(degreesOfFreedom) ? -Math.sign(delta) * normalQuantile(Math.max(p, LEAST_P) / 2) : statistic,
    interval: (z) => [delta - reach(z) * standardError, delta + reach(z) * standardError],
    liftInterval: (z) => (control.mean === 0 ? none("control_mean_zero") : fiellerInterval(control, test, reach(z))),
  });
}

/** The number of standard errors of Student's distribution that is exceeded as seldom as `z` is by the normal one. */
export function criticalValue(z: number, degreesOfFreedom: Difference["degreesOfFreedom"]): number {
  return degreesOfFreedom < NORMAL_FROM_DEGREES ? -tQuantile(Math.max(normalCdf(-z), LEAST_P), degreesOfFreedom) : z;
}

/** Compares proportions by the score test with Yates' correction. Sources: Yates 1934; Mee 1984; Koopman 1984. */
export function compareProportions(control: Proportion, test: Proportion): Maybe<Comparison> {
  const scored = scoreProportions(control, test);
  if (!scored.value) return scored;
  const { standardError, score } = scored.value;
  const variance = standardError ** 2 / (1 / control.units + 1 / test.units);
  return some({
    delta: test.successes / test.units - control.successes / control.units,
    ...{ standardError, degreesOfFreedom: Number.POSITIVE_INFINITY, deviate: score },
    p: 2 * normalCdf(-Math.abs(score)),
    groups: [
      { units: control.units, variance },
      { units: test.units, variance },
    ],
    interval: (z) => differenceInterval(control, test, z),
    liftInterval: (z) => ratioInterval(control, test, z),
  });
}
