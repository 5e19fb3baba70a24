import { describe, expect, test } from "vitest";
import {
  benjaminiHochberg,
  bonferroni,
  computePosterior,
  confidenceSequence,
  type Estimate,
  estimateDifference,
  estimateLift,
  estimateMoments,
  type Moments,
  testDifference,
  testSampleRatio,
} from "../src/index.ts";
import { computeMoments, present } from "./support.ts";

// Numbers that others published, to as many digits as they gave. Left out are numbers with other definitions:
// - GrowthBook divides the variance of a proportion by n, we by n − 1, and tests the lift, where we test the difference;
// - one of Statsig's published p-values is one-sided, all of ours are two-sided.

const of = (moments: Moments): Estimate => present(estimateMoments(moments));

/** Rounded by who published them to five digits after the point. */
const digits = (value: number | undefined, expected: number) => expect(value).toBeCloseTo(expected, 5);

describe("R's example of t.test with the data of sleep", () => {
  test("has the same t, degrees of freedom, p-value and interval", () => {
    const first = of(computeMoments([0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]));
    const second = of(computeMoments([1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]));
    const { statistic, degreesOfFreedom, p, interval } = testDifference(present(estimateDifference(second, first)), { confidence: 0.95 });
    expect(statistic).toBeCloseTo(-1.8608, 4);
    expect(degreesOfFreedom).toBeCloseTo(17.776, 3);
    digits(p, 0.07939);
    expect(interval[0]).toBeCloseTo(-3.3654832, 7);
    expect(interval[1]).toBeCloseTo(0.2054832, 7);
  });
});

describe("the examples of pulse results in Statsig's console API", () => {
  const estimate = (mean: number, standardError: number): Estimate => ({ mean, standardError, variance: Number.NaN, units: Number.NaN });
  const tested = (control: Estimate, test: Estimate, confidence: number) => {
    const { p, interval, delta } = testDifference(present(estimateDifference(control, test)), { confidence, distribution: "normal" });
    const { lift, simpleHalfWidth } = present(estimateLift(control, test, { confidence }));
    return { delta, halfWidth: interval[1] - delta, percent: lift * 100, percentHalfWidth: simpleHalfWidth * 100, p };
  };

  test("an experiment, at 80%", () => {
    const found = tested(estimate(62.12929623567921, 0.7248273669644147), estimate(61.56363636363636, 0.7461734327711735), 0.8);
    expect(found.delta).toBeCloseTo(-0.5656598720428505, 12);
    expect(found.halfWidth).toBeCloseTo(1.3331521511820725, 12);
    expect(found.percent).toBeCloseTo(-0.9104559464139017, 12);
    expect(found.percentHalfWidth).toBeCloseTo(2.145770565507353, 12);
  });

  test("a gate, at 90%", () => {
    const found = tested(estimate(0.7126860063129415, 0.003953024266669566), estimate(0.7159428911362284, 0.0038882253564431193), 0.9);
    expect(found.delta).toBeCloseTo(0.0032568848232868985, 12);
    expect(found.halfWidth).toBeCloseTo(0.009120368109978388, 12);
    expect(found.percent).toBeCloseTo(0.4569873400680713, 10);
    expect(found.percentHalfWidth).toBeCloseTo(1.2797175795779019, 10);
    expect(found.p).toBeCloseTo(0.5569502167465609, 12);
  });

  test("the division of α among metrics and groups", () => {
    const metrics = { primary: 2, secondary: 4, primaryWeight: 0.6 };
    const [one, two] = [1, 2].map((testGroups) => bonferroni({ alpha: 0.05, testGroups, metrics }));
    for (const [found, expected] of [
      [one?.primary, 0.015],
      [one?.secondary, 0.005],
      [two?.primary, 0.0075],
      [two?.secondary, 0.0025],
    ] as const)
      expect(found).toBeCloseTo(expected, 12);
  });
});

describe("the tests of GrowthBook's engine", () => {
  const control = { n: 3407, sum: 1396.87, sumSquares: 52377.9767 };
  const treated = of({ n: 3461, sum: 2422.7, sumSquares: 134698.29 });

  test("a difference of means", () => {
    const { delta, standardError, p, interval } = testDifference(present(estimateDifference(of(control), treated)), {
      confidence: 0.95,
      distribution: "t",
    });
    for (const [found, expected] of [
      [delta, 0.29],
      [standardError, 0.12478],
      [p, 0.02016],
      [interval[0], 0.04538],
      [interval[1], 0.53462],
    ] as const)
      digits(found, expected);
  });

  test("a one-sided difference", () => {
    const difference = present(estimateDifference(of({ ...control, n: 3000 }), treated));
    const { delta, standardError, p, interval } = testDifference(difference, { confidence: 0.95, sides: "greater", distribution: "t" });
    expect(delta).toBeCloseTo(0.23437666666666668, 12);
    expect(standardError).toBeCloseTo(0.12983081254184736, 12);
    digits(p, 0.03554272489873023);
    digits(interval[0], 0.020791480063255735);
    expect(interval[1]).toBe(Number.POSITIVE_INFINITY);
  });

  test("a lift and its error by the delta method", () => {
    const { lift, standardError } = present(estimateLift(of(control), treated, { confidence: 0.95 }));
    digits(lift, 0.70732);
    digits(standardError, 0.37879);
  });

  test("a confidence sequence of a lift", () => {
    const { lift, standardError } = present(estimateLift(of({ ...control, n: 3000 }), treated, { confidence: 0.95 }));
    const { interval, p } = confidenceSequence({ delta: lift, standardError, n: 6461 }, { alpha: 0.05, tuning: 1_000 });
    digits(lift, 0.50336);
    digits(standardError, 0.33341);
    digits(interval[0], -0.55844);
    digits(interval[1], 1.56516);
    expect(p).toBe(1);
  });

  test("beliefs without a prior and with one", () => {
    const { lift: effect, standardError } = present(
      estimateLift(of({ n: 10, sum: 100, sumSquares: 1002.25 }), of({ n: 10, sum: 105, sumSquares: 1111.5 }), { confidence: 0.95 }),
    );
    const flat = computePosterior({ effect, standardError }, { confidence: 0.95 });
    const informed = computePosterior(
      { effect, standardError },
      { confidence: 0.95, prior: { mean: 0.1, standardDeviation: Math.sqrt(0.1) } },
    );
    for (const [found, expected] of [
      [flat.mean, 0.05],
      [flat.standardDeviation, 0.03572],
      [flat.chanceToBeat, 0.91923],
      [flat.expectedLoss.test, 0.00131],
      [flat.expectedLoss.control, 0.05131],
      [informed.mean, 0.05063],
      [informed.standardDeviation, 0.03549],
      [informed.chanceToBeat, 0.92315],
      [informed.interval[0], -0.01893],
      [informed.interval[1], 0.12019],
      [informed.expectedLoss.test, 0.00123],
      [informed.expectedLoss.control, 0.05186],
    ] as const)
      digits(found, expected);
  });
});

test("the p-values of Benjamini and Hochberg's paper of 1995", () => {
  const ps = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.324, 0.4262, 0.5719, 0.6528, 0.759, 1];
  const { isSignificant, adjusted } = benjaminiHochberg(ps, 0.05);
  expect(isSignificant.filter(Boolean)).toHaveLength(4);
  for (const [index, expected] of [0.0015, 0.003, 0.0095, 0.035625, 0.0603].entries()) expect(adjusted[index]).toBeCloseTo(expected, 12);
});

test("a sample ratio mismatch that Fabijan and others published: 821,588 units against 815,482", () => {
  const { chiSquare, p, sequentialP } = present(testSampleRatio([821_588, 815_482], [50, 50]));
  expect(chiSquare).toBeCloseTo(22.77436884189436, 10);
  expect(p).toBeCloseTo(1.8217928726191858e-6, 15);
  // The Dirichlet-multinomial likelihood by scipy's gammaln.
  expect(sequentialP).toBeCloseTo(0.001455555492383957, 10);
  expect(present(testSampleRatio([5_300, 4_900, 2_000], [5, 5, 2])).sequentialP).toBeCloseTo(0.03712031019983673, 10);
});
