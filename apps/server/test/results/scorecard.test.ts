import { afterAll, beforeAll, expect, test } from "vitest";
import { guardrailChecks } from "../../src/jobs/guardrail-checks.ts";
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

/** A started experiment whose groups have bought, and a day has gone by. */
async function run(name: string, testMean: number, given: object = {}): Promise<string> {
  const start = server.clock.now;
  const id = await pulse.experiment(name, { primaryMetrics: [{ name: "Revenue", type: "sum" }], duration: 2, ...given });
  server.clock.now = start + DAY_MS;
  await pulse.log(id, [...buildUnits("control", 10), ...buildUnits("test", testMean)], start);
  await pulse.load(id);
  return id;
}

test("an experiment keeps running until its planned end, and is shipped then if it is better", async () => {
  const id = await run("better", 11);
  const early = await pulse.results(id);
  expect(early).toMatchObject({ updates: 1, scorecard: { recommendation: "keepRunning", reasons: [{ code: "plannedEndAhead" }] } });
  server.clock.now += DAY_MS;
  await pulse.load(id);
  const { updates, scorecard } = await pulse.results(id, { confidence: 99.9999 });
  expect(updates).toBe(2);
  // The choice of the query changes its own numbers alone.
  expect(scorecard).toEqual({
    recommendation: "ship",
    reasons: [
      { code: "metricBetter", supports: "ship", metricID: "Revenue::sum", message: "Revenue is better." },
      { code: "plannedEndReached", message: "The planned end was on Nov 23, 2025." },
    ],
  });
  // The other way round, the group is worse.
  expect((await pulse.results(id, { control: "test", test: "control" })).scorecard?.recommendation).toBe("dontShip");
});

test("an open alert and an exceeded margin are reasons against shipping", async () => {
  const id = await run("harmful", 7, {
    primaryMetrics: [
      { name: "Revenue", type: "sum", testType: "non_inferiority", nonInferiorityMargin: 2, guardrail: { maxHarmPercent: 1 } },
    ],
    sequentialTesting: true,
  });
  await guardrailChecks.run(pulse.env());
  const { scorecard } = await pulse.results(id);
  expect(scorecard?.recommendation).toBe("dontShip");
  expect(scorecard?.reasons.map(({ code }) => code)).toEqual(["guardrailAlert", "marginExceeded", "plannedEndAhead"]);
  expect((await pulse.results(id, { control: "test", test: "control" })).scorecard?.reasons.map(({ code }) => code)).toEqual([
    ...["marginKept", "plannedEndAhead"],
  ]);
});

test("an experiment that has not started has no scorecard", async () => {
  const groups = ["control", "test"].map((id) => ({ id, name: id, size: 50 }));
  const { data } = await server.client.createExperiment({ body: { name: "waiting", groups } });
  const results = await pulse.results(data.id);
  expect([results.scorecard, results.updates]).toEqual([undefined, undefined]);
});
