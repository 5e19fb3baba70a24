import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DAY_MS, HOUR_MS, pulseOn } from "../support/pulse.ts";
import { startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
let pulse: ReturnType<typeof pulseOn>;
beforeAll(async () => {
  server = await startServer();
  pulse = pulseOn(server);
});
afterAll(() => server.close());

/** An event of a unit, and its delay after the exposure. */
type Doing = [eventName: string, afterMs: number];

const USUAL: Record<string, Doing[]> = {
  "control 0": [
    ["view", HOUR_MS],
    ["buy", 2 * HOUR_MS],
  ],
  "control 1": [
    ["view", HOUR_MS],
    ["order", 2 * DAY_MS],
  ],
  "control 2": [
    ["buy", HOUR_MS],
    ["view", 2 * HOUR_MS],
  ],
  "control 3": [["buy", HOUR_MS]],
  "test 0": [
    ["view", HOUR_MS],
    ["buy", 2 * HOUR_MS],
  ],
  "test 1": [
    ["view", HOUR_MS],
    ["view", 3 * DAY_MS],
    ["buy", 3 * DAY_MS + HOUR_MS],
  ],
  "test 2": [["view", HOUR_MS]],
};

/** Runs an experiment of five days on a metric, and returns the findings of its load. */
async function runExperiment(metric: { name: string; type: string; [field: string]: unknown }) {
  await pulse.metric(metric.name, metric);
  const id = await pulse.experiment(`About ${metric.name}`, { primaryMetrics: [{ name: metric.name, type: metric.type }] });
  const time = server.clock.now + HOUR_MS;
  const units = Object.keys(USUAL).map((unit) => ({ unit: `${metric.name} ${unit}`, group: unit.split(" ")[0] ?? "" }));
  server.clock.now = time + 5 * DAY_MS;
  await pulse.log(
    id,
    units.map((one) => ({ ...one, purchases: [] })),
    time,
  );
  const events = Object.entries(USUAL).flatMap(([unit, doings]) =>
    doings.map(([eventName, afterMs]) => ({ eventName, user: { userID: `${metric.name} ${unit}` }, time: time + afterMs })),
  );
  await server.evaluation.logEvent({ body: { events } });
  expect(await pulse.load(id)).toMatchObject({ finishedState: "success" });
  return (await pulse.results(id)).primaryMetrics[0];
}

describe("a load computes", () => {
  test("a funnel: the share of units starting it that complete its steps in order", async () => {
    await pulse.metric("Buyers", { type: "event_user", metricEvents: [{ name: "buy" }, { name: "order" }] });
    const funnelEventList = [
      { name: "view", type: "event_dau" },
      { name: "Buyers", type: "event_user" },
    ];
    const given = { name: "Checkout", type: "funnel", metricEvents: [], funnelEventList };
    expect(await runExperiment(given)).toMatchObject({
      ...{ controlTotal: 2, controlDenominator: 3, controlUnits: 3, controlMean: expect.closeTo(2 / 3, 12) },
      ...{ testTotal: 2, testDenominator: 3, testUnits: 3, testMean: expect.closeTo(2 / 3, 12) },
    });
  });

  test("a funnel of events: how often it is completed, of the times that it is begun", async () => {
    await pulse.metric("Purchases", { type: "event_count_custom", metricEvents: [{ name: "buy" }, { name: "order" }] });
    const funnelEventList = [
      { name: "view", type: "event_count" },
      { name: "Purchases", type: "event_count_custom" },
    ];
    const often = { name: "Checkouts begun", type: "funnel", metricEvents: [], funnelEventList, funnelCountDistinct: "events" };
    expect(await runExperiment(often)).toMatchObject({ controlTotal: 2, controlDenominator: 3, testTotal: 3, testDenominator: 4 });
  });

  test("a funnel with a limit of time, of all exposed units", async () => {
    const warehouseNative = {
      ...{ aggregation: "funnel", funnelStartCriteria: "exposure", funnelCalculationWindow: 1 },
      funnelEvents: [{ name: "view" }, { name: "order" }],
    };
    const result = await runExperiment({ name: "Orders at once", type: "user_warehouse", metricEvents: [], warehouseNative });
    expect(result).toMatchObject({ controlTotal: 0, controlUnits: 4, testTotal: 0, testUnits: 3 });
    expect(result).not.toHaveProperty("controlDenominator");
  });

  test("the share of days with an event, of the days since the first exposure", async () => {
    const metricEvents = [{ name: "view" }];
    const given = { name: "Viewing", type: "event_user", metricEvents, rollupTimeWindow: "daily_participation_rate" };
    expect(await runExperiment(given)).toMatchObject({
      ...{ controlTotal: 3, controlDenominator: 4 * 5, controlMean: expect.closeTo(3 / 20, 12) },
      ...{ testTotal: 4, testDenominator: 3 * 5, testMean: expect.closeTo(4 / 15, 12) },
    });
  });

  test("retention: the share of units that come back, once their time to return is over", async () => {
    const warehouseNative = { aggregation: "retention", retentionEnd: 3, retentionLength: 2 };
    const given = { name: "Viewers that return", type: "user_warehouse", metricEvents: [{ name: "view" }], warehouseNative };
    expect(await runExperiment(given)).toMatchObject({ controlTotal: 0, controlDenominator: 3, testTotal: 1, testDenominator: 3 });
  });

  test("a ratio of two aggregations", async () => {
    const warehouseNative = { aggregation: "ratio", numeratorAggregation: "count", denominatorAggregation: "count" };
    const metricEvents = [{ name: "buy" }, { name: "view" }];
    const given = { name: "Purchases per view", type: "user_warehouse", metricEvents, warehouseNative };
    // Units without a view do not count.
    expect(await runExperiment(given)).toMatchObject({ controlTotal: 2, controlDenominator: 3, testTotal: 2, testDenominator: 4 });
  });
});
