import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "../support/pulse.ts";
import { invalid, refusal, startServer, type TestServer } from "../support/server.ts";

/** The quantiles of the normal distribution at 97.5 % and 80 %. */
const [Z975, Z80] = [1.959963984540054, 0.8416212335729143];

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  const start = Math.ceil(server.clock.now / DAY_MS) * DAY_MS;
  // Units 0 to 7 come on the first day, and 8 to 11 on the second. Every second one buys, on the day after it came.
  const units = Array.from({ length: 12 }, (_, index) => ({
    user: { userID: `unit ${index}` },
    day: index < 8 ? 0 : 1,
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

/** The mean and the standard deviation of `ones` ones among `n` units, and the effect that is found. */
function expected(n: number, ones: number, unitsPerGroup: number, z: number) {
  const mean = ones / n;
  const standardDeviation = Math.sqrt((n * mean * (1 - mean)) / (n - 1));
  const absoluteEffect = z * standardDeviation * Math.sqrt(2 / unitsPerGroup);
  return { unitsPerGroup, mean, standardDeviation, absoluteEffect, effect: (100 * absoluteEffect) / mean };
}

describe("computePower", () => {
  test("returns the effect for each day, from the units seen and their events up to that day", async () => {
    const { days } = await readPower({});
    const close = (day: object) => Object.fromEntries(Object.entries(day).map(([name, value]) => [name, expect.closeTo(value, 10)]));
    expect(days).toEqual([
      { day: 1, unitsPerGroup: 4, mean: 0, standardDeviation: 0 },
      { day: 2, ...close(expected(12, 4, 6, Z975 + Z80)) },
      { day: 3, ...close(expected(12, 6, 6, Z975 + Z80)) },
    ]);
  });

  test("takes the share of units, the number of groups and their sizes into account", async () => {
    const { days } = await readPower({ allocation: 50, groups: 3, power: 50 });
    expect(days[2]?.unitsPerGroup).toBe(2);
    expect(days[2]?.absoluteEffect).toBeCloseTo(expected(12, 6, 2, Z975).absoluteEffect, 10);
    // Of 12 units, the control group has 9, and the smaller one of the test groups 1.
    const { days: unequal } = await readPower({ groupSizes: [90, 20, 10] });
    const { standardDeviation } = expected(12, 6, 1, 0);
    expect(unequal[2]?.unitsPerGroup).toBe(1);
    expect(unequal[2]?.absoluteEffect).toBeCloseTo((Z975 + Z80) * standardDeviation * Math.sqrt(1 / 9 + 1), 10);
  });

  test("answers what a look before the planned end finds, for experiments that are tested sequentially", async () => {
    const { days } = await readPower({ sequentialTesting: true });
    // With groups of the same size, the threshold is √((1 + 2/z²)(−2 ln 0.025 + ln(1 + z²/2))) standard errors.
    const threshold = Math.sqrt((1 + 2 / Z975 ** 2) * (-2 * Math.log(0.025) + Math.log(1 + Z975 ** 2 / 2)));
    expect(threshold).toBeCloseTo(3.5845, 4);
    const { absoluteEffect, effect } = expected(12, 6, 6, threshold + Z80);
    expect(days[2]).toMatchObject({
      absoluteEffect: expect.closeTo(expected(12, 6, 6, Z975 + Z80).absoluteEffect, 10),
      ...{ absoluteSequentialEffect: expect.closeTo(absoluteEffect, 8), sequentialEffect: expect.closeTo(effect, 6) },
    });
    expect((await readPower({})).days[2]).not.toHaveProperty("sequentialEffect");
  });

  test("answers the effect of a one-sided test, and the margin of a test of non-inferiority", async () => {
    const { days } = await readPower({ testType: "one_sided" });
    expect(days[2]?.absoluteEffect).toBeCloseTo(expected(12, 6, 6, 1.6448536269514722 + Z80).absoluteEffect, 10);
    // scipy's brentq: M = 1.645·√(s²/6·(1 + (1 − 2M)²)), with a power of 50 %, whose quantile is 0; and 1 + 2M where less is better.
    const margin = await readPower({ testType: "non_inferiority", power: 50 });
    expect(margin.days[2]).toMatchObject({
      absoluteEffect: expect.closeTo(0.3635145341584296, 8),
      effect: expect.closeTo(72.70290683168592, 6),
    });
    const less = await readPower({ testType: "non_inferiority", power: 50 }, { name: "Returns", type: "event_user" });
    expect(less.days[2]?.absoluteEffect).toBeCloseTo(1.3316968657321735, 8);
    // At 80 %, not even the whole mean is a margin that six units show.
    expect((await readPower({ testType: "non_inferiority" })).days[2]).not.toHaveProperty("effect");
  });

  test("says how many units an effect needs, and on which day they are there", async () => {
    // An effect of 1, with σ² = 3/11: 2 · (1.96 + 0.842)² · 3/11 = 4.281 units in each group.
    expect(await readPower({ effect: 200 })).toMatchObject({ needed: { units: 9, unitsPerGroup: 5, day: 3 } });
    const slow = await readPower({ effect: 20 });
    // 12 units came in 3 days, 4 of them after the first: 2 a day. 2 · 428.12 units are there after 3 + ⌈(856.24 − 12) ÷ 2⌉ days.
    expect(slow).toMatchObject({ unitsPerDay: 2, needed: { units: 857, unitsPerGroup: 429, day: 426 } });
    expect(slow.days).toHaveLength(365);
    const [recent, later] = [slow.days[2], slow.days[364]];
    expect(recent).not.toHaveProperty("isForecast");
    // 12 + 362 · 2 units.
    expect(later).toMatchObject({ day: 365, isForecast: true, unitsPerGroup: 368, mean: 0.5 });
    expect(later?.absoluteEffect).toBeCloseTo(expected(12, 6, 368, Z975 + Z80).absoluteEffect, 10);
  });

  test("uses the traffic and baseline of the request instead of recent ones", async () => {
    const rate = { mean: 0.1, standardDeviation: 0.3 };
    // scipy's brentq: the n for which Φ(δ/σ·√(n/2) − z) + Φ(−δ/σ·√(n/2) − z) is 0.8, is 3531.987.
    const given = await readPower({ unitsPerDay: 1_000, allocation: 50, effect: 20, baseline: rate });
    expect(given).toMatchObject({ unitsPerDay: 1_000, needed: { units: 7_064, unitsPerGroup: 3_532, day: 15 } });
    expect(given.days).toHaveLength(15);
    expect(given.days[14]).toMatchObject({ ...rate, isForecast: true, unitsPerGroup: 3_750 });
    // Unequal groups: (q·σ/δ)²·(1/0.9 + 1/0.1) of all units.
    const unequal = await readPower({ unitsPerDay: 1_000, groupSizes: [90, 10], effect: 20, baseline: rate });
    expect(unequal.needed).toEqual({ units: 19_623, unitsPerGroup: 1_963, day: 20 });
    // A margin of 20 % means M = 0.02 and r = 0.8. scipy's brentq: Φ(M/(σ·√(1.64/n)) − 1.645) is 0.8 for n = 2281.36.
    const margin = await readPower({ unitsPerDay: 1_000, testType: "non_inferiority", effect: 20, baseline: rate });
    expect(margin.needed).toEqual({ units: 4_563, unitsPerGroup: 2_282, day: 5 });
    expect(margin.days[4]?.effect).toBeLessThanOrEqual(20);
    expect(margin.days[3]?.effect).toBeGreaterThan(20);
    const years = await readPower({ unitsPerDay: 1, effect: 20, baseline: rate });
    expect([years.needed, years.reason]).toEqual([
      { units: 7_064, unitsPerGroup: 3_532 },
      "At this traffic, it would take more than ten years to get enough units.",
    ]);
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
    // Units 0, 2, … 10 bought for 1, 3, … 11.
    expect(days[2]).toMatchObject({ unitsPerGroup: 3, mean: 6, standardDeviation: expect.closeTo(Math.sqrt(14), 10) });
  });

  test("answers a statement that computes the same when it is run by hand", async () => {
    const { sql = "" } = await readPower({});
    const options = { timeoutMs: 10_000, signal: new AbortController().signal };
    const rows = await server.database.analyse<{ n: number; y: number }>(sql, [], options);
    expect(rows.reduce((sum, { n }) => sum + n, 0)).toBe(12);
    expect(rows.reduce((sum, { y }) => sum + y, 0)).toBe(6);
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
