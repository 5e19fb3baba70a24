import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "../support/pulse.ts";
import { invalid, refusal, startServer, type TestServer } from "../support/server.ts";

/** The quantiles of the normal distribution at 97.5% and 80%. */
const [Z975, Z80] = [1.959963984540054, 0.8416212335729143];

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  const start = Math.ceil(server.clock.now / DAY_MS) * DAY_MS;
  // Units 0 to 79 come on the first day, and 80 to 119 on the second. Every second one buys, on the day after it came.
  const units = Array.from({ length: 120 }, (_, index) => ({
    user: { userID: `unit ${index}` },
    day: index < 80 ? 0 : 1,
    buys: index % 2 === 0,
  }));
  for (const day of [0, 1, 2]) {
    server.clock.now = start + day * DAY_MS + 20 * HOUR_MS;
    const time = start + day * DAY_MS + HOUR_MS;
    const events = units.flatMap(({ user, day: came, buys }, index) => [
      ...(came === day ? [{ eventName: "visit", user, time }] : []),
      ...(buys && came + 1 === day ? [{ eventName: "buy", user, time, value: index + 1 }] : []),
    ]);
    await server.evaluation.logEvent({ body: { events } });
  }
  server.clock.now = start + 3 * DAY_MS + HOUR_MS;
  await server.client.createMetric({ body: { name: "Buyers", type: "event_user", metricEvents: [{ name: "buy" }] } });
  await server.client.createMetric({
    body: { name: "Returns", type: "event_user", directionality: "decrease", metricEvents: [{ name: "buy" }] },
  });
  await server.client.createMetric({ body: { name: "Price", type: "mean", metricEvents: [{ name: "buy" }] } });
});
afterAll(() => server.close());

const Buyers = { name: "Buyers", type: "event_user" };
const readPower = async (body: Omit<Parameters<TestServer["client"]["computePower"]>[0]["body"], "metric">, metric = Buyers) =>
  (await server.client.computePower({ body: { metric, days: 3, ...body } })).data;

/** The mean and the standard deviation of `ones` ones among `n` units, and the effect that is found, as a share of units. */
function expected(n: number, ones: number, unitsPerGroup: number, absoluteEffect: number) {
  const mean = ones / n;
  const standardDeviation = Math.sqrt((n * mean * (1 - mean)) / (n - 1));
  return { unitsPerGroup, mean, standardDeviation, absoluteEffect, effect: (100 * absoluteEffect) / mean };
}

// scipy's brentq found the effects on proportions: the roots of Fleiss, Tytun and Ury 1980, and of Farrington and Manning 1990.
describe("computePower", () => {
  test("returns the effect for each day, from the units seen and their events up to that day", async () => {
    const { days } = await readPower({});
    const close = (day: object) => Object.fromEntries(Object.entries(day).map(([name, value]) => [name, expect.closeTo(value, 9)]));
    expect(days).toEqual([
      { day: 1, unitsPerGroup: 40, mean: 0, standardDeviation: 0 },
      { day: 2, ...close(expected(120, 40, 60, 0.269047203111833)) },
      { day: 3, ...close(expected(120, 60, 60, 0.26080617975065384)) },
    ]);
  });

  test("takes the share of units, the number of groups and their sizes into account", async () => {
    const { days } = await readPower({ allocation: 50, groups: 3, power: 50 });
    expect(days[2]).toMatchObject({ unitsPerGroup: 20, absoluteEffect: expect.closeTo(0.34129059774642195, 9) });
    // Of 120 units, the control group has 90, and the smaller one of the test groups 10.
    const { days: unequal } = await readPower({ groupSizes: [90, 20, 10] });
    expect(unequal[2]).toMatchObject({ unitsPerGroup: 10, absoluteEffect: expect.closeTo(0.4527028291541822, 9) });
  });

  test("answers what a look before the planned end finds, for experiments that are tested sequentially", async () => {
    const { days } = await readPower({ sequentialTesting: true });
    // With groups of the same size, the threshold is √((1 + 2/z²)(−2 ln 0.025 + ln(1 + z²/2))) = 3.5845 standard errors.
    expect(days[2]).toMatchObject({
      absoluteEffect: expect.closeTo(0.26080617975065384, 9),
      ...{ absoluteSequentialEffect: expect.closeTo(0.38343024352838007, 8), sequentialEffect: expect.closeTo(76.686048705676, 6) },
    });
    expect((await readPower({})).days[2]).not.toHaveProperty("sequentialEffect");
  });

  test("answers the effect of a one-sided test, and the margin of a test of non-inferiority", async () => {
    const { days } = await readPower({ testType: "one_sided" });
    expect(days[2]?.absoluteEffect).toBeCloseTo(0.2350723268875878, 9);
    const margin = await readPower({ testType: "non_inferiority", power: 50 });
    expect(margin.days[2]?.absoluteEffect).toBeCloseTo(0.1428166977641053, 7);
    const less = await readPower({ testType: "non_inferiority", power: 50 }, { name: "Returns", type: "event_user" });
    expect(less.days[2]?.absoluteEffect).toBeCloseTo(0.19992073655957776, 7);
    // At 99.99%, not even the whole rate is a margin that six units show.
    const few = await readPower({ testType: "non_inferiority", power: 99.99, allocation: 10 });
    expect(few.days[2]).not.toHaveProperty("effect");
  });

  test("says how many units an effect needs, and on which day they are there", async () => {
    // An effect of 0.3 needs 89.798 units.
    expect(await readPower({ effect: 60 })).toMatchObject({ needed: { units: 90, unitsPerGroup: 45, day: 3 } });
    const slow = await readPower({ effect: 5 });
    // 120 units came in 3 days, 40 of them after the first: 20 a day. 12,707.5 units are there after 3 + ⌈(12,707.5 − 120) ÷ 20⌉ days.
    expect(slow).toMatchObject({ unitsPerDay: 20, needed: { units: 12_708, unitsPerGroup: 6_354, day: 633 } });
    expect(slow.days).toHaveLength(365);
    const [recent, later] = [slow.days[2], slow.days[364]];
    expect(recent).not.toHaveProperty("isForecast");
    // 120 + 362 · 20 units.
    expect(later).toMatchObject({ day: 365, isForecast: true, unitsPerGroup: 3_680, mean: 0.5 });
    expect(later?.absoluteEffect).toBeCloseTo(0.03290488628147258, 9);
  });

  test("uses the traffic and baseline of the request instead of recent ones", async () => {
    const rate = { mean: 0.1, standardDeviation: 0.3 };
    // With 3,941 units in each group, 80.04% of all outcomes of 10% and 12% are found: a sum over binomial outcomes. The normal test would ask for
    // 3,532, which find 75.5%.
    const given = await readPower({ unitsPerDay: 1_000, allocation: 50, effect: 20, baseline: rate });
    expect(given).toMatchObject({ unitsPerDay: 1_000, needed: { units: 7_881, unitsPerGroup: 3_941, day: 16 } });
    expect(given.days).toHaveLength(16);
    expect(given.days[15]).toMatchObject({ ...rate, isForecast: true, unitsPerGroup: 4_000 });
    const unequal = await readPower({ unitsPerDay: 1_000, groupSizes: [90, 10], effect: 20, baseline: rate });
    expect(unequal.needed).toEqual({ units: 21_319, unitsPerGroup: 2_132, day: 22 });
    const margin = await readPower({ unitsPerDay: 1_000, testType: "non_inferiority", effect: 20, baseline: rate });
    expect(margin.needed).toEqual({ units: 4_668, unitsPerGroup: 2_334, day: 5 });
    expect(margin.days[4]?.effect).toBeLessThanOrEqual(20);
    expect(margin.days[3]?.effect).toBeGreaterThan(20);
    const years = await readPower({ unitsPerDay: 1, effect: 20, baseline: rate });
    expect([years.needed, years.reason]).toEqual([
      { units: 7_881, unitsPerGroup: 3_941 },
      "At this traffic, it would take more than ten years to get enough units.",
    ]);
  });

  test("plans for the test of means if the standard deviation doesn't match a rate", async () => {
    // scipy's brentq: the n for which Φ(δ/σ·√(n/2) − z) + Φ(−δ/σ·√(n/2) − z) is 0.8 at δ/σ = 0.02/0.29, is 3300.446.
    const { needed } = await readPower({ unitsPerDay: 1_000, effect: 20, baseline: { mean: 0.1, standardDeviation: 0.29 } });
    expect(needed).toEqual({ units: 6_601, unitsPerGroup: 3_301, day: 7 });
  });

  test("says that traffic isn't known without recent units, and forecasts with what is given", async () => {
    const idType = "companyID";
    await server.client.createUnitIDType({ body: { name: idType } });
    expect(await readPower({ idType, effect: 20 })).toMatchObject({
      days: [],
      reason: "No units arrived on recent days, so the traffic is unknown.",
    });
    const onlyTraffic = await readPower({ idType, effect: 20, unitsPerDay: 10 });
    expect(onlyTraffic).toMatchObject({ unitsPerDay: 10, reason: "Too few units arrived on recent days to estimate the metric." });
    const baseline = { mean: 0.1, standardDeviation: 0.3 };
    expect((await readPower({ idType, effect: 20, unitsPerDay: 1_000, baseline })).needed?.day).toBe(8);
  });

  test("counts only the units that have a denominator, where the metric is a ratio", async () => {
    const { days } = await readPower({}, { name: "Price", type: "mean" });
    // Units 0, 2, … 118 bought for 1, 3, … 119.
    const standardDeviation = Math.sqrt(1_220);
    expect(days[2]).toMatchObject({ unitsPerGroup: 30, mean: 60, standardDeviation: expect.closeTo(standardDeviation, 10) });
    expect(days[2]?.absoluteEffect).toBeCloseTo((Z975 + Z80) * standardDeviation * Math.sqrt(2 / 30), 9);
  });

  test("answers a statement that computes the same when it is run by hand", async () => {
    const { sql = "" } = await readPower({});
    const options = { timeoutMs: 10_000, signal: new AbortController().signal };
    const rows = await server.database.analyse<{ n: number; y: number }>(sql, [], options);
    expect(rows.reduce((sum, { n }) => sum + n, 0)).toBe(120);
    expect(rows.reduce((sum, { y }) => sum + y, 0)).toBe(60);
  });

  test("refuses a metric that does not exist, and says why another has no power", async () => {
    expect(await refusal(readPower({}, { name: "None", type: "sum" }))).toEqual(
      invalid(["metric", "names the metric None::sum, which does not exist"]),
    );
    const warehouseNative = { aggregation: "percentile" as const, percentile: 0.9 };
    await server.client.createMetric({ body: { name: "Slow", type: "user_warehouse", metricEvents: [{ name: "buy" }], warehouseNative } });
    expect(await readPower({}, { name: "Slow", type: "user_warehouse" })).toMatchObject({
      days: [],
      reason: "How a percentile varies depends on the events around it, which its last days do not tell.",
    });
  });
});
