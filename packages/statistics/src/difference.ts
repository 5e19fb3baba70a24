import { normalCdf, normalQuantile, normalSurvival, tCdf, tQuantile, tSurvival } from "./distributions.ts";
import { type Maybe, none, some } from "./maybe.ts";
import type { Estimate } from "./moments.ts";

/** The alternative: the test differs, is greater, or is less. */
export type Sides = "two" | "greater" | "less";

/** A difference of means. */
export type Difference = {
  readonly delta: number;
  readonly standardError: number;
  /** Of Student's distribution, by Welch; infinite where the normal distribution is used. */
  readonly degreesOfFreedom: number;
};

/** Open to one side for a one-sided question: then that bound is infinite. */
export type Interval = readonly [lower: number, upper: number];

export type Tested = Difference & {
  /** The difference in standard errors. */
  readonly statistic: number;
  readonly p: number;
  readonly interval: Interval;
};

/**
 * From so many degrees of freedom on, Student's distribution is taken for normal. With 100 of them, the normal quantile at α = 1% would call
 * 1.15 times as many differences as α says; with 1,000, 1.01 times.
 */
export const NORMAL_FROM_DEGREES = 1_000;

/** Test less control. Degrees of freedom as Welch 1947 approximates them. */
export function estimateDifference(control: Estimate, test: Estimate): Maybe<Difference> {
  const [vc, vt] = [control.standardError ** 2, test.standardError ** 2];
  const variance = vc + vt;
  if (variance === 0) return none("no_variance");
  const [dc, dt] = [control, test].map((group) => group.degreesOfFreedom ?? group.units - 1) as [number, number];
  const degreesOfFreedom = variance ** 2 / (vt ** 2 / dt + vc ** 2 / dc);
  return some({ delta: test.mean - control.mean, standardError: Math.sqrt(variance), degreesOfFreedom });
}

/** The mean of one group less a fixed value. */
export function differenceFrom(fixed: number, { mean, standardError, units }: Estimate): Maybe<Difference> {
  if (standardError === 0) return none("no_variance");
  return some({ delta: mean - fixed, standardError, degreesOfFreedom: units - 1 });
}

type TestOptions = {
  /** The share of intervals that hold the true difference, 0–1. */
  confidence: number;
  sides?: Sides;
  /** By default Student's distribution below 1,000 degrees of freedom, and the normal one from there. */
  distribution?: "normal" | "t";
};

/** The p-value of a difference and its interval, from one α. */
export function testDifference(difference: Difference, options: TestOptions): Tested {
  const { delta, standardError, degreesOfFreedom } = difference;
  const { confidence, sides = "two", distribution = degreesOfFreedom < NORMAL_FROM_DEGREES ? "t" : "normal" } = options;
  const isNormal = distribution === "normal";
  const below = (x: number) => (isNormal ? normalCdf(x) : tCdf(x, degreesOfFreedom));
  const above = (x: number) => (isNormal ? normalSurvival(x) : tSurvival(x, degreesOfFreedom));
  const quantile = (p: number) => (isNormal ? normalQuantile(p) : tQuantile(p, degreesOfFreedom));
  const statistic = delta / standardError;
  const alpha = 1 - confidence;
  // The lower tail, where small probabilities keep their digits.
  const reach = -quantile(sides === "two" ? alpha / 2 : alpha) * standardError;
  const known = { ...difference, degreesOfFreedom: isNormal ? Number.POSITIVE_INFINITY : degreesOfFreedom, statistic };
  switch (sides) {
    case "two":
      return { ...known, p: 2 * below(-Math.abs(statistic)), interval: [delta - reach, delta + reach] };
    case "greater":
      return { ...known, p: above(statistic), interval: [delta - reach, Number.POSITIVE_INFINITY] };
    case "less":
      return { ...known, p: below(statistic), interval: [Number.NEGATIVE_INFINITY, delta + reach] };
  }
}

/** The quantile of Student's distribution, or of the normal one where that is used. */
export const studentQuantile = (p: number, degreesOfFreedom: number): number =>
  degreesOfFreedom < NORMAL_FROM_DEGREES ? tQuantile(p, degreesOfFreedom) : normalQuantile(p);

/** The number of standard errors of Student's distribution that is exceeded as seldom as `z` is by the normal one. */
export const criticalValue = (z: number, degreesOfFreedom: number): number =>
  degreesOfFreedom < NORMAL_FROM_DEGREES ? -tQuantile(Math.max(normalCdf(-z), LEAST_P), degreesOfFreedom) : z;

const LEAST_P = 1e-300;
