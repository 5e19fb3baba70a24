import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { onClickHouse } from "../support/database.ts";
import { type Buyer, type Checked, DAY_MS, HOUR_MS, pulseOn } from "../support/pulse.ts";
import { referencePercentile } from "../support/reference-percentiles.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { waitFor } from "../support/wait-for.ts";

let server: TestServer;
let pulse: ReturnType<typeof pulseOn>;
beforeAll(async () => {
  server = await startServer();
  pulse = pulseOn(server);
});
afterAll(() => server.close());

const percentile = (level: number, given: object = {}) => ({
  type: "user_warehouse" as const,
  metricEvents: [{ name: "buy", type: "value" }],
  warehouseNative: { aggregation: "percentile", percentile: level, ...given },
});

/** Units of a group, each with the values of its events. */
const buildBuyers = (group: string, units: number[][]): Buyer[] =>
  units.map((values, index) => ({
    ...{ unit: `${group} ${index}`, group },
    purchases: values.map((value, at) => ({ value, afterMs: (at + 1) * 1_000 })),
  }));

let made = 0;

/** An experiment with one metric, loaded two days after its units did something. */
async function loaded(metric: object, buyers: Buyer[], given: object = {}) {
  made++;
  const { name, type } = await pulse.metric(`percentile ${made}`, metric);
  const id = await pulse.experiment(`percentile ${made}`, { primaryMetrics: [{ name, type }], ...given });
  const at = server.clock.now + HOUR_MS;
  server.clock.now = at + 2 * DAY_MS;
  await pulse.log(id, buyers, at);
  return { id, at, load: await pulse.load(id) };
}

const readResult = async (id: string, query: object = {}) => (await pulse.results(id, query)).primaryMetrics[0];
const from = (first: number) => Array.from({ length: 100 }, (_, index) => [first + index]);

describe("the results of a percentile", () => {
  // Of n equally spaced values, the median has the standard error of its level times the n − 1 spaces: √(0.25/99) · 99 = 0.5 √99.
  const error = 0.5 * Math.sqrt(99);
  let id: string;
  beforeAll(async () => {
    const found = await loaded(percentile(0.5), [...buildBuyers("control", from(1)), ...buildBuyers("test", from(11))]);
    id = found.id;
    expect(found.load).toMatchObject({ finishedState: "success", metrics: [{ state: "success" }] });
    expect(found.load.jobs.map(({ sql }) => sql.match(/(percentile_cont|quantileExactInclusiveIf)\([0-9.]+\)/g)?.length)).toEqual(
      // ClickHouse's text has each number twice: it is tested whether it is finite.
      [1, onClickHouse ? 40 : 20],
    );
  });

  test("are not adjusted by strata", async () => {
    await server.client.patchExperiment({ path: { id }, body: { postStratifyBy: "country" } });
    expect((await readResult(id))?.adjustment).toEqual({
      ...{ method: "post_stratification", isUsed: false, dimension: "country" },
      reason: "It adjusts means, and this metric is a percentile.",
    });
    await server.client.patchExperiment({ path: { id }, body: { postStratifyBy: "" } });
  });

  test("compare those of all events of each group by Student's distribution", async () => {
    // 10 / (√2 · 4.974937) = 1.421338 standard errors, each with 1.96 · 0.25 / √(0.25/99) degrees of freedom. By scipy, the quantile of both is
    // 2.089387777.
    const result = await readResult(id);
    expect(result).toMatchObject({
      ...{ percentile: 0.5, controlMean: 50.5, testMean: 60.5, controlUnits: 100, testUnits: 100, controlEvents: 100, testEvents: 100 },
      ...{ controlStd: expect.closeTo(error, 9), testStd: expect.closeTo(error, 9) },
      ...{ absoluteChange: 10, percentChange: expect.closeTo(1000 / 50.5, 9), alpha: expect.closeTo(0.05, 12), isSignificant: false },
      confidenceIntervalDelta: expect.closeTo(2.089387776521 * Math.SQRT2 * error, 7),
      pValue: expect.closeTo(0.17101343, 7),
    });
    // The roots of Fieller's equation with that quantile, by numpy.
    expect(result?.percentInterval).toEqual([expect.closeTo(-8.1466681, 5), expect.closeTo(58.3511092, 5)]);
  });

  test("pitfall: CUPED is silently not used if it does not apply. Percentiles omit CUPED, sums and series, and CUPED says why", async () => {
    const result = await readResult(id, { series: true });
    expect(result?.cuped).toEqual({
      isUsed: false,
      reason: "A percentile is one of events, and a unit has no such number before its first exposure.",
    });
    for (const name of ["series", "controlTotal", "testTotal", "controlDenominator"]) expect(result).not.toHaveProperty(name);
    const { ds } = await pulse.results(id);
    expect((await readResult(id, { date: ds }))?.absoluteChange).toBe(10);
    const earlier = new Date(Date.parse(ds) - DAY_MS).toISOString().slice(0, 10);
    expect(await readResult(id, { date: earlier })).toMatchObject({
      reason: "A percentile is known as of the last load alone: those of days do not add up.",
    });
  });

  test("pitfall: a significant interval contains 0. The p-value, interval and verdict share one α, even after corrections", async () => {
    const at80 = 0.17921171;
    for (const [query, p] of [
      [{ confidence: 80 }, at80],
      [{ confidence: 84 }, at80],
      [{ confidence: 85 }, at80],
      [{ applyBonferroniPerVariant: true }, 0.17101343],
    ] as const) {
      const { pValue = 1, alpha = 0, isSignificant, absoluteChange = 0, confidenceIntervalDelta = 0 } = (await readResult(id, query)) ?? {};
      expect(pValue).toBeCloseTo(p, 7);
      expect(isSignificant).toBe(pValue <= alpha);
      expect(isSignificant).toBe(absoluteChange > confidenceIntervalDelta);
    }
  });
});

describe("the error of a percentile", () => {
  // Values that are not equally spaced, so that each confidence has another error; and units with up to five events.
  const units = (more: number) =>
    Array.from({ length: 60 }, (_, index) => Array.from({ length: 1 + (index % 5) }, (_, at) => ((index * 7 + at * 13) % 61) ** 2 + more));
  const z = { 80: 1.2815515655446004, 95: 1.959963984540054, 98: 2.3263478740408408 };
  const errorAt = (confidence: keyof typeof z, level: number, more: number) => {
    const [, low = 0, high = 0] = referencePercentile(units(more), level).intervals.find(([one]) => one === confidence) ?? [];
    return (high - low) / (2 * z[confidence]);
  };

  test("keeps the events of a unit together, and is that of the stored confidence nearest to the one asked for", async () => {
    const { id } = await loaded(percentile(0.7), [...buildBuyers("control", units(0)), ...buildBuyers("test", units(50))]);
    for (const [confidence, nearest] of [
      [20, 80],
      [95, 95],
      [96.4, 95],
      [97, 98],
    ] as const)
      expect(await readResult(id, { confidence })).toMatchObject({
        ...{ controlUnits: 60, testUnits: 60, controlEvents: 180, testEvents: 180 },
        controlMean: expect.closeTo(referencePercentile(units(0), 0.7).value, 9),
        controlStd: expect.closeTo(errorAt(nearest, 0.7, 0), 9),
        testStd: expect.closeTo(errorAt(nearest, 0.7, 50), 9),
      });
  });

  test("is that of a smaller confidence where events do not suffice for the one asked for", async () => {
    // At 95%, the upper level would be above 1.
    const few = Array.from({ length: 25 }, (_, index) => [index ** 2]);
    const { id } = await loaded(percentile(0.9), [...buildBuyers("control", few), ...buildBuyers("test", few)]);
    const { levelError, intervals } = referencePercentile(few, 0.9);
    expect([0.9 + z[80] * levelError < 1, 0.9 + z[95] * levelError > 1]).toEqual([true, true]);
    const [[, low = 0, high = 0] = []] = intervals;
    expect(await readResult(id)).toMatchObject({ controlStd: expect.closeTo((high - low) / (2 * z[80]), 9), pValue: 1 });
  });

  test.each([
    ["equal values", 0.5, from(1).map(() => [5]), "The values around the percentile are equal, so its error cannot be estimated."],
    [
      "few events",
      0.99,
      from(1).slice(0, 20),
      "The percentile is too close to the outermost of so few events for its error to be estimated.",
    ],
    ["one unit", 0.5, [[1, 2, 3]], "The test group has one unit, which has no variance."],
    ["no events", 0.5, [[]], "The test group has no units yet."],
  ])("does not exist for %s, and the result says why", async (_, level, test_, reason) => {
    const { id } = await loaded(percentile(level), [...buildBuyers("control", from(1)), ...buildBuyers("test", test_)]);
    const result = await readResult(id);
    expect(result).toMatchObject({ reason });
    for (const name of ["pValue", "isSignificant", "confidenceIntervalDelta", "testStd"]) expect(result).not.toHaveProperty(name);
  });
});

test("a percentile counts events in its window, of units whose window is over if it waits for that", async () => {
  const window = { rollupTimeWindow: "custom", customRollUpStart: 1, customRollUpEnd: 1, waitForCohortWindow: true };
  const late: Buyer = { unit: "late", group: "test", purchases: [{ value: 1_000, afterMs: DAY_MS }] };
  const inWindow = (group: string, more: number) =>
    buildBuyers(group, from(more)).map((one) => ({
      ...one,
      purchases: [{ value: 5_000, afterMs: 1 }, ...one.purchases.map(({ value }) => ({ value, afterMs: DAY_MS }))],
    }));
  const { id, at } = await loaded(percentile(0.5, window), [...inWindow("control", 1), ...inWindow("test", 11)]);
  await pulse.log(id, [late], at + HOUR_MS);
  await pulse.load(id);
  expect(await readResult(id)).toMatchObject({ controlMean: 50.5, testMean: 60.5, testUnits: 100, testEvents: 100 });
});

test("a percentile has sequential and Bayesian answers, and does not count for the bias before the exposure", async () => {
  const buyers = [...buildBuyers("control", from(1)), ...buildBuyers("test", from(11))];
  const given = { sequentialTesting: true, analyticsType: "bayesian", duration: 14 };
  const { id } = await loaded(percentile(0.5), buyers, given);
  const result = await readResult(id);
  expect(result?.sequentialTestingConfidenceIntervalDelta).toBeGreaterThan(result?.confidenceIntervalDelta ?? Number.POSITIVE_INFINITY);
  expect(result?.bayesian?.mean).toBeCloseTo(1000 / 50.5, 9);
  const { healthChecks } = (await server.client.getExperiment({ path: { id } })).data;
  const statuses = Object.fromEntries(healthChecks.map(({ type, status }) => [type, status]));
  expect(statuses).toMatchObject({ has_event_metrics: "PASSED" });
  expect(statuses).not.toHaveProperty("pre_experimental_bias_check");
});

describe("a percentile monitors", () => {
  const checked = (passed: boolean, ruleID: string, first: number): Checked[] =>
    from(first).map(([value = 0], index) => ({ unit: `${passed} ${index}`, passed, ruleID, value }));
  const served = (kind: "feature_gates", id: string) =>
    waitFor(async () => {
      const { body } = await server.send("GET", "/v1/download_config_specs");
      expect(body[kind].map((spec: { name: string }) => spec.name)).toContain(id);
    });
  const compared = { controlMean: 50.5, testMean: 60.5, percentile: 0.5, pValue: expect.closeTo(0.17101343, 7) };

  test("a gate's rule", async () => {
    const { name, type } = await pulse.metric("monitors a gate", percentile(0.5));
    const rules = [{ id: "half", name: "half", passPercentage: 50, conditions: [] }];
    const { id } = (await server.client.createGate({ body: { name: "slower", rules, monitoringMetrics: [{ name, type }] } })).data;
    await served("feature_gates", id);
    await pulse.logChecks(id, [...checked(true, "half", 11), ...checked(false, "half", 1)]);
    await server.client.startGatePulseLoad({ path: { id }, body: { ruleId: "half" } });
    await pulse.run();
    const { data } = await server.client.getGatePulseResults({ path: { id, ruleID: "half" } });
    expect(data.monitoringMetrics).toMatchObject([compared]);
  });

  test("a holdout", async () => {
    const { name, type } = await pulse.metric("monitors a holdout", percentile(0.5));
    const body = { name: "held", passPercentage: 5, monitoringMetrics: [{ name, type }] };
    const { id } = (await server.client.createHoldout({ body })).data;
    await served("feature_gates", id);
    // Units that pass are held out.
    await pulse.logChecks(id, [...checked(true, `${id}:5.00:1`, 1), ...checked(false, `${id}:5.00:1`, 11)]);
    await server.client.startHoldoutPulseLoad({ path: { id } });
    await pulse.run();
    const { data } = await server.client.getHoldoutPulseResults({ path: { id } });
    expect(data.monitoringMetrics).toMatchObject([compared]);
  });
});
