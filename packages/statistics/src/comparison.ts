import { type Detection, detectableMargin, detectableMarginOfProportions, detectableProportions } from "./detection.ts";
import { criticalValue, estimateDifference, type Interval, studentQuantile, testDifference } from "./difference.ts";
import { normalCdf, normalQuantile } from "./distributions.ts";
import { fiellerInterval } from "./lift.ts";
import { type Maybe, none, some } from "./maybe.ts";
import type { Estimate } from "./moments.ts";
import { differenceInterval, type Proportion, ratioInterval, scoreProportions, scoreRatio } from "./proportions.ts";

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
  /**
   * The size of the smallest true difference that the test finds with the given power. Undefined if not even the largest possible difference
   * is found.
   */
  detectable(detection: Detection): number | undefined;
  /**
   * The same groups tested against another null hypothesis: that the true lift, relative to the size of the control mean, is `lift`. The deviate,
   * the p-value and the interval of the lift agree again. Its `detectable` is the smallest margin, as a difference, for which two equal groups
   * pass the test.
   */
  against(lift: number): Maybe<Comparison>;
};

type Group = Pick<Estimate, "units" | "variance">;

const LEAST_P = 1e-300;

/**
 * Compares means or ratios: Welch's test, and Fieller's interval of the lift with the same quantiles of Student's distribution. Sources: Welch
 * 1947; Fieller 1954. The detectable difference is (t(1 − α/2) + t(power)) standard errors. Source: Bloom 1995.
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
    deviate: toDeviate(p, statistic, degreesOfFreedom),
    interval: (z) => [delta - reach(z) * standardError, delta + reach(z) * standardError],
    liftInterval: (z) => (control.mean === 0 ? none("control_mean_zero") : fiellerInterval(control, test, reach(z))),
    detectable: ({ z, power, growth = 1 }) => {
      const degrees = degreesOfFreedom * growth;
      return ((criticalValue(z, degrees) + studentQuantile(power, degrees)) * standardError) / Math.sqrt(growth);
    },
    against: (lift) => compareMeansAgainst(control, test, lift),
  });
}

/** The normal deviate with the p-value of a statistic, and its sign. */
const toDeviate = (p: number, statistic: number, degreesOfFreedom: number): number =>
  Number.isFinite(degreesOfFreedom) ? -Math.sign(statistic) * normalQuantile(Math.max(p, LEAST_P) / 2) : statistic;

/**
 * Tests whether the test mean is r times the control mean: Welch's test of x̄t − r x̄c, whose acceptance region is Fieller's interval. Source:
 * Hauschke, Kieser, Diletti, Hothorn 1999; degrees of freedom as in Tamhane, Logan 2004.
 */
function compareMeansAgainst(control: Estimate, test: Estimate, lift: number): Maybe<Comparison> {
  if (control.mean === 0) return none("control_mean_zero");
  const ratio = toRatio(control.mean, lift);
  const plain = compareMeans(control, test);
  const scaled = compareMeans(scale(control, ratio), test);
  if (!plain.value) return plain;
  if (!scaled.value) return scaled;
  const { deviate, p, groups, degreesOfFreedom } = scaled.value;
  return some({
    ...plain.value,
    ...{ deviate, p, groups, degreesOfFreedom },
    liftInterval: (z) => fiellerInterval(control, test, criticalValue(z, degreesOfFreedom)),
    detectable: (detection) => detectableMargin(control, test, { ...detection, degreesOfFreedom, isBelow: ratio < 1 }),
    against: (other) => compareMeansAgainst(control, test, other),
  });
}

/** The ratio of test to control that a lift, relative to the size of the control mean, is. */
const toRatio = (controlMean: number, lift: number): number => 1 + lift * Math.sign(controlMean);

function scale(group: Estimate, factor: number): Estimate {
  const { mean, variance, standardError, thirdMoment } = group;
  const size = Math.abs(factor);
  return {
    ...group,
    ...{ mean: factor * mean, variance: factor ** 2 * variance, standardError: size * standardError },
    ...(thirdMoment !== undefined && { thirdMoment: factor ** 3 * thirdMoment }),
  };
}

/** Compares proportions by the score test with Yates' correction. Sources: Yates 1934; Mee 1984; Koopman 1984. */
export function compareProportions(control: Proportion, test: Proportion): Maybe<Comparison> {
  const scored = scoreProportions(control, test);
  if (!scored.value) return scored;
  const { standardError, score } = scored.value;
  const variance = standardError ** 2 / (1 / control.units + 1 / test.units);
  const comparison: Comparison = {
    delta: test.successes / test.units - control.successes / control.units,
    ...{ standardError, degreesOfFreedom: Number.POSITIVE_INFINITY, deviate: score },
    p: 2 * normalCdf(-Math.abs(score)),
    groups: [
      { units: control.units, variance },
      { units: test.units, variance },
    ],
    interval: (z) => differenceInterval(control, test, z),
    liftInterval: (z) => ratioInterval(control, test, z),
    detectable: (detection) => detectableProportions(control, test, detection),
    against: (lift) => {
      if (control.successes === 0) return none("control_mean_zero");
      const deviate = scoreRatio(control, test, 1 + lift);
      return some({
        ...comparison,
        ...{ deviate, p: 2 * normalCdf(-Math.abs(deviate)) },
        detectable: (detection) => detectableMarginOfProportions(control, test, { ...detection, isBelow: lift < 0 }),
      });
    },
  };
  return some(comparison);
}
