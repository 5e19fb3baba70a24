import { describe, expect, test } from "vitest";
import {
  addMoments,
  adjustMeans,
  adjustRatios,
  benjaminiHochberg,
  computePercentile,
  computePosterior,
  type Estimate,
  estimateDifference,
  estimateLift,
  estimateMoments,
  estimateRatio,
  estimateTopline,
  percentileBetween,
  percentileLevels,
  sampleRatioLevel,
  sequentialLift,
  stratifiedDifference,
  testSampleRatio,
  winsorBounds,
  winsorised,
} from "../src/index.ts";
import { computeCrossMoments, computeMoments, computePairMoments, present } from "./support.ts";

// Missing values have a reason. They are never 0, 50% or NaN.

const constant: Estimate = { mean: 3, variance: 0, standardError: 0, units: 10 };

describe("a missing value comes with the reason", () => {
  test("of a mean without units, and of one unit", () => {
    expect(estimateMoments(computeMoments([]))).toEqual({ reason: "no_units" });
    expect(estimateMoments(computeMoments([5]))).toEqual({ reason: "one_unit" });
  });

  test("of a ratio without a denominator", () => {
    expect(estimateRatio(computePairMoments([1, 2], [0, 0]))).toEqual({ reason: "no_denominator" });
    expect(estimateRatio(computePairMoments([], []))).toEqual({ reason: "no_units" });
  });

  test("of a sequential lift without variance, over nothing, and over what may be nothing", () => {
    const uncertain: Estimate = { mean: 0.1, variance: 100, standardError: 1, units: 100 };
    expect(sequentialLift(constant, constant, { alpha: 0.05 })).toEqual({ reason: "no_variance" });
    expect(sequentialLift({ ...uncertain, mean: 0 }, uncertain, { alpha: 0.05 })).toEqual({ reason: "control_mean_zero" });
    expect(sequentialLift(uncertain, uncertain, { alpha: 0.05 })).toEqual({ reason: "control_mean_uncertain" });
  });

  test("of a difference between values that are all equal", () => {
    expect(estimateDifference(constant, { ...constant, mean: 4 })).toEqual({ reason: "no_variance" });
    expect(stratifiedDifference([{ control: constant, test: constant }])).toEqual({ reason: "no_variance" });
    expect(stratifiedDifference([])).toEqual({ reason: "no_units" });
  });

  test("of a lift over nothing, and of the exact interval where the control mean may be 0", () => {
    expect(estimateLift({ mean: 0, standardError: 1 }, { mean: 1, standardError: 1 }, { confidence: 0.95 })).toEqual({
      reason: "control_mean_zero",
    });
    const uncertain = present(estimateLift({ mean: 1, standardError: 1 }, { mean: 2, standardError: 1 }, { confidence: 0.95 }));
    expect([uncertain.lift, uncertain.fieller]).toEqual([1, { reason: "control_mean_uncertain" }]);
  });

  test("of a percentile of nothing, and of its error among few events or equal values", () => {
    expect(computePercentile([], 0.5)).toEqual({ reason: "no_units" });
    // Of ten units with one event each, √(0.9 · 0.1 / 9) is the error of the level 0.9.
    const moments = { n: 10, sumY: 9, sumX: 10, sumSquaresY: 9, sumSquaresX: 10, sumProducts: 9 };
    expect(percentileLevels(moments, 0.9, { confidence: 0.95 })).toEqual({ reason: "percentile_of_few_events" });
    expect(percentileLevels(moments, 0.9, { confidence: 0.5 }).value?.standardError).toBeCloseTo(0.1, 12);
    expect(percentileBetween(5, [5, 5], { confidence: 0.95 })).toEqual({ reason: "percentile_of_equal_values" });
  });

  test("of a sample ratio without units or without sizes", () => {
    expect(testSampleRatio([0, 0], [1, 1])).toEqual({ reason: "no_units" });
    expect(testSampleRatio([5, 5], [0, 0])).toEqual({ reason: "no_weights" });
  });
});

describe("unused values before the exposure come with the reason", () => {
  const units = (n: number, before: (unit: number) => number) => {
    const values = Array.from({ length: n }, (_, unit) => unit % 7);
    return computePairMoments(
      values,
      values.map((_, unit) => before(unit)),
    );
  };

  test.each([
    ["there are 100 units", [units(50, () => 1), units(50, () => 1)], 100, "few_units"],
    ["5% of the units did anything", [units(100, () => 0), units(100, () => 0)], 10, "few_values_before"],
    ["their earlier values explain no variance", [units(100, () => 1), units(100, () => 1)], 200, "no_reduction"],
  ] as const)("if %s", (_, groups, unitsWithValue, reason) => {
    expect(adjustMeans(groups, unitsWithValue)).toEqual({ reason });
  });

  test("of a ratio if a group has no denominator before", () => {
    const often = (one: number, other: number) => Array.from({ length: 120 }, (_, unit) => (unit % 2 === 0 ? one : other));
    const group = (before: number) => computeCrossMoments(often(1, 2), often(2, 3), often(before, 1), often(before, 0));
    expect(adjustRatios(group(1), group(0), 240)).toEqual({ reason: "few_values_before" });
  });
});

test("a negative control mean counts by its size: more is a positive lift", () => {
  const { lift } = present(estimateLift({ mean: -10, standardError: 0.1 }, { mean: -8, standardError: 0.1 }, { confidence: 0.95 }));
  expect(lift).toBeCloseTo(0.2, 12);
});

test("moments of shards add up to those of the whole", () => {
  const [first, second] = [computeMoments([1, 2, 3]), computeMoments([10, 20])];
  expect(addMoments(first, second)).toEqual(computeMoments([1, 2, 3, 10, 20]));
  expect(() => addMoments(first, { ...second, base: 10 })).toThrow("Moments add up only over the same base.");
});

test("winsorization cuts values at percentiles of the values other than 0, and leaves 0 as it is", () => {
  const bounds = winsorBounds([0, 0, 0, 1, 2, 3, 4, 5], { low: 0.25, high: 0.75 });
  expect(bounds).toEqual({ lower: 2, upper: 4 });
  expect([0, 1, 3, 9].map((value) => winsorised(value, bounds))).toEqual([0, 2, 3, 4]);
  expect(winsorised(9, winsorBounds([1, 2]))).toBe(9);
});

test("a sample ratio fails only if a share is 0.1% off, so that millions of units do not fail for nothing", () => {
  const level = (observed: number[]) => sampleRatioLevel(present(testSampleRatio(observed, [50, 50])));
  expect(level([5_000, 5_050])).toBe("PASSED");
  expect(level([5_190, 4_810])).toBe("WARNING");
  expect(level([5_000, 5_500])).toBe("FAILED");
  expect(level([50_000_000, 50_060_000])).toBe("WARNING");
});

test("without any significant comparison, α is divided by their number", () => {
  expect(benjaminiHochberg([0.5, 0.9], 0.05)).toEqual({ adjusted: [0.9, 0.9], isSignificant: [false, false], alpha: 0.025 });
});

test("where less is better, the chance to beat is that of a decrease", () => {
  const given = { effect: -0.1, standardError: 0.05 };
  const [more, less] = [false, true].map((isDecreaseBetter) => computePosterior(given, { confidence: 0.95, isDecreaseBetter }));
  expect(less?.chanceToBeat).toBeCloseTo(0.9772498680518208, 12);
  expect((more?.chanceToBeat ?? 0) + (less?.chanceToBeat ?? 0)).toBeCloseTo(1, 12);
  expect(less?.interval).toEqual(more?.interval);
});

test("the impact on the whole metric is that of the test's units, and projected to everybody", () => {
  const exposure = { testUnits: 1_000, days: 10, total: 5_500, exposedShare: 0.1 };
  // 1,000 units more by 0.5 are 500 in ten days, and without them the metric would be 5,000.
  expect(estimateTopline({ delta: 0.5, halfWidth: 0.25 }, exposure)).toEqual({
    impact: { perDay: 50, relative: 0.1, projectedPerDay: 500, projectedRelative: 1 },
    halfWidth: { perDay: 25, relative: 0.05, projectedPerDay: 250, projectedRelative: 0.5 },
  });
  // Losses of 500 become 400: that is more, by a fifth of their size.
  expect(estimateTopline({ delta: 0.1, halfWidth: 0 }, { ...exposure, total: -400 }).impact.relative).toBeCloseTo(0.2, 12);
});

test("the impact has no relative value if the metric is 0 without it or unknown, and no projection without exposed users", () => {
  const effect = { delta: 1, halfWidth: 1 };
  const exposure = { testUnits: 10, days: 1, total: 10, exposedShare: 1 };
  const absolute = { perDay: 10, relative: undefined, projectedPerDay: 10, projectedRelative: undefined };
  expect(estimateTopline(effect, exposure).impact).toEqual(absolute);
  expect(estimateTopline(effect, { ...exposure, total: undefined }).impact).toEqual(absolute);
  expect(estimateTopline(effect, { ...exposure, total: 30, exposedShare: 0 }).impact).toEqual({
    ...{ perDay: 10, relative: 0.5, projectedPerDay: undefined, projectedRelative: undefined },
  });
});
