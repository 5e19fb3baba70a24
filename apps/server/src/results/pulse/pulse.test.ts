import type { Schema } from "@gatehouse/contract/console";
import { describe, expect, test } from "vitest";
import { UTC } from "../../common/time-zone.ts";
import { type Asked, type AskedMetric, computePulse } from "./pulse.ts";
import type { Found } from "./stored-moments.ts";
import { NOTHING, type Sums } from "./sums.ts";

const DAY_MS = 86_400_000;

/** The sums over units with these values and no earlier events. */
function sumValues(values: number[], denominators: number[] = []): Sums {
  const sum = (of: (index: number) => number) => values.reduce((total, _, index) => total + of(index), 0);
  const [y, d] = [(index: number) => values[index] ?? 0, (index: number) => denominators[index] ?? 0];
  return {
    ...NOTHING,
    n: values.length,
    k: denominators.filter((one) => one !== 0).length,
    ...{ y: sum(y), yy: sum((i) => y(i) ** 2), d: sum(d), dd: sum((i) => d(i) ** 2), yd: sum((i) => y(i) * d(i)) },
    ...{ yyy: sum((i) => y(i) ** 3), yyd: sum((i) => y(i) ** 2 * d(i)), ydd: sum((i) => y(i) * d(i) ** 2), ddd: sum((i) => d(i) ** 3) },
  };
}

const repeat = (values: number[], times: number): number[] => Array(times).fill(values).flat();

const FOUND: Found = { groups: { control: sumValues([1, 2, 3, 4]), test: sumValues([2, 3, 4, 6]) }, isRatio: false };

function buildMetric(latest: Found, given: Partial<AskedMetric> = {}): AskedMetric {
  const times = { startTime: 0, endTime: 10 * DAY_MS, timeZone: UTC, loadedTime: 10 * DAY_MS };
  const moments = { metricID: "m::sum", ...times, version: 1, latest, daily: null };
  return { metricID: "m::sum", role: "primary", metric: { name: "m", directionality: "increase" }, moments, prior: undefined, ...given };
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

const answer = (found: Found, asked: Partial<Asked> = {}, given: Partial<AskedMetric> = {}) =>
  computePulse([buildMetric(found, given)], { ...ASKED, ...asked })[0] as Schema<"PulseMetric">;

describe("a metric of two groups", () => {
  test("has the unit of its metric, if that has one", () => {
    const metric = { name: "m", directionality: "increase", valueUnit: "EUR" } as const;
    expect(answer(FOUND, {}, { metric })).toMatchObject({ valueUnit: "EUR" });
    expect(answer(FOUND)).not.toHaveProperty("valueUnit");
  });

  test("without variance has no p-value and no verdict, and says why", () => {
    const equal = { groups: { control: sumValues([5, 5, 5]), test: sumValues([5, 5, 5]) }, isRatio: false };
    const { pValue, isSignificant, absoluteChange, reason } = answer(equal);
    expect({ pValue, isSignificant, absoluteChange, reason }).toEqual({
      ...{ pValue: undefined, isSignificant: undefined, absoluteChange: undefined },
      reason: "All units have the same value, so chance explains nothing.",
    });
  });

  test.each([
    ["no units", {}, "The test group has no units yet."],
    ["one unit", { test: sumValues([1]) }, "The test group has one unit, which has no variance."],
  ])("says which group has %s", (_, groups, reason) => {
    expect(answer({ groups: { control: sumValues([1, 2, 3]), ...groups }, isRatio: false })).toMatchObject({ reason });
  });

  test("of a ratio without denominator says so", () => {
    const groups = { control: sumValues([1, 2, 3], [1, 1, 0]), test: sumValues([0, 0, 0], [0, 0, 0]) };
    expect(answer({ groups, isRatio: true })).toMatchObject({
      ...{ controlUnits: 2, testUnits: 0, reason: "The test group has no units with a denominator yet." },
    });
  });

  test("has a difference and no lift if its control mean is 0", () => {
    const groups = { control: sumValues([-1, 1, -2, 2]), test: sumValues([1, 2, 3, 4]) };
    const { absoluteChange, percentChange, percentInterval } = answer({ groups, isRatio: false });
    expect({ absoluteChange, percentChange, percentInterval }).toEqual({ absoluteChange: 2.5 });
  });

  test("with a negative control mean has a positive lift if it grows", () => {
    const groups = { control: sumValues([-10, -11, -12, -13]), test: sumValues([-5, -6, -7, -8]) };
    expect(answer({ groups, isRatio: false })?.percentChange).toBeCloseTo((100 * 5) / 11.5, 10);
  });

  test("has an interval that holds 0 exactly if it is not significant, at every confidence", () => {
    const groups = { control: sumValues(repeat([1, 2, 3, 4], 3)), test: sumValues(repeat([2, 3, 4, 4.5], 3)) };
    for (const alpha of [0.5, 0.3, 0.2, 0.1, 0.05, 0.01]) {
      const found = answer({ groups, isRatio: false }, { alpha });
      const { absoluteChange = 0, confidenceIntervalDelta = 0, isSignificant, pValue = 1 } = found;
      expect(Math.abs(absoluteChange) > confidenceIntervalDelta).toBe(isSignificant);
      expect(pValue <= alpha).toBe(isSignificant);
    }
  });

  test("of a Bayesian experiment is decided by the chance to beat, which a prior draws to itself, and where less may be better", () => {
    const groups = { control: sumValues(repeat([1, 2, 3, 4], 5)), test: sumValues(repeat([2, 3, 4, 4.5], 5)) };
    const found: Found = { groups, isRatio: false };
    const { bayesian, isSignificant, verdict, percentChange = 0 } = answer(found, { chanceToBeatThreshold: 0.95 });
    expect(bayesian).toMatchObject({ mean: expect.closeTo(percentChange, 10), decision: "test", chanceToBeatThreshold: 0.95 });
    expect([isSignificant, verdict]).toEqual([true, { test: "bayesian" }]);
    // The belief is normal: its mean is the average gain from taking the test, less the loss.
    const { expectedLoss = 0, expectedLossOfControl = 0 } = bayesian ?? {};
    expect(expectedLossOfControl - expectedLoss).toBeCloseTo(percentChange, 10);
    const surer = answer(found, { chanceToBeatThreshold: 0.9999 });
    expect([surer.bayesian?.decision, surer.isSignificant]).toEqual(["open", false]);
    const prior = { mean: 0, standardDeviation: 0.01 };
    expect(answer(found, { chanceToBeatThreshold: 0.95 }, { prior }).bayesian).toMatchObject({ decision: "open" });
    const less = answer(found, { chanceToBeatThreshold: 0.95 }, { metric: { name: "m", directionality: "decrease" } });
    expect((bayesian?.chanceToBeat ?? 0) + (less.bayesian?.chanceToBeat ?? 0)).toBeCloseTo(1, 12);
    expect(less).toMatchObject({ bayesian: { decision: "control" }, isSignificant: true });
  });

  test("of a Bayesian experiment has no verdict without enough data, or without a relative change", () => {
    expect(answer(FOUND, { chanceToBeatThreshold: 0.5 }).verdict).toMatchObject({
      test: "bayesian",
      withheld: "notEnoughUnits",
      missing: 6,
    });
    const groups = { control: sumValues(repeat([-1, 1], 10)), test: sumValues(repeat([1, 2], 10)) };
    const relativeToNothing = answer({ groups, isRatio: false }, { chanceToBeatThreshold: 0.95 });
    expect(relativeToNothing.verdict).toEqual({ test: "bayesian", reason: "The control mean is 0, so relative changes are undefined." });
    expect(relativeToNothing).not.toHaveProperty("isSignificant");
  });

  test("has the p-value of the score test if every unit has 0 or 1, which Fisher's exact test confirms, and no verdict for few successes", () => {
    const zerosAndOnes = (ones: number, units: number) => sumValues([...Array(ones).fill(1), ...Array(units - ones).fill(0)]);
    const compare = (ones: [number, number], units: [number, number]) =>
      answer({ groups: { control: zerosAndOnes(ones[0], units[0]), test: zerosAndOnes(ones[1], units[1]) }, isRatio: false });
    // scipy: chi2_contingency(correction=True) has 0.655266, fisher_exact 0.610675. Welch's test has 0.0027 here, with an interval without 0.
    const few = compare([9, 0], [900, 100]);
    expect(few.pValue).toBeCloseTo(0.6552664, 6);
    expect(few.percentInterval).toEqual([-100, expect.closeTo(417.1257, 3)]);
    expect(few.verdict).toEqual({
      ...{ test: "fixed", pValue: few.pValue, withheld: "notEnoughSuccesses", missing: 41 },
      reason: "The groups need about 41 more successes for a reliable verdict.",
    });
    expect(few).not.toHaveProperty("isSignificant");
    // The bounds are as in the tests of the statistics.
    const enough = compare([30, 45], [1_000, 1_000]);
    expect([enough.pValue, enough.isSignificant, enough.verdict?.withheld]).toEqual([expect.closeTo(0.0993995, 6), false, undefined]);
    expect(enough.absoluteInterval).toEqual([expect.closeTo(-0.00271718, 7), expect.closeTo(0.03333645, 7)]);
  });

  test("has no verdict while a few large values decide the mean of a small group", () => {
    const values = (units: number) => Array.from({ length: units }, (_, unit) => (unit % 50 === 0 ? 100 + unit : 0));
    const groups = { control: sumValues(values(900)), test: sumValues(values(100)) };
    const { verdict, isSignificant } = answer({ groups, isRatio: false });
    expect({ withheld: verdict?.withheld, isSignificant }).toEqual({ withheld: "tooSkewed", isSignificant: undefined });
  });

  test("is computed for the groups that are asked for only", () => {
    const groups = { control: sumValues([1, 2, 3]), test: sumValues([2, 3, 4]), forgotten: sumValues([100, 200]) };
    expect(answer({ groups, isRatio: false })).toMatchObject({ controlUnits: 3, testUnits: 3, absoluteChange: 1 });
  });
});
