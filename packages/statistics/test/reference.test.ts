import { describe, expect, test } from "vitest";
import {
  type Adjustment,
  adjustMeans,
  adjustRatios,
  benjaminiHochberg,
  bestArmProbabilities,
  betaCdf,
  bonferroni,
  chiSquareSurvival,
  computePercentile,
  computePosterior,
  confidenceSequence,
  controlUnitsFor,
  differenceFrom,
  estimateDifference,
  estimateLift,
  estimateMoments,
  estimateRatio,
  type Moments,
  minimumDetectableEffect,
  mixtureTest,
  normalCdf,
  normalQuantile,
  normalSurvival,
  percentileBetween,
  percentileLevels,
  sprt,
  stratifiedDifference,
  tCdf,
  testDifference,
  testSampleRatio,
  tQuantile,
  tSurvival,
  winsorBounds,
  winsorised,
} from "../src/index.ts";
import {
  type Case,
  computeCrossMoments,
  computeMoments,
  computePairMoments,
  expectClose,
  findCases,
  present,
  reference,
} from "./support.ts";

/** How each method of the reference is computed: every number that is expected, at the same place. */
const METHODS: Record<string, (input: any, expected: any) => unknown> = {
  two_sample({ controlMoments, testMoments, confidence }) {
    const [control, test] = [present(estimateMoments(controlMoments)), present(estimateMoments(testMoments))];
    const difference = present(estimateDifference(control, test));
    const by = (distribution: "normal" | "t") => {
      const { p, interval } = testDifference(difference, { confidence, distribution });
      const [greater, less] = (["greater", "less"] as const).map(
        (sides) => testDifference(difference, { confidence, distribution, sides }).p,
      );
      return { p, pGreater: greater, pLess: less, interval };
    };
    return {
      controlMean: control.mean,
      testMean: test.mean,
      controlStandardError: control.standardError,
      testStandardError: test.standardError,
      ...difference,
      statistic: testDifference(difference, { confidence }).statistic,
      welch: by("t"),
      z: by("normal"),
    };
  },
  cancellation({ base, control, test }) {
    const centred = (given: [number, number][] | Moments) => {
      if (!Array.isArray(given)) return present(estimateMoments({ ...given, base }));
      const over = (of: (value: number) => number) => given.reduce((sum, [k, count]) => sum + count * of(k / 1000), 0);
      return present(estimateMoments({ n: over(() => 1), sum: over((value) => value), sumSquares: over((value) => value * value), base }));
    };
    const [c, t] = [centred(control), centred(test)];
    const { delta, standardError } = present(estimateDifference(c, t));
    return { controlVariance: c.variance, testVariance: t.variance, delta, standardError };
  },
  one_sample({ values, fixed, confidence }) {
    const difference = present(differenceFrom(fixed, present(estimateMoments(computeMoments(values)))));
    const [t, z] = (["t", "normal"] as const).map((distribution) => testDifference(difference, { confidence, distribution }));
    return { delta: difference.delta, t: t?.statistic, df: difference.degreesOfFreedom, pT: t?.p, pZ: z?.p, zInterval: z?.interval };
  },
  relative_lift({ controlMean, controlStandardError, testMean, testStandardError, confidence }, { fieller: { g } }) {
    const lift = present(
      estimateLift(
        { mean: controlMean, standardError: controlStandardError },
        { mean: testMean, standardError: testStandardError },
        { confidence },
      ),
    );
    return {
      lift: lift.lift,
      liftPercent: lift.lift * 100,
      deltaStandardError: lift.standardError,
      deltaInterval: lift.interval,
      simpleHalfWidth: lift.simpleHalfWidth,
      fieller: { g, interval: lift.fieller.value ?? null },
    };
  },
  ratio({ numerator, denominator }) {
    const { n, sumY, sumX, sumSquaresY, sumSquaresX, sumProducts } = computePairMoments(numerator, denominator);
    const { mean, variance, standardError } = present(estimateRatio(computePairMoments(numerator, denominator)));
    const sums = { sumNumerator: sumY, sumDenominator: sumX, sumSquaresNumerator: sumSquaresY, sumSquaresDenominator: sumSquaresX };
    return { n, ...sums, sumProducts, ratio: mean, variance, standardError };
  },
  proportions({ controlUnits, controlConversions, testUnits, testConversions, confidence }, { standardErrorPopulation }) {
    const of = (n: number, sum: number) => present(estimateMoments({ n, sum, sumSquares: sum }));
    const difference = present(estimateDifference(of(controlUnits, controlConversions), of(testUnits, testConversions)));
    // Ours divides by n − 1. The reference's p-value and interval divide by n.
    const byN = { ...difference, standardError: standardErrorPopulation };
    const { p, interval } = testDifference(byN, { confidence, distribution: "normal" });
    return { delta: difference.delta, standardErrorPopulation, standardErrorSample: difference.standardError, p, interval };
  },
  cuped({ groups }, { thetaWithinGroups }) {
    const moments = groups.map(({ pre, post }: { pre: number[]; post: number[] }) => computePairMoments(post, pre));
    const units = groups.flatMap(({ pre }: { pre: number[] }) => pre);
    const { adjustment } = adjustMeans(moments, units.filter((value: number) => value !== 0).length);
    if (!adjustment) throw new Error("CUPED is not used.");
    const plain = groups.map(({ post }: { post: number[] }) => present(estimateMoments(computeMoments(post))));
    const welch = (control: any, test: any) =>
      testDifference(present(estimateDifference(control, test)), { confidence: 0.95, distribution: "t" });
    const [first, ...others] = adjustment.groups;
    return {
      theta: adjustment.theta,
      thetaWithinGroups,
      preMean: units.reduce((sum: number, value: number) => sum + value, 0) / units.length,
      varianceReduction: adjustment.varianceReduction,
      groups: adjustment.groups,
      comparisonsToFirst: others.map((group, index) => {
        const [now, before] = [welch(first, group), welch(plain[0], plain[index + 1])];
        return {
          delta: now.delta,
          standardError: now.standardError,
          pWelch: now.p,
          unadjustedDelta: before.delta,
          unadjustedPWelch: before.p,
        };
      }),
    };
  },
  cuped_ratio({ control, test }) {
    const of = (group: any) => computeCrossMoments(group.numerator, group.denominator, group.preNumerator, group.preDenominator);
    const unitsWithValue = [control, test].flatMap((group: any) => group.preNumerator).filter((value: number) => value !== 0).length;
    const { theta, groups } = adjustRatios(of(control), of(test), unitsWithValue).adjustment as Adjustment;
    const [c, t] = groups as [(typeof groups)[number], (typeof groups)[number]];
    const { delta, standardError } = present(estimateDifference(c, t));
    return { theta, controlRatio: c.mean, adjustedTestRatio: t.mean, delta, standardError };
  },
  winsorize({ values, low, high }, { upperDiscrete, lower }) {
    const bounds = winsorBounds(values, { low, high });
    const kept = values.map((value: number) => winsorised(value, bounds));
    const { mean, variance } = present(estimateMoments(computeMoments(kept)));
    return {
      upper: bounds.upper,
      upperDiscrete,
      lower: lower === null ? null : bounds.lower,
      mean,
      variance,
      sum: computeMoments(kept).sum,
    };
  },
  clustered_quantile({ units, quantile, confidence }) {
    const sorted = units.flat().sort((a: number, b: number) => a - b);
    const value = present(computePercentile(sorted, quantile));
    const upTo = units.map((events: number[]) => events.filter((event) => event <= value).length);
    const moments = computePairMoments(
      upTo,
      units.map((events: number[]) => events.length),
    );
    const { standardError, lower, upper } = present(percentileLevels(moments, quantile, { confidence }));
    const bounds = [present(computePercentile(sorted, lower)), present(computePercentile(sorted, upper))] as const;
    return {
      ...present(percentileBetween(value, bounds, { confidence })),
      units: units.length,
      events: sorted.length,
      standardErrorOfLevel: standardError,
      naiveStandardErrorOfLevel: Math.sqrt((quantile * (1 - quantile)) / sorted.length),
    };
  },
  srm({ observed, weights }) {
    const { chiSquare, degreesOfFreedom, p } = present(testSampleRatio(observed, weights));
    return { chi2: chiSquare, degreesOfFreedom, p };
  },
  sequential_msprt({ delta, controlUnits, testUnits, controlVariance, testVariance, alpha }, expected) {
    const [control, test] = [
      { units: controlUnits, variance: controlVariance },
      { units: testUnits, variance: testVariance },
    ];
    const { threshold, inflation, halfWidth, p } = mixtureTest(control, test, delta, { alpha });
    const { V, tau, zStarOfThePaper, halfWidthOfThePaper } = expected;
    return { V, tau, zStar: threshold, halfWidth, sigma: inflation, p, zStarOfThePaper, halfWidthOfThePaper };
  },
  sequential_confidence_sequence({ estimate, standardError, n, tuning, alpha }) {
    return confidenceSequence({ delta: estimate, standardError, n }, { alpha, tuning });
  },
  sprt({ z, cohensD, nA, nB, alpha, beta }, { theta }) {
    const result = sprt({ statistic: z, controlUnits: nA, testUnits: nB }, { effect: cohensD, alpha, beta });
    const words = { significant: "alternative", futile: "null", open: "continue" };
    return { ...result, theta, decision: words[result.decision] };
  },
  many_comparisons({ p, alpha }, { holm, benjaminiHochberg: { alpha: threshold }, bonferroni: byBonferroni }) {
    const { adjusted, isSignificant, alpha: found } = benjaminiHochberg(p, alpha);
    const each = bonferroni({ alpha, testGroups: p.length });
    return {
      benjaminiHochberg: { adjusted, rejected: isSignificant, alpha: threshold === null ? null : found },
      bonferroni: { ...byBonferroni, rejected: p.map((value: number) => value <= each.primary), alpha: each.primary },
      holm,
    };
  },
  bonferroni_weights({ alpha, primary, secondary, primaryWeight, testGroups }) {
    const metrics = { primary, secondary, primaryWeight };
    const [one, each] = [bonferroni({ alpha, testGroups: 1, metrics }), bonferroni({ alpha, testGroups, metrics })];
    return {
      perVariant: bonferroni({ alpha, testGroups }).primary,
      primary: one.primary,
      secondary: one.secondary,
      primaryPerVariant: each.primary,
      secondaryPerVariant: each.secondary,
    };
  },
  bayesian({ effect, standardError, priorMean, priorStdDev, confidence }) {
    const prior = priorStdDev === null ? {} : { prior: { mean: priorMean, standardDeviation: priorStdDev } };
    const posterior = computePosterior({ effect, standardError }, { ...prior, confidence });
    const { mean, standardDeviation, chanceToBeat, interval, expectedLoss } = posterior;
    const { test: expectedLossOfTest, control: expectedLossOfControl } = expectedLoss;
    return { mean, stdDev: standardDeviation, chanceToBeat, interval, expectedLossOfTest, expectedLossOfControl };
  },
  power({ effectInStdDevs, alpha, power, testPerControl, twoSided }, { controlUnitsNormal, controlUnitsT }) {
    const plan = { alpha, power, testPerControl, sides: twoSided ? "two" : "greater" } as const;
    return {
      controlUnitsClosedForm: controlUnitsFor(effectInStdDevs, plan),
      mdeInStdDevsFor10000Control: minimumDetectableEffect(10_000, plan),
      controlUnitsNormal,
      controlUnitsT,
    };
  },
  post_stratified({ strata }) {
    const of = (values: number[]) => present(estimateMoments(computeMoments(values)));
    const groups = strata.map(({ control, test }: { control: number[]; test: number[] }) => ({ control: of(control), test: of(test) }));
    const difference = present(stratifiedDifference(groups));
    return { ...difference, p: testDifference(difference, { confidence: 0.95, distribution: "normal" }).p };
  },
  best_arm({ units, successes }) {
    return {
      probabilityOfBest: bestArmProbabilities(units.map((n: number, index: number) => ({ units: n, successes: successes[index] }))),
    };
  },
};

/** For numbers of the reference that we do not compute, a method above returns the expected number. */
test("every case of the reference is computed", () => {
  expect(new Set(reference.cases.map(({ method }) => method))).toEqual(new Set(Object.keys(METHODS)));
  expect(reference.cases).toHaveLength(220);
});

describe.each(Object.entries(METHODS))("%s agrees with the reference", (method, compute) => {
  test.each(findCases(method).map((one): [string, Case] => [one.id, one]))("%s", (_, { input, expected, tolerance }) => {
    expectClose(compute(input, expected), expected, tolerance);
  });
});

describe("distributions agree with 50 digits", () => {
  const points = (name: string) => reference.distributions[name] as number[][];
  const close = (actual: number, expected: number | undefined) => expectClose(actual, expected, 1e-9);

  test("normal", () => {
    for (const [x = 0, cdf, survival] of points("normal_cdf")) {
      close(normalCdf(x), cdf);
      close(normalSurvival(x), survival);
    }
    for (const [p = 0, x] of points("normal_quantile")) close(normalQuantile(p), x);
  });

  test("Student's, even with fractional degrees", () => {
    for (const [x = 0, degrees = 1, cdf, survival] of points("t_cdf")) {
      close(tCdf(x, degrees), cdf);
      close(tSurvival(x, degrees), survival);
    }
    for (const [p = 0, degrees = 1, x] of points("t_quantile")) close(tQuantile(p, degrees), x);
  });

  test("chi-square, in its upper tail", () => {
    for (const [x = 0, degrees = 1, survival] of points("chi2_sf")) close(chiSquareSurvival(x, degrees), survival);
  });

  test("beta", () => {
    for (const [x = 0, alpha = 1, beta = 1, cdf] of points("beta_cdf")) close(betaCdf(x, alpha, beta), cdf);
  });
});
