import { estimateDifference, estimateLift, estimateMoments, testDifference, tQuantile } from "@gatehouse/statistics";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Buyer, DAY_MS, HOUR_MS, pulseOn } from "../support/pulse.ts";
import { invalid, refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
let pulse: ReturnType<typeof pulseOn>;
beforeAll(async () => {
  server = await startServer();
  pulse = pulseOn(server);
});
afterAll(() => server.close());

/** Units of a group. Every third one buys once, and every fourth a second time a day later. */
function buildBuyers(group: string, count: number, more = 0): Buyer[] {
  return Array.from({ length: count }, (_, index) => ({
    unit: `${group} ${index}`,
    group,
    purchases: [
      ...(index % 3 === 0 ? [{ value: 5 + (index % 11) + more, afterMs: HOUR_MS }] : []),
      ...(index % 4 === 0 ? [{ value: 3 + more, afterMs: DAY_MS }] : []),
    ],
  }));
}

const sumPurchases = ({ purchases }: Buyer, withinMs = Number.POSITIVE_INFINITY) =>
  purchases.filter(({ afterMs }) => afterMs >= 0 && afterMs < withinMs).reduce((sum, { value }) => sum + value, 0);

/** The statistics of the units' values. */
function computeExpected(control: number[], test: number[], confidence = 0.95) {
  const estimate = (values: number[]) => {
    const [sum, sumSquares] = [values.reduce((a, b) => a + b, 0), values.reduce((a, b) => a + b * b, 0)];
    const { value } = estimateMoments({ n: values.length, sum, sumSquares });
    if (!value) throw new Error("There is no estimate.");
    return value;
  };
  const [c, t] = [estimate(control), estimate(test)];
  const difference = estimateDifference(c, t).value;
  const lift = estimateLift(c, t, { confidence }).value;
  if (!difference || !lift) throw new Error("There is no difference.");
  const { p, interval } = testDifference(difference, { confidence });
  const quantiles = tQuantile((1 + confidence) / 2, difference.degreesOfFreedom) + tQuantile(0.8, difference.degreesOfFreedom);
  return {
    controlMean: expect.closeTo(c.mean, 9),
    testMean: expect.closeTo(t.mean, 9),
    controlStd: expect.closeTo(c.standardError, 9),
    testStd: expect.closeTo(t.standardError, 9),
    controlUnits: control.length,
    testUnits: test.length,
    absoluteChange: expect.closeTo(difference.delta, 9),
    confidenceIntervalDelta: expect.closeTo((interval[1] - interval[0]) / 2, 9),
    absoluteInterval: interval.map((bound) => expect.closeTo(bound, 9)),
    percentChange: expect.closeTo(100 * lift.lift, 7),
    pValue: expect.closeTo(p, 9),
    minimumDetectableEffect: expect.closeTo(quantiles * difference.standardError, 9),
    percentMinimumDetectableEffect: expect.closeTo((100 * quantiles * difference.standardError) / c.mean, 7),
  };
}

describe("the results of an experiment", () => {
  const control = buildBuyers("control", 120);
  const test_ = buildBuyers("test", 130, 4);
  let id: string;
  let start: number;
  beforeAll(async () => {
    await pulse.metric("Revenue");
    await pulse.metric("Buyers", { type: "event_user", metricEvents: [{ name: "buy" }] });
    await pulse.metric("Price", { type: "mean" });
    await pulse.metric("Refunds", { directionality: "decrease", metricEvents: [{ name: "refund", type: "value" }] });
    id = await pulse.experiment("known effect", {
      primaryMetrics: [
        { name: "Revenue", type: "sum" },
        { name: "Buyers", type: "event_user" },
      ],
      secondaryMetrics: [
        { name: "Price", type: "mean" },
        { name: "Missing", type: "sum" },
      ],
      otherMetrics: [{ name: "Refunds", type: "sum" }],
    });
    start = server.clock.now;
    server.clock.now += 2 * DAY_MS;
    await pulse.log(id, [...control, ...test_], start + HOUR_MS);
    await pulse.log(id, [{ unit: "in both", group: "control", purchases: [{ value: 1e6, afterMs: 1 }] }], start + HOUR_MS);
    await pulse.log(id, [{ unit: "in both", group: "test", purchases: [] }], start + 2 * HOUR_MS);
    server.clock.now = start + 3 * DAY_MS;
    await pulse.load(id);
  });

  test("compare means per unit, with one α for p-value, interval and verdict; units of two groups are left out", async () => {
    const { ds, primaryMetrics } = await pulse.results(id, { cuped: false });
    expect(ds).toBe("2025-11-24");
    const [revenue, buyers] = primaryMetrics;
    expect(revenue).toMatchObject({
      metricID: "Revenue::sum",
      metricName: "Revenue",
      directionality: "increase",
      metricVersion: 1,
      loadedTime: server.clock.now,
      alpha: expect.closeTo(0.05, 12),
      ...computeExpected(
        control.map((one) => sumPurchases(one)),
        test_.map((one) => sumPurchases(one)),
      ),
      isSignificant: true,
      controlTotal: expect.closeTo(
        control.reduce((sum, one) => sum + sumPurchases(one), 0),
        9,
      ),
      cuped: { isUsed: false, reason: "It was not asked for, or there is nothing to compare." },
    });
    // Proportions have the p-value of scipy's `chi2_contingency(correction=True)` for 60 of 120 and 66 of 130 units.
    const bought = ({ purchases }: Buyer) => Number(purchases.length > 0);
    const { controlMean, testMean, controlStd, testStd, absoluteChange } = computeExpected(control.map(bought), test_.map(bought));
    expect(buyers).toMatchObject({
      ...{ controlMean, testMean, controlStd, testStd, absoluteChange, isSignificant: false },
      ...{ pValue: expect.closeTo(1.0, 7), isProportion: true, controlTotal: 60, testTotal: 66 },
    });
  });

  test("of a metric that divides count the units with a denominator, and show both sums", async () => {
    const [price] = (await pulse.results(id)).secondaryMetrics;
    const sums = (buyers: Buyer[]) => ({
      units: buyers.filter(({ purchases }) => purchases.length > 0).length,
      total: buyers.reduce((sum, one) => sum + sumPurchases(one), 0),
      count: buyers.reduce((sum, { purchases }) => sum + purchases.length, 0),
    });
    const [c, t] = [sums(control), sums(test_)];
    expect(price).toMatchObject({
      controlUnits: c.units,
      testUnits: t.units,
      controlTotal: expect.closeTo(c.total, 9),
      testTotal: expect.closeTo(t.total, 9),
      controlDenominator: c.count,
      testDenominator: t.count,
      controlMean: expect.closeTo(c.total / c.count, 9),
      testMean: expect.closeTo(t.total / t.count, 9),
    });
  });

  test("say why a number is missing: no such metric, no events", async () => {
    const { secondaryMetrics, otherMetrics } = await pulse.results(id);
    expect(secondaryMetrics[1]).toEqual({
      metricID: "Missing::sum",
      metricName: "Missing",
      directionality: "increase",
      reason: "The metric does not exist.",
    });
    expect(otherMetrics).toEqual([
      {
        metricID: "Refunds::sum",
        metricName: "Refunds",
        directionality: "decrease",
        metricVersion: 1,
        loadedTime: server.clock.now,
        alpha: expect.closeTo(0.05, 12),
        reason: "All units have the same value, so chance explains nothing.",
        ...{ controlUnits: 120, testUnits: 130, controlMean: 0, testMean: 0, controlStd: 0, testStd: 0, controlTotal: 0, testTotal: 0 },
        cuped: { isUsed: false, reason: "At most 5% of the units did anything before their first exposure." },
      },
    ]);
  });

  test("have a series of the days, and can be asked for as of one of them", async () => {
    const ofFirstDay = computeExpected(
      control.map((one) => sumPurchases(one, DAY_MS)),
      test_.map((one) => sumPurchases(one, DAY_MS)),
    );
    const [revenue] = (await pulse.results(id, { series: true, cuped: false })).primaryMetrics;
    expect(revenue?.series?.map(({ date }) => date)).toEqual(["2025-11-21", "2025-11-22", "2025-11-23", "2025-11-24"]);
    expect(revenue?.series?.[0]).toEqual({
      ...{ date: "2025-11-21", ...ofFirstDay },
      ...{ percentConfidenceIntervalDelta: expect.any(Number), percentInterval: [expect.any(Number), expect.any(Number)] },
    });
    expect(revenue?.series?.at(-1)).toMatchObject({ absoluteChange: revenue?.absoluteChange });
    const { ds, primaryMetrics } = await pulse.results(id, { date: "2025-11-21", cuped: false });
    expect(ds).toBe("2025-11-21");
    expect(primaryMetrics[0]).toMatchObject(ofFirstDay);
  });

  test("say what their tests can detect, and how many units the groups gain per day", async () => {
    const { primaryMetrics } = await pulse.results(id);
    const days = (server.clock.now - start) / DAY_MS;
    expect(primaryMetrics[0]?.detection).toEqual({
      ...{ power: 0.8, unitsPerDay: expect.closeTo(250 / days, 1), plannedEndPercent: expect.any(Number) },
    });
    const { percentMinimumDetectableEffect = 0, detection } = primaryMetrics[0] ?? {};
    // With as many units as 14 days bring at that pace, about as much smaller as their root is larger.
    expect((detection?.plannedEndPercent ?? 0) / (percentMinimumDetectableEffect * Math.sqrt(days / 14))).toBeCloseTo(1, 1);
  });

  test("can be asked for at another confidence, which changes interval and verdict together", async () => {
    const [revenue] = (await pulse.results(id, { confidence: 99.999999, cuped: false })).primaryMetrics;
    expect(revenue).toMatchObject({ alpha: expect.closeTo(1e-8, 15), isSignificant: false });
    expect((revenue?.confidenceIntervalDelta ?? 0) > Math.abs(revenue?.absoluteChange ?? 0)).toBe(true);
  });

  test.each([
    [{ applyBonferroniPerMetric: true }, { primary: 0.05 / 4, secondary: 0.05 / 2 }],
    [
      { applyBonferroniPerMetric: true, bonferroniPrimaryMetricWeight: 0.8 },
      { primary: 0.04 / 2, secondary: 0.01 },
    ],
    [{ applyBonferroniPerVariant: true }, { primary: 0.05, secondary: 0.05 }],
    [{ applyBenjaminiHochbergPerMetric: true }, { primary: 0.1 / 3, secondary: 0.1 / 3 }],
    // Two of three are called, so that the third has all of α.
    [{ applyHolmPerMetric: true }, { primary: 0.05, secondary: 0.05 }],
    [{ applyHolmPerVariant: true }, { primary: 0.05, secondary: 0.05 }],
  ])("divide α among comparisons with %o", async (corrections, { primary, secondary }) => {
    const results = await pulse.results(id, corrections);
    expect(results.primaryMetrics.map(({ alpha }) => alpha)).toEqual([expect.closeTo(primary, 12), expect.closeTo(primary, 12)]);
    expect(results.secondaryMetrics[0]?.alpha).toBeCloseTo(secondary, 12);
    expect(results.otherMetrics[0]?.alpha).toBeCloseTo(0.05, 12);
  });

  test("400 for a group that does not exist, for one with itself, and for a day that is not loaded", async () => {
    const ask = (query: object) => refusal(pulse.results(id, query));
    expect(await ask({ control: "nobody" })).toEqual(invalid(["control", "is no group of the experiment. Its groups are control, test"]));
    expect(await ask({ test: "control" })).toEqual(invalid(["test", "must be another group than control"]));
    const days = "must be from 2025-11-21 to 2025-11-24, the days that are loaded";
    expect(await ask({ date: "2025-11-25" })).toEqual(invalid(["date", days]));
    const unloaded = await pulse.experiment("never loaded");
    expect(await refusal(pulse.results(unloaded, { date: "2025-11-21" }))).toEqual(
      invalid(["date", "must be left out, since nothing is loaded"]),
    );
  });

  test("of a reset experiment start again", async () => {
    const again = await pulse.experiment("reset", { primaryMetrics: [{ name: "Revenue", type: "sum" }] });
    await pulse.log(again, buildBuyers("control", 3), server.clock.now);
    server.clock.now += HOUR_MS;
    await pulse.load(again);
    expect((await pulse.results(again)).primaryMetrics[0]).toMatchObject({ controlUnits: 3 });
    await server.client.resetExperiment({ path: { id: again }, body: {} } as never);
    expect((await pulse.results(again)).primaryMetrics[0]).toMatchObject({ reason: "No results update has computed this metric yet." });
  });
});

test("CUPED reduces the variance by what units did before their first exposure, and says by how much", async () => {
  const id = await pulse.experiment("before and after", { primaryMetrics: [{ name: "Revenue", type: "sum" }] });
  const time = server.clock.now + HOUR_MS;
  const habit = (index: number) => (index * 7919) % 50;
  const buyers = ["control", "test"].flatMap((group) =>
    Array.from({ length: 100 }, (_, index) => ({
      unit: `habit ${group} ${index}`,
      group,
      purchases: [
        { value: habit(index), afterMs: -2 * DAY_MS },
        { value: habit(index) + (index % 5) + (group === "test" ? 1 : 0), afterMs: 60_000 },
      ],
    })),
  );
  server.clock.now = time + DAY_MS;
  await pulse.log(id, buyers, time);
  await pulse.load(id);
  const [plain] = (await pulse.results(id, { cuped: false })).primaryMetrics;
  const [adjusted] = (await pulse.results(id)).primaryMetrics;
  expect(plain?.isSignificant).toBe(false);
  expect(adjusted).toMatchObject({ isSignificant: true, absoluteChange: expect.closeTo(1, 6), cuped: { isUsed: true } });
  expect(adjusted?.cuped?.varianceReduction).toBeGreaterThan(0.98);
});

test("a Bayesian experiment is decided by its own threshold of the chance to beat", async () => {
  const primaryMetrics = [{ name: "Revenue", type: "sum" }];
  const id = await pulse.experiment("believed", { analyticsType: "bayesian", defaultChanceToBeatThreshold: 0.9, primaryMetrics });
  const time = server.clock.now + HOUR_MS;
  const buyers = ["control", "test"].flatMap((group) =>
    Array.from({ length: 12 }, (_, index) => ({
      ...{ unit: `believed ${group} ${index}`, group },
      purchases: [{ value: 10 + (index % 4) + (group === "test" ? 0.8 : 0), afterMs: 60_000 }],
    })),
  );
  server.clock.now = time + DAY_MS;
  await pulse.log(id, buyers, time);
  await pulse.load(id);
  const decide = async () => (await pulse.results(id, { cuped: false })).primaryMetrics[0];
  // The chance is 0.95, between both thresholds.
  expect(await decide()).toMatchObject({ isSignificant: true, bayesian: { decision: "test", chanceToBeatThreshold: 0.9 } });
  await server.client.patchExperiment({ path: { id }, body: { defaultChanceToBeatThreshold: 0.99 } });
  expect(await decide()).toMatchObject({ isSignificant: false, bayesian: { decision: "open", chanceToBeatThreshold: 0.99 } });
});
