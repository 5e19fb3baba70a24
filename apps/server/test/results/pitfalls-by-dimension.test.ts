import { afterAll, beforeAll, expect, test } from "vitest";
import { buying, type Divided, dividedOn } from "../support/divided.ts";
import { type Buyer, DAY_MS, HOUR_MS, pulseOn } from "../support/pulse.ts";
import { startServer, type TestServer } from "../support/server.ts";

// Pitfalls of experiment statistics, and the behavior here: the same as in pitfalls.test.ts, for each value of a field.

let server: TestServer;
let pulse: ReturnType<typeof pulseOn>;
let divided: Divided;
beforeAll(async () => {
  server = await startServer();
  pulse = pulseOn(server);
  divided = await dividedOn(server);
});
afterAll(() => server.close());

const unit = (group: string, name: string, fields: object): Buyer => ({
  unit: name,
  group,
  purchases: [{ value: 1, afterMs: 60_000 }],
  fields,
});

test("pitfall: units in two groups are counted in both, or disappear silently", async () => {
  const both = [unit("control", "in both", { country: "NO" }), unit("test", "in both", { country: "NO" })];
  const id = await divided.loaded("in two groups", [
    ...both,
    ...buying("control", [1, 3], { country: "NO" }),
    ...buying("test", [2, 6], { country: "NO" }),
  ]);
  const { dimensionResults } = await divided.readResult(id, { dimension: "country" });
  expect(dimensionResults.map(({ metric }) => [metric.controlUnits, metric.testUnits])).toEqual([[2, 2]]);
});

test("pitfall: users are the sum of daily users", async () => {
  const id = await divided.loaded("travellers", [
    unit("control", "traveller", { country: "NO" }),
    unit("control", "other", { country: "CH" }),
  ]);
  server.clock.now += DAY_MS;
  await pulse.log(id, [unit("control", "traveller", { country: "CH" })], server.clock.now);
  server.clock.now += HOUR_MS;
  await pulse.load(id);
  const { dimensionResults, matchesLoad } = await divided.readResult(id, { dimension: "country" });
  expect(dimensionResults.map(({ dimension_value, metric }) => [dimension_value, metric.controlUnits, metric.controlTotal])).toEqual([
    ["CH", 1, 1],
    ["NO", 1, 2],
  ]);
  expect(matchesLoad).toBe(true);
});

test("pitfall: the interval is of 95% although 90% was chosen, and a significant one holds 0", async () => {
  const shifted = (by: number) => [1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6].map((value) => value + by);
  const countries = ["NO", "CH"].flatMap((country) => [
    ...buying("control", shifted(0), { country }),
    ...buying("test", shifted(country === "NO" ? 1.3 : 4), { country }),
  ]);
  const id = await divided.loaded("one alpha", countries);
  const { dimensionResults } = await divided.readResult(id, { dimension: "country", confidence: 90 });
  const seen = dimensionResults.map(({ dimension_value, metric }) => {
    const { isSignificant, confidenceIntervalDelta = 0, absoluteChange = 0, pValue = 1, alpha = 0 } = metric;
    return [dimension_value, isSignificant, confidenceIntervalDelta < Math.abs(absoluteChange), pValue <= alpha];
  });
  expect(seen).toEqual([
    ["CH", true, true, true],
    ["NO", false, false, false],
  ]);
});
