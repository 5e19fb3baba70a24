import type { Schema } from "@gatehouse/contract/console";
import { describe, expect, test } from "vitest";
import { UTC } from "../../common/time-zone.ts";
import { type Asked, type AskedMetric, computePulse } from "./pulse.ts";
import { type DailySums, NOTHING, type Sums, sumsAsOf } from "./sums.ts";

// Expected values are those of scipy 1.17: quantiles of the normal distribution, and roots by `brentq`.

const DAY_MS = 86_400_000;
const DAYS = 7;

/** A day's additional units, with a mean and a variance of 1 and symmetric values. */
const daySums = (day: number, groupID: string, mean: number, n = 100): DailySums => {
  const spread = n - 1;
  return { day, groupID, sums: { ...NOTHING, n, y: n * mean, yy: spread + n * mean ** 2, yyy: 3 * mean * spread + n * mean ** 3 } as Sums };
};

/** A week with 100 units a day in each group. */
const week = (testMean: number, testUnits = 100): DailySums[] =>
  Array.from({ length: DAYS }, (_, index) => [daySums(index + 1, "control", 10), daySums(index + 1, "test", testMean, testUnits)]).flat();

function buildMetric(daily: DailySums[], given: Partial<AskedMetric> = {}, hasDays = true): AskedMetric {
  const latest = { groups: sumsAsOf(daily), isRatio: false };
  const times = { startTime: 0, endTime: DAYS * DAY_MS, timeZone: UTC, loadedTime: DAYS * DAY_MS };
  const moments = { metricID: "m", ...times, version: 1, latest, daily: hasDays ? daily : null };
  return {
    metricID: "m",
    role: "primary",
    metric: { name: "m", directionality: "increase", type: "sum" },
    moments,
    prior: undefined,
    ...given,
  };
}

const OUTLOOK = { isEnrolling: true, plannedEnd: 14 * DAY_MS, isLastAtEnd: false };
const ASKED: Asked = {
  ...{ controlID: "control", testID: "test", testIDs: ["test"], isCupedAsked: false, alpha: 0.05 },
  corrections: {
    ...{ bonferroniPerVariant: false, bonferroniPerMetric: false, primaryWeight: 0.5, holmPerVariant: false, holmPerMetric: false },
    ...{ benjaminiHochbergPerVariant: false, benjaminiHochbergPerMetric: false, primaryOnly: false },
  },
  ...{ plannedEnd: undefined, chanceToBeatThreshold: undefined, day: undefined, timeZone: UTC, hasSeries: false, outlook: OUTLOOK },
};

const SEQUENTIAL: Partial<Asked> = { plannedEnd: 14 * DAY_MS, outlook: { ...OUTLOOK, isLastAtEnd: true } };
const NON_INFERIOR = { plan: { type: "non_inferiority", margin: 0.01 } } as const;
const ONE_SIDED = { plan: { type: "one_sided" } } as const;

const read = (daily: DailySums[], asked: Partial<Asked> = {}, given: Partial<AskedMetric> = {}, hasDays = true) =>
  computePulse([buildMetric(daily, given, hasDays)], { ...ASKED, ...asked })[0] as Schema<"PulseMetric">;

describe("the minimum detectable effect", () => {
  test.each([
    ["a test with a fixed horizon", {}, {}, 0.1491069355109598],
    ["four comparisons that share α", { alpha: 0.05 / 4 }, {}, 0.1777267986989752],
    ["a sequential test before the planned end", SEQUENTIAL, {}, 0.23556936955415125],
    ["a one-sided test", {}, ONE_SIDED, 0.13233602329168292],
    ["a one-sided sequential test", SEQUENTIAL, ONE_SIDED, 0.22845689919506823],
    ["a test of non-inferiority", {}, NON_INFERIOR, 0.131468997101661],
  ] as [string, Partial<Asked>, Partial<AskedMetric>, number][])("of %s follows from its own threshold", (_, asked, given, expected) => {
    const { minimumDetectableEffect, percentMinimumDetectableEffect } = read(week(10.02), asked, given);
    expect(minimumDetectableEffect).toBeCloseTo(expected, 6);
    // The control mean is 10.
    expect(percentMinimumDetectableEffect).toBeCloseTo(10 * expected, 5);
  });

  test("does not depend on the difference that was seen", () => {
    const [small, large] = [10.001, 10.3].map((mean) => read(week(mean)).minimumDetectableEffect);
    expect(small).toBeCloseTo(large ?? 0, 12);
  });

  test("of a Bayesian experiment is the one that brings the chance to beat to its threshold", () => {
    const { minimumDetectableEffect = 0 } = read(week(10), { chanceToBeatThreshold: 0.95 });
    // A flat prior: 95% are as far as a one-sided test at 5%, with the error of the lift.
    expect(minimumDetectableEffect).toBeCloseTo(0.13233602329168292, 8);
    const prior = { mean: 0, standardDeviation: 0.01 };
    expect(read(week(10), { chanceToBeatThreshold: 0.95 }, { prior }).minimumDetectableEffect).toBeGreaterThan(minimumDetectableEffect);
  });

  test("of a sequential probability ratio test is beyond its upper bound, with its power", () => {
    const planSprt = () => ({ effect: 0.02, power: 0.9, baseline: undefined });
    const { minimumDetectableEffect, detection } = read(week(10), { planSprt });
    // θ = 0.2/√(2 s²/700), z = ln(0.9/0.025)/θ + θ/2, and (z + 1.2815516)·SE.
    const error = Math.sqrt((2 * 693) / 699 / 700);
    const theta = 0.2 / error;
    expect(minimumDetectableEffect).toBeCloseTo((Math.log(36) / theta + theta / 2 + 1.2815515655446004) * error, 10);
    expect(detection).toMatchObject({ power: 0.9, target: { percent: 2, isReached: false } });
  });

  test("is left out without a verdict", () => {
    const few = [daySums(1, "control", 10, 5), daySums(1, "test", 10, 5)];
    const { verdict, minimumDetectableEffect, detection } = read(few);
    expect([verdict?.withheld, minimumDetectableEffect, detection]).toEqual(["notEnoughUnits", undefined, undefined]);
  });

  test("is known as of each day", () => {
    const { series = [], minimumDetectableEffect = 0 } = read(week(10), { hasSeries: true });
    expect(series.map((day) => day.minimumDetectableEffect)).toHaveLength(DAYS);
    expect(series.at(-1)?.minimumDetectableEffect).toBeCloseTo(minimumDetectableEffect, 12);
    const [first = 0, , third = 1] = series.map((day) => day.minimumDetectableEffect ?? 0);
    expect(first).toBeGreaterThan(third);
  });
});

describe("when an effect will be detected", () => {
  test("follows from the pace of enrollment, as does what the planned end detects", () => {
    const { detection } = read(week(10), {}, { expectedPercent: -1 });
    expect(detection).toEqual({
      ...{ power: 0.8, unitsPerDay: 200, plannedEndPercent: expect.closeTo(1.054345252217449, 8) },
      target: { percent: 1, isReached: false, days: expect.closeTo(8.563014752228662, 6), date: "1970-01-16" },
    });
  });

  test("is now if the effect is large enough", () => {
    expect(read(week(10), {}, { expectedPercent: 1.5 }).detection?.target).toEqual({ percent: 1.5, isReached: true });
  });

  test("counts the units of the last seven days, or of all if days are unknown", () => {
    const daily = [daySums(1, "control", 10, 700), daySums(1, "test", 10, 700), ...week(10).filter(({ day }) => day > 1)];
    const later = daily.map((one) => ({ ...one, day: one.day === 1 ? 1 : one.day + 3 }));
    const metric = buildMetric(later, { expectedPercent: 0.5 });
    const moments = metric.moments && { ...metric.moments, endTime: 10 * DAY_MS };
    const [lately] = computePulse([{ ...metric, moments }], ASKED);
    expect(lately?.detection?.unitsPerDay).toBeCloseTo(1_200 / 7, 9);
    const [onAverage] = computePulse([{ ...metric, moments: moments && { ...moments, daily: null } }], ASKED);
    expect(onAverage?.detection?.unitsPerDay).toBeCloseTo(260, 9);
  });

  test("is at the planned end if only the last look detects it, and never if that does not", () => {
    expect(read(week(10), SEQUENTIAL, { expectedPercent: 1.1 }).detection?.target).toEqual({
      ...{ percent: 1.1, isReached: false, days: 7, date: "1970-01-15" },
    });
    expect(read(week(10), SEQUENTIAL, { expectedPercent: 1 }).detection?.target).toEqual({
      ...{ percent: 1, isReached: false },
      reason: "At the current pace, the planned end comes first. Plan more time, or more users per day.",
    });
  });

  test("is never once the verdict is that of the planned end", () => {
    const ended = { plannedEnd: 7 * DAY_MS, outlook: { ...OUTLOOK, plannedEnd: 7 * DAY_MS, isLastAtEnd: true } };
    expect(read(week(10), ended, { expectedPercent: 0.1 }).detection).toMatchObject({
      target: { isReached: false, reason: "The verdict of the planned end stays." },
    });
  });

  test.each([
    ["the experiment takes no new users", week(10), { outlook: { ...OUTLOOK, isEnrolling: false } }, "The experiment takes no new users."],
    ["the effect is tiny", week(10), {}, "At the current pace, it takes more than two years."],
  ] as [string, DailySums[], Partial<Asked>, string][])("is unknown if %s", (_, daily, asked, reason) => {
    expect(read(daily, asked, { expectedPercent: 0.01 }).detection?.target).toEqual({ percent: 0.01, isReached: false, reason });
  });

  test("is unknown if no unit arrived lately", () => {
    const metric = buildMetric(
      week(10).filter(({ day }) => day === 1),
      { expectedPercent: 1 },
    );
    const moments = metric.moments && { ...metric.moments, endTime: 10 * DAY_MS };
    expect(computePulse([{ ...metric, moments }], ASKED)[0]?.detection).toMatchObject({
      unitsPerDay: 0,
      target: { isReached: false, reason: "No new units arrived lately." },
    });
  });

  test("is asked of the margin in a test of non-inferiority", () => {
    expect(read(week(10), {}, { ...NON_INFERIOR, expectedPercent: 5 }).detection?.target).toMatchObject({ percent: 1, isReached: false });
  });
});

describe("the question of a metric", () => {
  test("one-sided puts all of α in the desired direction, for the test and its interval", () => {
    const found = read(week(10.09), {}, ONE_SIDED);
    // Twice that is 0.0908: a two-sided test calls no difference.
    expect(found).toMatchObject({ pValue: expect.closeTo(0.045416581406373925, 9), isSignificant: true });
    expect(found.verdict).toMatchObject({ testType: "one_sided", pValue: found.pValue });
    expect(found.absoluteInterval?.[0]).toBeGreaterThan(0);
    expect(read(week(10.09))).toMatchObject({ isSignificant: false, pValue: expect.closeTo(2 * 0.045416581406373925, 9) });
    const worse = read(week(9.91), {}, ONE_SIDED);
    expect(worse).toMatchObject({ pValue: expect.closeTo(0.954583418593626, 9), isSignificant: false });
    const less = read(week(9.91), {}, { ...ONE_SIDED, metric: { name: "m", directionality: "decrease", type: "sum" } });
    expect(less).toMatchObject({ pValue: expect.closeTo(0.045416581406373925, 9), isSignificant: true });
  });

  test("of non-inferiority is tested at the margin, whose interval agrees", () => {
    const found = read(week(9.97), {}, NON_INFERIOR);
    expect(found).toMatchObject({ pValue: expect.closeTo(0.09311245179240685, 9), isSignificant: false });
    expect(found.verdict).toMatchObject({ test: "fixed", testType: "non_inferiority", margin: 1 });
    expect(found.percentInterval).toEqual([expect.closeTo(-1.170322077586361, 8), expect.closeTo(0.5779631502275784, 8)]);
    expect(read(week(9.97), {}, { plan: { type: "non_inferiority", margin: 0.012 } })).toMatchObject({ isSignificant: true });
    const less = { metric: { name: "m", directionality: "decrease", type: "sum" }, ...NON_INFERIOR } as const;
    expect(read(week(10.05), {}, less)).toMatchObject({ isSignificant: false });
    expect(read(week(9.97), {}, less)).toMatchObject({ isSignificant: true });
  });

  test("agrees with its interval at every look of a sequential test", () => {
    for (const mean of [9.5, 9.8, 9.95, 10, 10.05, 10.2, 10.5])
      for (const plan of [ONE_SIDED.plan, NON_INFERIOR.plan]) {
        const { isSignificant, sequentialPercentInterval: [lower = 0] = [], verdict } = read(week(mean), SEQUENTIAL, { plan });
        expect(isSignificant, `${mean}`).toBe(lower > (plan.type === "one_sided" ? 0 : -1));
        expect((verdict?.pValue ?? 1) <= 0.05, `${mean}`).toBe(isSignificant);
      }
  });

  test("of non-inferiority has no answer for a control mean of 0", () => {
    const daily = week(10).map((one) => (one.groupID === "control" ? daySums(one.day, "control", 0) : one));
    expect(read(daily, {}, NON_INFERIOR)).toMatchObject({ reason: "The control mean is 0, so relative changes are undefined." });
  });
});
