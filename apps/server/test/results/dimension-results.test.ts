import { type Estimate, estimateDifference, testDifference } from "@gatehouse/statistics";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buying, type Divided, dividedOn } from "../support/divided.ts";
import { DAY_MS, HOUR_MS, pulseOn } from "../support/pulse.ts";
import { invalid, refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
let pulse: ReturnType<typeof pulseOn>;
let loaded: Divided["loaded"];
let readResult: Divided["readResult"];
let readExposures: Divided["readExposures"];
beforeAll(async () => {
  server = await startServer();
  pulse = pulseOn(server);
  ({ loaded, readResult, readExposures } = await dividedOn(server));
});
afterAll(() => server.close());

const estimate = (mean: number, variance: number, units: number): Estimate => ({
  ...{ mean, variance, units },
  standardError: Math.sqrt(variance / units),
});

const SWISS = [...buying("control", [10, 12, 14], { country: "CH" }), ...buying("test", [20, 22, 30], { country: "CH" })];
const NORWEGIAN = [...buying("control", [1, 3], { country: "NO" }), ...buying("test", [2, 6], { country: "NO" })];
const NOWHERE = [...buying("control", [5], { locale: "de" }), ...buying("test", [7, 9], {})];

describe("getExperimentPulseMetricResult", () => {
  let id: string;
  beforeAll(async () => {
    id = await loaded("by country", [...SWISS, ...NORWEGIAN, ...NOWHERE]);
  });

  test("compares the groups for each value of a field, and apart for units without it", async () => {
    const { ds, dimensionResults, matchesLoad, reason } = await readResult(id, { dimension: "country" });
    expect([ds, matchesLoad, reason]).toEqual(["2025-11-22", true, undefined]);
    expect(dimensionResults.map(({ metric: _, ...names }) => names)).toEqual([
      { dimension: "country", dimension_value: "CH", kind: "value" },
      { dimension: "country", dimension_value: "NO", kind: "value" },
      { dimension: "country", dimension_value: "", kind: "none" },
    ]);
    const [swiss, norwegian, nowhere] = dimensionResults.map(({ metric }) => metric);
    expect(swiss).toMatchObject({
      ...{ metricID: "Revenue::sum", metricName: "Revenue", directionality: "increase", metricVersion: 1, loadedTime: server.clock.now },
      ...{ controlUnits: 3, testUnits: 3, controlTotal: 36, testTotal: 72, controlMean: 12, testMean: 24 },
      ...{ absoluteChange: 12, percentChange: expect.closeTo(100, 10) },
      ...{ controlStd: expect.closeTo(Math.sqrt(4 / 3), 10), testStd: expect.closeTo(Math.sqrt(28 / 3), 10) },
    });
    expect(norwegian).toMatchObject({ controlUnits: 2, testUnits: 2, controlMean: 2, testMean: 4, controlTotal: 4, testTotal: 8 });
    expect(nowhere).toMatchObject({
      ...{ controlUnits: 1, testUnits: 2, controlTotal: 5, testMean: 8 },
      reason: "The control group has one unit, which has no variance.",
    });
  });

  test("computes p-value, interval and verdict at α divided by the number of values", async () => {
    const { dimensionResults } = await readResult(id, { dimension: "country", confidence: 90, cuped: false });
    const [swiss] = dimensionResults.map(({ metric }) => metric);
    expect(dimensionResults.map(({ metric }) => metric.alpha)).toEqual(Array(3).fill(expect.closeTo(0.1 / 3, 12)));
    const difference = estimateDifference(estimate(12, 4, 3), estimate(24, 28, 3)).value;
    if (!difference) throw new Error("There is no difference.");
    const { p, interval } = testDifference(difference, { confidence: 1 - 0.1 / 3 });
    expect(swiss?.pValue).toBeCloseTo(p, 10);
    expect(swiss?.confidenceIntervalDelta).toBeCloseTo((interval[1] - interval[0]) / 2, 9);
    expect(swiss?.verdict).toMatchObject({ pValue: swiss?.pValue, withheld: "notEnoughUnits", missing: 7 });
  });

  test("begins with the α that the metric has in the results of all units, after the corrections", async () => {
    const query = { applyBonferroniPerMetric: true, bonferroniPrimaryMetricWeight: 0.8 };
    const [whole] = (await pulse.results(id, query)).primaryMetrics;
    expect(whole?.alpha).toBeCloseTo(0.04, 12);
    const { dimensionResults } = await readResult(id, { dimension: "country", ...query });
    expect(dimensionResults[0]?.metric.alpha).toBeCloseTo(0.04 / 3, 12);
  });

  test("returns the same for a value as an experiment with only its units, except for α", async () => {
    const alone = await loaded("Swiss alone", SWISS, { analyticsType: "bayesian" });
    const [whole] = (await pulse.results(alone)).primaryMetrics;
    const { dimensionResults } = await readResult(alone, { dimension: "country" });
    expect(dimensionResults.map(({ metric }) => metric)).toEqual([whole]);
    expect(whole?.bayesian?.chanceToBeat).toBeGreaterThan(0.9);
  });

  test("adds up to the results of all units, ratios too", async () => {
    const [price] = (await pulse.results(id)).secondaryMetrics;
    const { dimensionResults, matchesLoad } = await readResult(id, { metricID: "Price::mean", dimension: "country" });
    const sum = (of: "controlTotal" | "testTotal" | "controlDenominator" | "testDenominator" | "controlUnits" | "testUnits") =>
      dimensionResults.reduce((total, { metric }) => total + (metric[of] ?? Number.NaN), 0);
    for (const name of ["controlTotal", "testTotal", "controlDenominator", "testDenominator", "controlUnits", "testUnits"] as const)
      expect(sum(name)).toBe(price?.[name]);
    expect(matchesLoad).toBe(true);
  });

  test("answers as of the end of a day", async () => {
    const late = await loaded("late buyer", [
      { unit: "early", group: "control", purchases: [{ value: 1, afterMs: 1 }], fields: { country: "NO" } },
      { unit: "late", group: "control", purchases: [{ value: 5, afterMs: 20 * HOUR_MS }], fields: { country: "NO" } },
    ]);
    const start = (await server.client.getExperiment({ path: { id: late } })).data.startTime ?? 0;
    const [first, last] = [start, start + DAY_MS].map((time) => new Date(time).toISOString().slice(0, 10));
    const totalAt = async (date?: string) => {
      const { ds, dimensionResults } = await readResult(late, { dimension: "country", ...(date !== undefined && { date }) });
      return [ds, dimensionResults[0]?.metric.controlTotal];
    };
    expect([await totalAt(first), await totalAt(last), await totalAt()]).toEqual([
      [first, 1],
      [last, 6],
      [last, 6],
    ]);
  });

  test("covers what the metric's last load covers, and says when that no longer adds up", async () => {
    const changing = await loaded("changing", NORWEGIAN);
    const ask = () => readResult(changing, { metricID: "Changing::sum", dimension: "country" });
    server.clock.now += HOUR_MS;
    await pulse.log(changing, buying("control", [1_000], { country: "NO" }, "after the load"), server.clock.now);
    server.clock.now += HOUR_MS;
    const before = await ask();
    expect([before.matchesLoad, before.dimensionResults[0]?.metric.controlTotal]).toEqual([true, 4]);
    await server.client.updateMetric({
      path: { id: "Changing::sum" },
      body: { metricEvents: [{ name: "buy", type: "value", criteria: [{ type: "value", condition: ">", values: ["2"] }] }] },
    });
    const { matchesLoad, dimensionResults } = await ask();
    expect(matchesLoad).toBe(false);
    expect(dimensionResults[0]?.metric).toMatchObject({ metricVersion: 2, controlTotal: 3 });
  });

  test("puts values beyond the 20 with the most units together, which no value of a user can imitate", async () => {
    const values = Array.from({ length: 23 }, (_, index) => `value ${index}`);
    const more = ["", "others", "none"];
    const buyers = [...values.slice(0, 20), ...more].flatMap((plan) => {
      const count = more.includes(plan) ? 4 : 2;
      return [
        ...buying("control", Array(count).fill(1), { custom: { plan } }),
        ...buying("test", Array(count).fill(2), { custom: { plan } }),
      ];
    });
    const many = await loaded("many values", buyers);
    const { dimensionResults, matchesLoad } = await readResult(many, { dimension: "custom.plan" });
    expect([dimensionResults.length, matchesLoad]).toEqual([21, true]);
    const first = dimensionResults.slice(0, 3).map(({ kind, dimension_value, metric }) => [kind, dimension_value, metric.controlUnits]);
    expect(first).toEqual([
      ["value", "", 4],
      ["value", "none", 4],
      ["value", "others", 4],
    ]);
    expect(dimensionResults.at(-1)).toMatchObject({
      ...{ dimension: "custom.plan", dimension_value: "", kind: "others", otherValues: 3 },
      metric: { controlUnits: 6, testUnits: 6, controlMean: 1, testMean: 2 },
    });
    expect(dimensionResults[0]?.metric.alpha).toBeCloseTo(0.05 / 21, 12);
  });

  test("takes the first five fields that divide the units well, if none is asked for", async () => {
    const custom = (index: number) => ({
      address: index,
      ...Object.fromEntries(["f", "e", "d", "c", "b"].map((name) => [name, index % 2])),
    });
    const buyers = Array.from({ length: 8 }, (_, index) =>
      buying(index < 4 ? "control" : "test", [index], { country: "NO", email: `${index}@example.com`, custom: custom(index) }, `${index}`),
    ).flat();
    const fields = await loaded("five fields", buyers);
    const { dimensionResults } = await readResult(fields);
    expect(dimensionResults.map(({ dimension, dimension_value, metric }) => [dimension, dimension_value, metric.controlUnits])).toEqual([
      ["country", "NO", 4],
      ...["b", "c", "d", "e"].flatMap((name) => ["0", "1"].map((value) => [`custom.${name}`, value, 2])),
    ]);
    const none = await loaded("no fields", buying("control", [1], {}));
    expect(await readResult(none)).toEqual({
      ...{ ds: "2025-11-28", timeZone: "UTC" },
      ...{ dimensionResults: [], reason: "No field of users divides the units." },
    });
  });

  test("returns a reason without results: unknown metric, not loaded, never started, not computed by dimension", async () => {
    const readReason = async (metricID: string, of = id) => {
      const { dimensionResults, reason, matchesLoad } = await readResult(of, { metricID, dimension: "country" });
      expect([dimensionResults, matchesLoad]).toEqual([[], undefined]);
      return reason;
    };
    expect(await readReason("Nothing::sum")).toBe("The metric does not exist.");
    expect(await readReason("Unloaded::sum")).toBe("No results update has computed this metric yet.");
    expect(await readReason("Median::user_warehouse")).toMatch(/\.$/);
    const unstarted = await pulse.experiment("never started", { status: "setup" });
    expect(await readReason("Revenue::sum", unstarted)).toBe("No results update has computed this metric yet.");
  });

  test("400 for a field that users do not have, for other groups, and for a day that is not loaded", async () => {
    const ask = (query: object) => refusal(readResult(id, query));
    for (const dimension of ["Country", "custom.", "userID", "custom", ""])
      expect(await ask({ dimension })).toMatchObject({ status: 400, errors: [{ property: "dimension" }] });
    expect(await ask({ control: "nobody" })).toEqual(invalid(["control", "is no group of the experiment. Its groups are control, test"]));
    expect(await ask({ date: "2025-01-01" })).toEqual(invalid(["date", "must be from 2025-11-21 to 2025-11-22, the days that are loaded"]));
  });
});

describe("getExperimentDimensionalExposures", () => {
  test("counts the units of each group by the values that fields had at the first exposure, as of now", async () => {
    const buyers = [...SWISS, ...NORWEGIAN.slice(0, 3), ...NOWHERE];
    const id = await pulse.experiment("exposures");
    const startTime = server.clock.now;
    server.clock.now += HOUR_MS;
    await pulse.log(id, buyers, server.clock.now);
    // A second exposure has no effect.
    server.clock.now += HOUR_MS;
    await pulse.log(
      id,
      buyers.map((one) => ({ ...one, purchases: [], fields: { country: "SE" } })),
      server.clock.now,
    );
    server.clock.now += HOUR_MS;
    const groups = (control: number, test: number) => [
      { groupID: "control", groupName: "control", exposures: control },
      { groupID: "test", groupName: "test", exposures: test },
    ];
    expect(await readExposures(id)).toEqual({
      ...{ startTime, endTime: server.clock.now },
      dimensions: [
        {
          dimension: "country",
          values: [
            { dimension_value: "CH", kind: "value", groups: groups(3, 3) },
            { dimension_value: "NO", kind: "value", groups: groups(2, 1) },
            { dimension_value: "", kind: "none", groups: groups(1, 2) },
          ],
        },
      ],
    });
  });

  test("is empty before the start and again after a reset", async () => {
    const unstarted = await pulse.experiment("not yet", { status: "setup" });
    expect(await readExposures(unstarted)).toEqual({ dimensions: [] });
    const id = await loaded("to be reset", SWISS);
    expect((await readExposures(id)).dimensions.map(({ dimension }) => dimension)).toEqual(["country"]);
    await server.client.resetExperiment({ path: { id }, body: {} } as never);
    expect((await readExposures(id)).dimensions).toEqual([]);
  });

  test("says how many values are counted together", async () => {
    const plans = Array.from({ length: 25 }, (_, index) => ({ plan: `plan ${index}` }));
    const id = await loaded(
      "many plans",
      plans.flatMap((custom) => buying("test", [1, 2], { custom })),
    );
    const [plan] = (await readExposures(id)).dimensions;
    expect(plan?.values.length).toBe(21);
    expect(plan?.values.at(-1)).toMatchObject({ dimension_value: "", kind: "others", otherValues: 5 });
  });
});
