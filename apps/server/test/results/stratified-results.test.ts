import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Divided, dividedOn } from "../support/divided.ts";
import { type Buyer, HOUR_MS, pulseOn } from "../support/pulse.ts";
import { refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
let pulse: ReturnType<typeof pulseOn>;
let loaded: Divided["loaded"];
beforeAll(async () => {
  server = await startServer();
  pulse = pulseOn(server);
  ({ loaded } = await dividedOn(server));
});
afterAll(() => server.close());

/** Buyers of a country, with a purchase before their exposure, as in the computation of the expected values. */
const from = (country: string, group: string, count: number, base: number): Buyer[] =>
  Array.from({ length: count }, (_, index) => ({
    unit: `${country} ${group} ${index}`,
    group,
    fields: { country },
    purchases: [
      { value: base + ((7 * index) % 10), afterMs: 60_000 },
      { value: base - 5 + ((3 * index) % 7) + ((7 * index) % 10) / 2, afterMs: -HOUR_MS },
    ],
  }));

/** Groups with other shares of countries whose users buy unlike each other. Sweden and Denmark have few units of the control group. */
const NORTH = [
  ...from("NO", "control", 50, 10),
  ...from("NO", "test", 20, 12),
  ...from("CH", "control", 20, 40),
  ...from("CH", "test", 40, 42),
  ...from("SE", "control", 5, 70),
  ...from("SE", "test", 12, 72),
];
const DENMARK = [...from("DK", "control", 8, 70), ...from("DK", "test", 9, 72)];

const given = { postStratifyBy: "country", secondaryMetrics: [] };
const close = (value: number) => expect.closeTo(value, 8);
const resultOf = async (id: string, query: object = {}) => (await pulse.results(id, query)).primaryMetrics[0];

describe("post-stratified results", () => {
  let id: string;
  beforeAll(async () => {
    id = await loaded("stratified", [...NORTH, ...DENMARK], given);
  });

  test("are the contrast of a saturated regression with HC2 errors in statsmodels 0.15, with the saved variance", async () => {
    expect(await resultOf(id, { cuped: false })).toMatchObject({
      ...{ absoluteChange: close(2.0349325471276694), pValue: close(0.00010103736507694319), controlMean: close(37.87476547842401) },
      // Sweden and Denmark are one stratum.
      adjustment: {
        ...{ method: "post_stratification", isUsed: true, dimension: "country", strata: 3 },
        varianceReduction: close(0.9791056746859366),
      },
    });
  });

  test("are adjusted by CUPED first, with one θ for all units", async () => {
    expect(await resultOf(id)).toMatchObject({
      ...{ absoluteChange: close(-0.018602865742806445), pValue: close(0.9657860922881487), controlMean: close(38.896500009827705) },
      cuped: { isUsed: true },
      adjustment: { isUsed: true, varianceReduction: close(-0.19252119083865082) },
    });
  });

  test("put a value with few units in a group together with the smallest other one", async () => {
    const small = await loaded("one small value", NORTH, given);
    expect(await resultOf(small, { cuped: false })).toMatchObject({
      ...{ absoluteChange: close(2.5157509157509166), pValue: close(0.1330653626183714) },
      adjustment: { isUsed: true, strata: 2, varianceReduction: close(0.7325942703722705) },
    });
  });

  test("are plain on request, in the results of days and by dimension", async () => {
    const plain = { absoluteChange: close(15.76781198869552), pValue: close(1.0527933899333291e-5) };
    const result = await resultOf(id, { cuped: false, adjustment: false });
    expect(result).toMatchObject(plain);
    expect(result).not.toHaveProperty("adjustment");
    const last = (await resultOf(id, { cuped: false, series: true }))?.series?.at(-1);
    expect(last).toMatchObject(plain);
    const query = { control: "control", test: "test", metricID: "Revenue::sum", dimension: "country" };
    const { data } = await server.client.getExperimentPulseMetricResult({ path: { id }, query });
    expect(data.dimensionResults.map(({ metric }) => metric.adjustment)).toEqual(Array(4).fill(undefined));
  });

  test("decide Bayesian experiments, scorecards and the corrections of several metrics", async () => {
    const bayesian = await loaded("stratified Bayesian", [...NORTH, ...DENMARK], { ...given, analyticsType: "bayesian" });
    const { primaryMetrics, scorecard } = await pulse.results(bayesian, { cuped: false });
    expect(primaryMetrics[0]?.bayesian?.mean).toBeCloseTo((100 * 2.0349325471276694) / 37.87476547842401, 6);
    expect(primaryMetrics[0]?.bayesian?.decision).toBe("test");
    expect(scorecard).toBeDefined();
  });

  test("say why they are not adjusted: ratios, few values, earlier days, a setting of after the update", async () => {
    const reasonOf = async (experiment: string, query: object = {}, at = 0) => {
      const { primaryMetrics } = await pulse.results(experiment, query);
      const { isUsed, reason } = primaryMetrics[at]?.adjustment ?? {};
      expect(isUsed).toBe(false);
      return reason;
    };
    const first = new Date((await server.client.getExperiment({ path: { id } })).data.startTime ?? 0).toISOString().slice(0, 10);
    expect(await reasonOf(id, { date: first })).toBe("It is known as of the last update alone.");
    const primaryMetrics = [
      { name: "Price", type: "mean" },
      { name: "Revenue", type: "sum" },
    ];
    const ratio = await loaded("stratified ratio", from("NO", "control", 20, 1).concat(from("NO", "test", 20, 1)), {
      ...given,
      primaryMetrics,
    });
    expect(await reasonOf(ratio)).toBe("It adjusts means, and this metric is a ratio.");
    expect(await reasonOf(ratio, {}, 1)).toBe("Fewer than two values have 10 units in both groups.");
    await server.client.patchExperiment({ path: { id: ratio }, body: { postStratifyBy: "custom.plan" } });
    expect(await reasonOf(ratio, {}, 1)).toBe("The last update didn't compute it. Refresh the results.");
    await pulse.load(ratio);
    expect(await reasonOf(ratio, {}, 1)).toBe("No unit has a value to stratify by.");
    await server.client.patchExperiment({ path: { id: ratio }, body: { postStratifyBy: "" } });
    expect((await resultOf(ratio))?.adjustment).toBeUndefined();
  });

  test("note their statement in the load, once for the metrics that share one", async () => {
    const { data } = await server.client.listExperimentPulseLoads({ path: { id } });
    const load = await server.client.getExperimentPulseLoad({ path: { id, dagID: data[0]?.dagID ?? "" } });
    expect(load.data.jobs.map(({ jobType, jobIDs }) => [jobType, jobIDs])).toEqual([
      ["topline", ["Revenue::sum"]],
      ["metrics", ["Revenue::sum"]],
      ["adjustment", ["Revenue::sum"]],
    ]);
  });

  test("are refused with sequential tests, and by properties whose source does not exist", async () => {
    const create = (body: object) => refusal(pulse.experiment("refused", { ...given, ...body }));
    const errorMessage = (what: string) => `cannot be combined with ${what}, whose verdicts need the results of earlier days`;
    expect(await create({ sequentialTesting: true })).toMatchObject({
      status: 400,
      errors: [{ property: "postStratifyBy", errorMessage: errorMessage("sequentialTesting") }],
    });
    expect(await create({ analyticsType: "sprt" })).toMatchObject({
      errors: [{ property: "postStratifyBy", errorMessage: errorMessage("analyticsType sprt") }],
    });
    expect(await create({ postStratifyBy: "property.nothing.plan" })).toMatchObject({ errors: [{ property: "postStratifyBy" }] });
    expect(await create({ postStratifyBy: "Country" })).toMatchObject({ errors: [{ property: "postStratifyBy" }] });
  });
});
