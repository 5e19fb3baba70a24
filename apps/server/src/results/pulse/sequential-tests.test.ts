import { describe, expect, test } from "vitest";
import { UTC } from "../../common/time-zone.ts";
import { type Asked, computePulse } from "./pulse.ts";
import type { SprtPlan } from "./sequential-tests.ts";
import { NOTHING, type Sums } from "./sums.ts";

const DAY_MS = 86_400_000;

/** The sums of units with a mean and a variance, whose values are symmetric. With 600 units, their differences are taken for normal. */
function buildSums(mean: number, variance = 24, n = 600): Sums {
  const spread = variance * (n - 1);
  return { ...NOTHING, n, y: n * mean, yy: spread + n * mean ** 2, yyy: 3 * mean * spread + n * mean ** 3 };
}

const ASKED: Asked = {
  ...{ controlID: "control", testID: "test", testIDs: ["test"], isCupedAsked: false, alpha: 0.05 },
  corrections: {
    ...{ bonferroniPerVariant: false, bonferroniPerMetric: false, primaryWeight: 0.5 },
    ...{
      holmPerVariant: false,
      holmPerMetric: false,
      benjaminiHochbergPerVariant: false,
      benjaminiHochbergPerMetric: false,
      primaryOnly: false,
    },
  },
  ...{ plannedEnd: undefined, chanceToBeatThreshold: undefined, day: undefined, timeZone: UTC, hasSeries: false },
};

function askedMetric(control: Sums, test: Sums, metricID = "m::sum") {
  const times = { startTime: 0, endTime: 10 * DAY_MS, timeZone: UTC, loadedTime: 10 * DAY_MS };
  const latest = { groups: { control, test }, isRatio: false };
  const moments = { metricID, ...times, version: 1, latest, daily: null };
  const metric = { name: "m", directionality: "increase" as const, type: "sum" as const };
  return { metricID, role: "primary" as const, metric, moments, prior: undefined };
}

function answer(control: Sums, test: Sums, asked: Partial<Asked>) {
  const [answered] = computePulse([askedMetric(control, test)], { ...ASKED, ...asked });
  if (!answered) throw new Error("There is no answer.");
  return answered;
}

/** 10% of the mean, found with a probability of 80%. */
const PLAN: SprtPlan = { effect: 0.1, power: 0.8, baseline: undefined };
const tested = (testMean: number, plan: Partial<SprtPlan> = {}, asked: Partial<Asked> = {}) =>
  answer(buildSums(10), buildSums(testMean), { planSprt: () => ({ ...PLAN, ...plan }), ...asked });

describe("the sequential probability ratio test", () => {
  // The control mean is 10 and the standard deviation √24, so 10% are d = 1/√24, and θ = d/√(1/600 + 1/600) = 3.535534. The standard error is
  // √(24/600 + 24/600) = 0.282843. The bounds are ln(0.8/0.025) and ln(0.2/0.975).
  test.each([
    ["the effect to detect: Z = θ, and the ratio is θ²/2", 11, 6.25, "significant", true],
    ["more than half of it: Z = 2.12, p = 0.034 would be significant at a fixed horizon", 10.6, 1.25, "open", false],
    ["nothing: the ratio is −θ²/2", 10, -6.25, "futile", false],
    ["a loss as large as the effect", 9, 6.25, "significant", true],
  ])("decides about %s", (_, mean, ratio, decision, isSignificant) => {
    const metric = tested(mean);
    expect(metric.sprt).toEqual({
      decision,
      logLikelihoodRatio: expect.closeTo(ratio, 9),
      upper: expect.closeTo(3.4657359, 6),
      lower: expect.closeTo(-1.5841202, 6),
      effect: 10,
      power: 0.8,
      baseline: "in_experiment_control",
    });
    expect(metric.isSignificant).toBe(isSignificant);
  });

  // The ratios are 6.25 and 1.25, so the second metric is called from α = 2 · 0.8/e^1.25 = 0.458 on. At a fixed horizon, p is 0.0004 and 0.034.
  test("decides how many metrics Benjamini–Hochberg calls", () => {
    const metrics = [11, 10.6].map((mean) => askedMetric(buildSums(10), buildSums(mean), `m ${mean}::sum`));
    const corrections = { ...ASKED.corrections, benjaminiHochbergPerMetric: true };
    const results = (asked: Partial<Asked>) => computePulse(metrics, { ...ASKED, corrections, ...asked }).map(({ alpha }) => alpha);
    expect(results({})).toEqual([0.05, 0.05]);
    expect(results({ planSprt: () => PLAN })).toEqual([0.025, 0.025]);
  });

  // d = 0.1 · 10/√96, so θ = 1.767767, and the ratio is 3.535534 · 1.767767 − 1.5625.
  test("takes a baseline that was given in advance", () => {
    const baseline = { mean: 10, standardDeviation: Math.sqrt(96) };
    expect(tested(11, { baseline }).sprt).toMatchObject({ logLikelihoodRatio: expect.closeTo(4.6875, 9), baseline: "manual" });
  });

  test("has half of α for each direction, after corrections", () => {
    expect(tested(11, {}, { alpha: 0.01 }).sprt).toMatchObject({ upper: expect.closeTo(Math.log(0.8 / 0.005), 9) });
  });

  test("replaces the sequential interval, so that no interval that is answered holds 0 beside a significant verdict", () => {
    expect(tested(11, {}, { plannedEnd: 20 * DAY_MS })).not.toHaveProperty("sequentialTestingConfidenceIntervalDelta");
    const contradictions: object[] = [];
    for (const n of [10, 20, 100, 600])
      for (const alpha of [0.5, 0.2, 0.05, 0.001])
        for (let mean = 10; mean < 40; mean += 0.5) {
          const asked = { planSprt: () => ({ ...PLAN, power: 0.5 }), alpha };
          const metric = answer(buildSums(10, 4, n), buildSums(mean, 4, n), asked);
          const { isSignificant, absoluteChange = 0, confidenceIntervalDelta = 0, pValue = 1 } = metric;
          if (isSignificant && (absoluteChange < confidenceIntervalDelta || pValue > alpha)) contradictions.push(metric);
        }
    expect(contradictions).toEqual([]);
  });

  test.each([
    [
      "the size of the effect is unknown",
      { effect: undefined },
      "Nothing says how large an effect to look for: name the metric with its `hypothesizedValue`.",
    ],
    ["the power is invalid", { power: 80 }, "The power of the experiment, `defaultSPRTPowerParam`, is not from 0.5 to 1."],
    [
      "the baseline has no mean",
      { baseline: { mean: 0, standardDeviation: 1 } },
      "The control mean is 0, so relative changes are undefined.",
    ],
    ["the baseline has no variance", { baseline: { mean: 1, standardDeviation: 0 } }, "The units of the control group have no variance."],
  ])("says so if %s, and the test with a fixed horizon decides", (_, plan, reason) => {
    expect(tested(11, plan)).toMatchObject({ sprt: { reason }, isSignificant: true });
  });

  test("is not there without a difference", () => {
    expect(answer(buildSums(10), { ...NOTHING }, { planSprt: () => PLAN })).not.toHaveProperty("sprt");
  });
});

describe("the confidence sequence", () => {
  // −2 ln 0.05 = 5.991465 and ρ² = (5.991465 + ln 6.991465)/5000 = 0.00158723. With n = 1,200 units nρ² + 1 = 2.904677, and the half width is
  // 0.282843 · √1200 · √(2 · 2.904677/(1200² · 0.00158723) · ln(√2.904677/0.05)) = 0.9279.
  test("is wider than the interval of a fixed horizon, and narrowest with 5,000 units unless others are planned", () => {
    const { confidenceSequence, confidenceIntervalDelta } = answer(buildSums(10), buildSums(11), {
      sequence: { narrowestUnits: undefined },
    });
    expect(confidenceSequence).toEqual({
      confidenceIntervalDelta: expect.closeTo(0.9279, 4),
      percentConfidenceIntervalDelta: expect.closeTo(9.279, 3),
      percentInterval: [expect.closeTo(0.689, 2), expect.closeTo(20.263, 2)],
      pValue: expect.closeTo(Math.sqrt(2.904677) * Math.exp((-1.904677 * 12.5) / (2 * 2.904677)), 5),
      narrowestUnits: 5_000,
    });
    expect(confidenceIntervalDelta).toBeCloseTo(0.55436, 4);
    const planned = answer(buildSums(10), buildSums(11), { sequence: { narrowestUnits: 1_200 } }).confidenceSequence;
    expect(planned?.narrowestUnits).toBe(1_200);
    expect(planned?.confidenceIntervalDelta).toBeLessThan(0.9279);
  });

  test("decides nothing, and is not there without a difference", () => {
    // Z = 2.12: significant at a fixed horizon only. The sequence is not significant.
    expect(answer(buildSums(10), buildSums(10.6), { sequence: { narrowestUnits: undefined } })).toMatchObject({ isSignificant: true });
    expect(answer(buildSums(10), { ...NOTHING }, { sequence: { narrowestUnits: undefined } })).not.toHaveProperty("confidenceSequence");
  });
});
