import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Buyer, DAY_MS, HOUR_MS, pulseOn } from "../support/pulse.ts";
import { startServer, type TestServer } from "../support/server.ts";

// Pitfalls of experiment statistics, and the behavior here.

let server: TestServer;
let pulse: ReturnType<typeof pulseOn>;
beforeAll(async () => {
  server = await startServer();
  pulse = pulseOn(server);
});
afterAll(() => server.close());

let made = 0;

type Given = { metrics: Record<string, object>; buyers: Buyer[]; experiment?: object; days?: number };

/** The results of an experiment whose units are exposed in its first hour, after some days. */
async function runExperiment({ metrics, buyers, experiment = {}, days = 5 }: Given, query: object = {}) {
  const { id, at } = await begun({ metrics, experiment });
  server.clock.now = at + days * DAY_MS;
  await pulse.log(id, buyers, at);
  await pulse.load(id);
  const { primaryMetrics, ds } = await pulse.results(id, query);
  return { id, at, ds, metrics: primaryMetrics, metric: primaryMetrics[0] };
}

/** An experiment and the metrics that it names. `at` is a time when it runs. */
async function begun({ metrics, experiment = {} }: Pick<Given, "metrics" | "experiment">) {
  made++;
  const primaryMetrics: { name: string; type: string }[] = [];
  for (const [name, given] of Object.entries(metrics)) {
    const { type } = await pulse.metric(`${name} ${made}`, given);
    primaryMetrics.push({ name: `${name} ${made}`, type });
  }
  const id = await pulse.experiment(`pitfall ${made}`, { primaryMetrics, ...experiment });
  return { id, at: server.clock.now + HOUR_MS };
}

const unit = (group: string, name: string | number, ...purchases: [value: number, afterMs?: number][]): Buyer => ({
  ...{ unit: `${group} ${name}`, group },
  purchases: purchases.map(([value, afterMs = 1_000]) => ({ value, afterMs })),
});
/** Units of both groups that buy for these values, each once. Units with 0 don't buy. */
const repeat = (values: number[]): number[] => Array(4).fill(values).flat();
const buying = (control: number[], test: number[]): Buyer[] => [
  ...control.map((value, index) => unit("control", index, ...(value === 0 ? [] : [[value] as [number]]))),
  ...test.map((value, index) => unit("test", index, ...(value === 0 ? [] : [[value] as [number]]))),
];

describe("who counts", () => {
  test("pitfall: units in two groups are counted in both, or disappear silently", async () => {
    const both = [unit("control", "x", [1_000]), { ...unit("test", "x", [1_000]), unit: "control x" }];
    const { id, metric } = await runExperiment({ metrics: { revenue: {} }, buyers: [...both, ...buying([1, 2], [3, 5])] });
    expect(metric).toMatchObject({ controlUnits: 2, testUnits: 2, controlMean: 1.5, testMean: 4 });
    const { healthChecks } = (await server.client.getExperiment({ path: { id } })).data;
    const crossover = healthChecks.find(({ type }) => type === "has_crossover");
    expect(crossover).toMatchObject({
      ...{ status: "FAILED", metadata: { crossoverPercent: 20 } },
      description: "20% of the units saw two groups or more. They are left out of the results.",
    });
  });

  test("pitfall: leaving such units out favours a group when the groups differ in size, and nothing says so", async () => {
    const groups = [
      { id: "control", name: "control", size: 90 },
      { id: "test", name: "test", size: 10 },
    ];
    const both = [unit("control", "x"), { ...unit("test", "x"), unit: "control x" }];
    const control = Array.from({ length: 17 }, (_, index) => unit("control", index));
    const { id } = await runExperiment({
      metrics: { revenue: {} },
      experiment: { groups },
      buyers: [...both, ...control, unit("test", 1)],
    });
    const { healthChecks } = (await server.client.getExperiment({ path: { id } })).data;
    const shares = healthChecks.find(({ type }) => type === "has_crossover")?.metadata?.groups;
    expect(shares?.map(({ groupID, crossoverPercent }) => [groupID, crossoverPercent])).toEqual([
      ["control", 100 / 18],
      ["test", 50],
    ]);
  });

  test("pitfall: groups outside the experiment and empty ones get into the results", async () => {
    const strangers = Array.from({ length: 3 }, (_, index) => unit("elsewhere", index, [1_000]));
    const { metric } = await runExperiment({ metrics: { revenue: {} }, buyers: [...strangers, ...buying([1, 2], [])] });
    expect(metric).toMatchObject({ controlUnits: 2, testUnits: 0, controlMean: 1.5, reason: "The test group has no units yet." });
    expect(metric).not.toHaveProperty("testMean");
  });

  test("pitfall: the sizes of groups are compared with equal ones although the experiment divides 95 to 5", async () => {
    const groups = [
      { id: "control", name: "control", size: 95 },
      { id: "test", name: "test", size: 5 },
    ];
    const control = Array.from({ length: 95 }, (_, index) => unit("control", index));
    const five = Array.from({ length: 5 }, (_, index) => unit("test", index));
    const { id } = await runExperiment({ metrics: { revenue: {} }, experiment: { groups, allocation: 40 }, buyers: [...control, ...five] });
    const { healthChecks } = (await server.client.getExperiment({ path: { id } })).data;
    expect(healthChecks.find(({ type }) => type === "has_balanced_exposures")).toMatchObject({
      status: "PASSED",
      metadata: { chiSquare: 0, pValue: 1 },
    });
  });

  test("pitfall: users are the sum of daily users", async () => {
    const daily = unit("control", "daily", [1], [1, DAY_MS], [1, 2 * DAY_MS]);
    const buyers = { type: "event_user", metricEvents: [{ name: "buy" }] };
    const { metric } = await runExperiment({
      metrics: { buyers },
      buyers: [daily, unit("control", "never"), unit("test", 1), unit("test", 2)],
    });
    expect(metric).toMatchObject({ controlTotal: 1, controlMean: 0.5 });
  });
});

describe("events that count", () => {
  test("pitfall: a conversion window begins with the last exposure here and with the first one there", async () => {
    const week = { rollupTimeWindow: "custom", customRollUpStart: 0, customRollUpEnd: 0 };
    const { id, at } = await begun({ metrics: { revenue: week } });
    const seen = { ...unit("control", 1, [10, HOUR_MS], [100, 2 * DAY_MS + HOUR_MS]) };
    server.clock.now = at + 4 * DAY_MS;
    await pulse.log(id, [seen, unit("control", 2), unit("test", 1), unit("test", 2)], at);
    // A second exposure, after which the second purchase would be within a day.
    await pulse.log(id, [unit("control", 1)], at + 2 * DAY_MS);
    await pulse.load(id);
    expect((await pulse.results(id)).primaryMetrics[0]).toMatchObject({ controlTotal: 10 });
  });

  test("pitfall: units whose window is not over dilute early results", async () => {
    const window = { rollupTimeWindow: "custom", customRollUpStart: 0, customRollUpEnd: 1, waitForCohortWindow: true };
    const metric = { type: "user_warehouse", warehouseNative: { aggregation: "sum", ...window } };
    const { id, at } = await begun({ metrics: { revenue: metric } });
    server.clock.now = at + 3 * DAY_MS;
    await pulse.log(id, buying([4, 6], [5, 7]), at);
    await pulse.log(id, [unit("control", "late", [1])], at + 2 * DAY_MS);
    await pulse.load(id);
    expect((await pulse.results(id)).primaryMetrics[0]).toMatchObject({ controlUnits: 2, controlMean: 5, testMean: 6 });
  });

  test("pitfall: days are off by one, since one part counts in local time and another in UTC", async () => {
    const { id, at } = await begun({ metrics: { revenue: {} } });
    const midnight = Math.ceil(at / DAY_MS) * DAY_MS;
    const [before, after] = [midnight - 1 - at, midnight - at];
    server.clock.now = midnight + DAY_MS;
    await pulse.log(id, [unit("control", 1, [1, before], [10, after]), unit("control", 2), unit("test", 1), unit("test", 2)], at);
    await pulse.load(id);
    const days = [midnight - 1, midnight].map((time) => new Date(time).toISOString().slice(0, 10));
    const { primaryMetrics, ds } = await pulse.results(id, { series: true });
    expect(ds).toBe(days[1]);
    expect(primaryMetrics[0]?.series?.map(({ date, controlMean }) => [date, controlMean])).toEqual([
      [days[0], 0.5],
      [days[1], 5.5],
    ]);
  });
});

describe("the numbers in results", () => {
  test("pitfall: units without events are left out of the sums but counted in n, and variances become negative", async () => {
    const { metric } = await runExperiment({ metrics: { revenue: {} }, buyers: buying([6, 0, 0], [9, 0, 0]) });
    // Of 6, 0 and 0 the mean is 2, the sample variance 12, and the standard error √(12/3).
    expect(metric).toMatchObject({ controlUnits: 3, controlMean: 2, controlStd: expect.closeTo(2, 12), testMean: 3 });
  });

  test("pitfall: one engine divides the variance by n, another by n − 1", async () => {
    const { metric } = await runExperiment({ metrics: { revenue: {} }, buyers: buying([1, 3], [2, 6]) });
    // Sample variances of 2 and 8, each of 2 units.
    expect(metric).toMatchObject({ controlStd: expect.closeTo(1, 12), testStd: expect.closeTo(2, 12) });
  });

  test("pitfall: a ratio shows another denominator than the one that it divides by", async () => {
    const buyers = [
      unit("control", 1, [4], [8, 2_000]),
      unit("control", 2, [6]),
      unit("control", 3),
      unit("test", 1, [5]),
      unit("test", 2, [7]),
    ];
    const { metric } = await runExperiment({ metrics: { price: { type: "mean" } }, buyers });
    expect(metric).toMatchObject({
      controlTotal: 18,
      controlDenominator: 3,
      controlMean: 6,
      controlUnits: 2,
      testDenominator: 2,
      testMean: 6,
    });
  });

  test("pitfall: the interval is of 95% although 90% was chosen, and a significant one holds 0", async () => {
    const given = { metrics: { revenue: {} }, buyers: buying([1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6], [3, 4, 5, 5, 6, 7, 2, 3, 4, 5, 6, 8]) };
    const { id, metric: at95 } = await runExperiment(given, { confidence: 95 });
    const at90 = (await pulse.results(id, { confidence: 90 })).primaryMetrics[0];
    const holdsZero = ({ absoluteChange = 0, confidenceIntervalDelta = 0 } = {}) => confidenceIntervalDelta >= Math.abs(absoluteChange);
    expect([at95?.isSignificant, holdsZero(at95)]).toEqual([false, true]);
    expect([at90?.isSignificant, holdsZero(at90)]).toEqual([true, false]);
    expect(at95?.pValue).toBe(at90?.pValue);
  });

  test("pitfall: the relative interval is not divided by the control mean", async () => {
    const { metric } = await runExperiment({ metrics: { revenue: {} }, buyers: buying([10, 12, 14], [20, 22, 30]) });
    const { absoluteChange = 0, percentChange, confidenceIntervalDelta = 0, percentConfidenceIntervalDelta } = metric ?? {};
    expect(absoluteChange).toBeCloseTo(12, 12);
    expect(percentChange).toBeCloseTo(100, 10);
    expect(percentConfidenceIntervalDelta).toBeCloseTo((100 * confidenceIntervalDelta) / 12, 9);
  });

  test("pitfall: CUPED is used, or silently not used, where it does not apply", async () => {
    const { metric } = await runExperiment({ metrics: { revenue: {} }, buyers: buying([1, 2, 3], [2, 3, 4]) }, { cuped: true });
    expect(metric?.cuped).toEqual({
      isUsed: false,
      reason: "The groups have 100 units or fewer in total, or the metric is a ratio and a group has fewer than 100.",
    });
  });

  test("pitfall: a negative mean breaks the engine", async () => {
    const { metric } = await runExperiment({ metrics: { profit: {} }, buyers: buying(repeat([-10, -12, -14]), repeat([-5, -7, -6])) });
    expect(metric).toMatchObject({ controlMean: -12, testMean: -6, percentChange: expect.closeTo(50, 9), isSignificant: true });
  });

  test("pitfall: without variance the chance is 50%, or NaN", async () => {
    const { metric } = await runExperiment({ metrics: { revenue: {} }, buyers: buying([5, 5], [5, 5]) });
    expect(metric).toMatchObject({ controlMean: 5, testMean: 5, reason: "All units have the same value, so chance explains nothing." });
    for (const name of ["pValue", "isSignificant", "confidenceIntervalDelta"]) expect(metric).not.toHaveProperty(name);
  });
});

describe("how results come about", () => {
  test("pitfall: everything waits for the slowest metric, or fails with it", async () => {
    const elsewhere = { unitTypes: ["stableID"] };
    const { id } = await runExperiment({ metrics: { revenue: {}, elsewhere }, buyers: buying([1, 2], [3, 4]) });
    const { data } = await server.client.listExperimentPulseLoads({ path: { id } });
    expect(data[0]?.finishedState).toBe("partial_failure");
    const [revenue, other] = (await pulse.results(id)).primaryMetrics;
    expect(revenue).toMatchObject({ controlMean: 1.5, testMean: 3.5 });
    expect(other?.reason).toMatch(/\.$/);
    expect(other).not.toHaveProperty("controlMean");
  });

  test("pitfall: deleted metrics stay in the results", async () => {
    const { id, at } = await begun({ metrics: { revenue: {} } });
    const { id: extra } = await pulse.metric(`extra ${made}`);
    server.clock.now = at + DAY_MS;
    await pulse.log(id, buying([1, 2], [3, 4]), at);
    await pulse.load(id);
    await pulse.load(id, { refresh: "metric", metricIDs: [extra] });
    const others = async () => (await pulse.results(id)).otherMetrics?.map(({ metricID }) => metricID);
    expect(await others()).toEqual([extra]);
    await server.client.deleteMetric({ path: { id: extra } });
    expect(await others()).toEqual([]);
  });
});
