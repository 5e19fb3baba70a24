import { afterAll, beforeAll, expect, test } from "vitest";
import { type Buyer, DAY_MS, HOUR_MS, pulseOn } from "../support/pulse.ts";
import { startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
let pulse: ReturnType<typeof pulseOn>;
beforeAll(async () => {
  server = await startServer();
  pulse = pulseOn(server);
  await pulse.metric("Revenue");
});
afterAll(() => server.close());

/** 100 units that buy for 2 more or less than a mean, by turns. */
const buildUnits = (group: string, mean: number): Buyer[] =>
  Array.from({ length: 100 }, (_, index) => ({
    unit: `${group} ${index}`,
    group,
    purchases: [{ value: index % 2 === 0 ? mean + 2 : mean - 2, afterMs: HOUR_MS }],
  }));

/** An experiment whose control group has a mean of 10 and whose test group has one of 11. A day goes by, and it is loaded. */
async function load(name: string, given: object, more: Buyer[] = []): Promise<string> {
  const since = server.clock.now;
  const id = await pulse.experiment(name, { primaryMetrics: [{ name: "Revenue", type: "sum" }], ...given });
  server.clock.now = since + DAY_MS;
  await pulse.log(id, [...buildUnits("control", 10), ...buildUnits("test", 11)], since);
  for (const one of more) await pulse.log(id, [one], since);
  await pulse.load(id);
  return id;
}

const readRevenue = async (id: string) => (await pulse.results(id, { cuped: false })).primaryMetrics[0];

// The variance of a unit is 4 · 100/99, so the difference of 1 is Z = 1/√(2 · 4/99) = 3.517812 standard errors.
const Z = Math.sqrt(99 / 8);
/** The normal deviate with the p-value that Student's distribution with 198 degrees of freedom has there, by scipy. */
const DEVIATE = 3.460282403;
const ratio = (theta: number) => DEVIATE * theta - theta ** 2 / 2;

test("an experiment with a sequential probability ratio test is decided by the change that its metric is named with", async () => {
  const primaryMetrics = [{ name: "Revenue", type: "sum", hypothesizedValue: -5 }];
  const id = await load("by hypothesis", { analyticsType: "sprt", primaryMetrics });
  // 5% of 10, in standard deviations: θ = 0.5/√(4 · 100/99) / √(2/100) = Z/2.
  const planned = {
    upper: expect.closeTo(Math.log(0.8 / 0.025), 9),
    lower: expect.closeTo(Math.log(0.2 / 0.975), 9),
    effect: 5,
    power: 0.8,
  };
  expect(await readRevenue(id)).toMatchObject({
    isSignificant: true,
    sprt: { decision: "significant", logLikelihoodRatio: expect.closeTo(ratio(Z / 2), 7), ...planned, baseline: "in_experiment_control" },
  });
  expect(await readRevenue(id)).not.toHaveProperty("confidenceSequence");
});

test("its settings for a metric and a group come before that, and its default comes last", async () => {
  const groupSettings = [{ groupKey: "test", mde: 0.2, mean: 10, stdDev: 4 }];
  const given = { analyticsType: "sprt", sprtBaselineMode: "manual", defaultSPRTPowerParam: 0.9, defaultSPRTMDE: 0.01 };
  const sprtMDESettings = [{ metricKey: "Revenue::sum", groupSettings }];
  const hypothesis = { primaryMetrics: [{ name: "Revenue", type: "sum", hypothesizedValue: 5 }] };
  const set = await load("by settings", { ...given, ...hypothesis, sprtMDESettings });
  // 20% of 10 are half of the standard deviation of 4: θ = 0.5/√(2/100).
  expect((await readRevenue(set))?.sprt).toMatchObject({
    ...{ effect: 20, power: 0.9, baseline: "manual", upper: expect.closeTo(Math.log(0.9 / 0.025), 9) },
    logLikelihoodRatio: expect.closeTo(ratio(0.5 / Math.sqrt(0.02)), 7),
  });
  // 1% of 10 is θ = Z/10: too small an effect to tell so early.
  expect((await readRevenue(await load("by default", given)))?.sprt).toMatchObject({
    ...{ effect: 1, baseline: "in_experiment_control", decision: "open", logLikelihoodRatio: expect.closeTo(ratio(Z / 10), 7) },
  });
});

test("without any effect to look for it says so, and other experiments have no such test", async () => {
  const reason = "Nothing says how large an effect to look for: name the metric with its `hypothesizedValue`.";
  expect(await readRevenue(await load("without hypothesis", { analyticsType: "sprt" }))).toMatchObject({
    isSignificant: true,
    sprt: { reason },
  });
  expect(await readRevenue(await load("frequentist", { analyticsType: "frequentist" }))).not.toHaveProperty("sprt");
});

test("an experiment with sequential testing has a confidence sequence for its planned units beside the sequential interval", async () => {
  const groups = [
    { id: "control", name: "control", size: 20 },
    { id: "test", name: "test", size: 30 },
    { id: "third", name: "third", size: 50 },
  ];
  const id = await load("planned units", { sequentialTesting: true, duration: 14, targetExposures: 1_000, groups });
  const revenue = await readRevenue(id);
  expect(revenue).toMatchObject({
    confidenceSequence: { narrowestUnits: 500 },
    sequentialTestingConfidenceIntervalDelta: expect.any(Number),
  });
  expect(revenue?.confidenceSequence?.confidenceIntervalDelta).toBeGreaterThan(revenue?.confidenceIntervalDelta ?? 0);
  const unplanned = await readRevenue(await load("unplanned units", { sequentialTesting: true }));
  expect(unplanned?.confidenceSequence?.narrowestUnits).toBe(5_000);
});

test("results tell the share of units that saw two groups and are left out", async () => {
  const both = ["control", "test"].map((group): Buyer => ({ unit: "both", group, purchases: [] }));
  expect(await pulse.results(await load("crossed", {}, both))).toMatchObject({
    crossoverPercent: expect.closeTo(100 / 201, 9),
    primaryMetrics: [{ controlUnits: 100, testUnits: 100 }],
  });
  const unloaded = await pulse.experiment("not loaded");
  expect(await pulse.results(unloaded)).not.toHaveProperty("crossoverPercent");
});
