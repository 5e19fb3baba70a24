import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { claimLoad } from "../../src/console/results/load-queue-store.ts";
import { runLoad } from "../../src/jobs/loads/run-load.ts";
import { LEASE_MS } from "../../src/jobs/while-leased.ts";
import { type Buyer, type Checked, DAY_MS, HOUR_MS, pulseOn } from "../support/pulse.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { waitFor } from "../support/wait-for.ts";

let server: TestServer;
let pulse: ReturnType<typeof pulseOn>;
/** A midnight in UTC. */
let start: number;
beforeAll(async () => {
  server = await startServer();
  start = Math.ceil(server.clock.now / DAY_MS) * DAY_MS;
  server.clock.now = start;
  pulse = pulseOn(server);
  await pulse.metric("Revenue");
  await pulse.metric("Buyers", { type: "event_user", metricEvents: [{ name: "buy" }] });
  await pulse.metric("Price", { type: "mean" });
  await pulse.metric("First day", { rollupTimeWindow: "custom", customRollUpStart: 0, customRollUpEnd: 0 });
  await pulse.metric("Balance", { type: "user_warehouse", warehouseNative: { aggregation: "latest_value" } });
  await pulse.metric("Bounded", { type: "user_warehouse", warehouseNative: { aggregation: "sum", winsorizationHigh: 0.99 } });
});
afterAll(() => server.close());

const day = (number: number) => new Date(start + (number - 1) * DAY_MS).toISOString().slice(0, 10);
const named = (name: string, type = "sum") => ({ name, type });

/** Units that buy for so much: the first two of a group on the first day, the others on the second. */
const buildUnits = (group: string, values: number[]): Buyer[] =>
  values.map((value, index) => ({
    unit: `${group} ${index}`,
    group,
    purchases: [{ value, afterMs: index < 2 ? HOUR_MS : DAY_MS + HOUR_MS }],
  }));

/** Makes an experiment whose units are exposed at its start. Two days go by. */
async function makeExperiment(name: string, given: object = {}): Promise<string> {
  const since = server.clock.now;
  const id = await pulse.experiment(name, { allocation: 50, primaryMetrics: [named("Revenue")], ...given });
  server.clock.now = since + 2 * DAY_MS;
  await pulse.log(id, [...buildUnits("control", [1, 2, 3, 4]), ...buildUnits("test", [3, 4, 5, 6])], since);
  return id;
}

const WITHOUT_CUPED = { cuped: false };

describe("the impact on the whole metric", () => {
  let id: string;
  beforeAll(async () => {
    const secondaryMetrics = [named("Buyers", "event_user"), named("Price", "mean"), named("First day")];
    id = await makeExperiment("known impact", {
      secondaryMetrics,
      otherMetrics: [named("Balance", "user_warehouse"), named("Bounded", "user_warehouse")],
    });
    const bought = (userID: string, value: number, time: number) => ({ eventName: "buy", user: { userID }, value, time });
    const events = [
      // None of these users was exposed. Events before the start and after the end do not count.
      bought("a stranger", 100, start - 1),
      bought("a stranger", 20, start),
      bought("a stranger", 22, start + 2 * DAY_MS - 1),
      { eventName: "buy", value: -2, time: start + 1, user: { userID: "", customIDs: { companyID: "acme" } } },
      { eventName: "buy", value: "much", time: start + 1, user: { userID: "a stranger" } },
      { eventName: "refund", value: 1_000, time: start + 1, user: { userID: "a stranger" } },
    ];
    await server.evaluation.logEvent({ body: { events } });
    await pulse.load(id);
  });

  // The means are 2.5 and 4.5, so four units of the test group add 2 · 4 = 8 in two days. All events sum up to 10 + 18 + 20 + 22 − 2 = 68, which
  // would be 60 without the test. Half of the units take part, and half of the participants have the test. By Welch: both variances are 5/3, so
  // the standard error is √(5/6) = 0.912871, with 6 degrees of freedom, and t = 2.446912. The half width is 2.233715, of the sum 8.934860.
  test("is the difference times the test's units per day, relative to the metric without it, and projected to all units", async () => {
    const [revenue] = (await pulse.results(id, WITHOUT_CUPED)).primaryMetrics;
    expect(revenue).toMatchObject({
      absoluteChange: 2,
      absoluteToplineImpact: 4,
      absoluteToplineImpactDelta: expect.closeTo(4.46743, 5),
      relativeToplineImpact: expect.closeTo(13.333333, 5),
      relativeToplineImpactDelta: expect.closeTo(14.891431, 5),
      projectedAbsoluteToplineImpact: 16,
      projectedAbsoluteToplineImpactDelta: expect.closeTo(17.86972, 5),
      projectedRelativeToplineImpact: expect.closeTo(53.333333, 5),
      projectedRelativeToplineImpactDelta: expect.closeTo(59.565725, 5),
      topline: { days: 2, total: 68, share: 0.25 },
    });
    expect(revenue?.topline).not.toHaveProperty("reason");
  });

  // On the first day the units' values are 1, 2, 0, 0 and 3, 4, 0, 0: means of 0.75 and 1.75. All events sum up to 3 + 7 + 20 − 2 = 28.
  test("is that of the days up to the one that is asked for", async () => {
    const [revenue] = (await pulse.results(id, { ...WITHOUT_CUPED, date: day(1) })).primaryMetrics;
    expect(revenue).toMatchObject({
      absoluteToplineImpact: 4,
      relativeToplineImpact: expect.closeTo((100 * 4) / 24, 9),
      projectedAbsoluteToplineImpact: 16,
      topline: { days: 1, total: 28, share: 0.25 },
    });
  });

  // In the first hour, the means are 1.5 and 3.5 of two units each: 2 · 2 = 4.
  test("is that of a whole day while less has gone by", async () => {
    const since = server.clock.now;
    const early = await pulse.experiment("early impact", { allocation: 50, primaryMetrics: [named("Revenue")] });
    server.clock.now = since + 2 * HOUR_MS;
    await pulse.log(early, [...buildUnits("control", [1, 2]), ...buildUnits("test", [3, 4])], since);
    await pulse.load(early);
    const [revenue] = (await pulse.results(early, WITHOUT_CUPED)).primaryMetrics;
    expect(revenue).toMatchObject({ absoluteToplineImpact: 4, projectedAbsoluteToplineImpact: 16, topline: { days: 1, share: 0.25 } });
  });

  test("has the interval that decides: before the planned end the sequential one", async () => {
    const sequential = await makeExperiment("sequential impact", { sequentialTesting: true, duration: 30 });
    await pulse.load(sequential);
    const [revenue] = (await pulse.results(sequential, WITHOUT_CUPED)).primaryMetrics;
    expect(revenue?.absoluteToplineImpactDelta).toBeCloseTo(((revenue?.sequentialTestingConfidenceIntervalDelta ?? 0) * 4) / 2, 9);
  });

  test("has no relative impact for metrics that are not sums, and no impact at all for others that do not add up", async () => {
    const { secondaryMetrics, otherMetrics } = await pulse.results(id, WITHOUT_CUPED);
    const [buyers, price, firstDay] = secondaryMetrics;
    const [balance, bounded] = otherMetrics;
    // All eight units buy, so chance and effect cannot be told apart.
    expect(buyers).not.toHaveProperty("topline");
    const none = { days: 2, reason: "The values of its units do not add up to a sum." };
    for (const metric of [price, balance]) {
      expect(metric).toMatchObject({ absoluteChange: expect.any(Number), topline: none });
      expect(metric).not.toHaveProperty("absoluteToplineImpact");
    }
    const unrelated = { days: 2, share: 0.25, reason: "The total for all users is not known, so there is no percentage." };
    // Within the first 24 hours of each unit: the means of the first day, 0.75 and 1.75. So 1 · 4 in two days.
    expect(firstDay).toMatchObject({ absoluteToplineImpact: 2, projectedAbsoluteToplineImpact: 8, topline: unrelated });
    expect(bounded).toMatchObject({ absoluteToplineImpact: expect.any(Number), topline: unrelated });
    for (const metric of [firstDay, bounded]) expect(metric).not.toHaveProperty("relativeToplineImpact");
  });

  test("is not projected if no unit is to have the group", async () => {
    const closed = await makeExperiment("closed", { allocation: 0 });
    await pulse.load(closed);
    const [revenue] = (await pulse.results(closed, WITHOUT_CUPED)).primaryMetrics;
    expect(revenue).toMatchObject({ absoluteToplineImpact: 4, topline: { days: 2, reason: "No unit is to have the test group." } });
    expect(revenue).not.toHaveProperty("projectedAbsoluteToplineImpact");
  });

  test("is relative to nothing if the whole cannot be summed, which hurts no metric", async () => {
    const failing = await makeExperiment("without totals");
    const { dagID } = (await server.client.startExperimentPulseLoad({ path: { id: failing }, body: {} })).data;
    const load = await claimLoad(server.database.db, { runner: "failing", now: server.clock.now, leaseMs: LEASE_MS });
    if (!load) throw new Error("There is no load.");
    const database = {
      ...server.database,
      // Stored days can't be used, so all events are read.
      get eventsAtOnce(): number {
        throw new Error("not to be used");
      },
      analyse: <Row>(text: string, ...rest: [unknown[], Parameters<typeof server.database.analyse>[2]]) =>
        server.database.analyse<Row>(text.includes("exposure") ? text : `${text} limit 'none'::int`, ...rest),
    };
    await runLoad({ ...pulse.env(), database }, load, 10_000);
    expect((await server.client.getExperimentPulseLoad({ path: { id: failing, dagID } })).data).toMatchObject({
      finishedState: "success",
      jobs: [{ jobType: "metrics" }],
    });
    const [revenue] = (await pulse.results(failing, WITHOUT_CUPED)).primaryMetrics;
    expect(revenue).toMatchObject({
      absoluteToplineImpact: 4,
      topline: { reason: "The total for all users is not known, so there is no percentage." },
    });
  });
});

/** Makes the means of passing and failing units 6 and 2, in as many days as go by. */
const CHECKED: Checked[] = [
  { unit: "p1", passed: true, value: 5 },
  { unit: "p2", passed: true, value: 7 },
  { unit: "f1", passed: false, value: 1 },
  { unit: "f2", passed: false, value: 3 },
  { unit: "f3", passed: false, value: 2 },
];

/** Logs the units' checks, an hour before the end of a period of two days. */
async function logWithin(id: string, since: number, ruleID: string): Promise<void> {
  await waitFor(async () => {
    const { body } = await server.send("GET", "/v1/download_config_specs");
    expect(body.feature_gates.map((spec: { name: string }) => spec.name)).toContain(id);
  });
  server.clock.now = since + 2 * DAY_MS - HOUR_MS;
  await pulse.logChecks(
    id,
    CHECKED.map((one) => ({ ...one, ruleID })),
  );
}

describe("the impact of a gate's rule and of a holdout", () => {
  // Two units pass and buy for 6 instead of 2: 8 in two days. All events sum up to 18, so 10 without the rule.
  test("is projected by the pass percentage of the rule", async () => {
    const since = server.clock.now;
    const rules = [{ id: "half", name: "half", passPercentage: 40, conditions: [] }];
    const { id } = (await server.client.createGate({ body: { name: "by rule", rules, monitoringMetrics: [named("Revenue")] } })).data;
    await logWithin(id, since, "half");
    await server.client.startGatePulseLoad({ path: { id }, body: { ruleId: "half" } });
    await pulse.run();
    const { monitoringMetrics } = (await server.client.getGatePulseResults({ path: { id, ruleID: "half" }, query: WITHOUT_CUPED })).data;
    expect(monitoringMetrics).toMatchObject([
      {
        ...{
          absoluteToplineImpact: 4,
          relativeToplineImpact: expect.closeTo(80, 9),
          projectedAbsoluteToplineImpact: expect.closeTo(10, 9),
        },
        topline: { days: 2, total: 18, share: 0.4 },
      },
    ]);
  });

  // Units that are held out, the control, buy for 6, and the three others for 2: 3 · −4 = −12 in two days.
  test("is projected by the units that are not held out", async () => {
    const since = server.clock.now;
    const body = { name: "held", passPercentage: 4, monitoringMetrics: [named("Revenue")] };
    const { id } = (await server.client.createHoldout({ body })).data;
    await logWithin(id, since, `${id}:4.00:1`);
    await server.client.startHoldoutPulseLoad({ path: { id } });
    await pulse.run();
    const { monitoringMetrics } = (await server.client.getHoldoutPulseResults({ path: { id }, query: WITHOUT_CUPED })).data;
    expect(monitoringMetrics).toMatchObject([
      {
        ...{
          absoluteToplineImpact: -6,
          relativeToplineImpact: expect.closeTo(-40, 9),
          projectedAbsoluteToplineImpact: expect.closeTo(-6.25, 9),
        },
        topline: { days: 2, total: 18, share: 0.96 },
      },
    ]);
  });
});
