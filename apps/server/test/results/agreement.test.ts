import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Buyer, DAY_MS, HOUR_MS, pulseOn } from "../support/pulse.ts";
import { startServer, type TestServer } from "../support/server.ts";

// Results from raw events agree with those of numpy and scipy, which generate-agreement.py computes from the same events.

type Numbers = { [name: string]: number | number[] | Numbers };
type Agreement = {
  prior: [mean: number, deviation: number];
  units: [unit: string, group: string, exposureHour: number, purchases: [afterHours: number, value: number][]][];
  expected: {
    plain: Record<string, Numbers>;
    cuped: Numbers;
    series: Numbers[];
    sequential: Numbers;
    bayesian: Numbers;
  };
};
const { prior, units, expected }: Agreement = JSON.parse(readFileSync(new URL("agreement.json", import.meta.url), "utf8"));

let server: TestServer;
let pulse: ReturnType<typeof pulseOn>;
const ids: Record<string, string> = {};

beforeAll(async () => {
  server = await startServer();
  const start = Math.ceil(server.clock.now / DAY_MS) * DAY_MS;
  server.clock.now = start;
  pulse = pulseOn(server);
  const median = { aggregation: "percentile", percentile: 0.5 };
  await pulse.metric("Revenue");
  await pulse.metric("Buyers", { type: "event_user", metricEvents: [{ name: "buy" }] });
  await pulse.metric("Price", { type: "mean" });
  await pulse.metric("Median", { type: "user_warehouse", metricEvents: [{ name: "buy", type: "value" }], warehouseNative: median });
  const revenue = { name: "Revenue", type: "sum" };
  const others = [
    { name: "Buyers", type: "event_user" },
    { name: "Price", type: "mean" },
    { name: "Median", type: "user_warehouse" },
  ];
  const groups = ["control", "test", "other"].map((id, index) => ({ id, name: id, size: [40, 40, 20][index] }));
  const [mean, deviation] = prior;
  const bayesianPriors = [{ metric: revenue, priorMean: mean / 100, priorStdDev: deviation / 100 }];
  const kinds = {
    fixed: { primaryMetrics: [revenue, ...others] },
    sequential: { primaryMetrics: [revenue], sequentialTesting: true, duration: 14 },
    bayesian: { primaryMetrics: [revenue], analyticsType: "bayesian", bayesianPriors },
  };
  for (const [name, given] of Object.entries(kinds)) ids[name] = await pulse.experiment(name, { groups, ...given });
  server.clock.now = start + 5 * DAY_MS - 1;
  for (const [name, id] of Object.entries(ids))
    for (const hour of new Set(units.map(([, , exposureHour]) => exposureHour))) {
      const exposed = units.filter(([, , exposureHour]) => exposureHour === hour);
      const buyers = exposed.map(([unit, group, , purchases]): Buyer => {
        const bought = name === "fixed" ? purchases : [];
        return { unit, group, purchases: bought.map(([afterHours, value]) => ({ value, afterMs: afterHours * HOUR_MS })) };
      });
      await pulse.log(id, buyers, start + hour * HOUR_MS);
    }
  for (const id of Object.values(ids)) expect((await pulse.load(id)).finishedState).toBe("success");
});
afterAll(() => server.close());

/** Expects each number to be within 10⁻⁹ of the independent one, relative to it. */
function expectAgreement(actual: unknown, wanted: Numbers | Numbers[] | number | number[], path: string): void {
  if (typeof wanted === "object")
    for (const [name, value] of Object.entries(wanted)) expectAgreement((actual as Numbers | undefined)?.[name], value, `${path}.${name}`);
  else {
    expect(actual, path).toBeTypeOf("number");
    expect(Math.abs(Number(actual) - wanted) / Math.abs(wanted), `${path}: ${actual} for ${wanted}`).toBeLessThan(1e-9);
  }
}

const results = async (kind: string, query: object) => (await pulse.results(ids[kind] ?? "", query)).primaryMetrics;

test.each(Object.keys(expected.plain))("the means, intervals and p-value of %s agree with scipy", async (name) => {
  const result = (await results("fixed", { cuped: false })).find(({ metricName }) => metricName === name);
  expectAgreement(result, expected.plain[name] ?? {}, name);
});

test("the results of each day agree with scipy's for the events until then", async () => {
  const [revenue] = await results("fixed", { cuped: false, series: true });
  expect(revenue?.series).toHaveLength(expected.series.length);
  expectAgreement(revenue?.series, expected.series, "series");
});

test("CUPED agrees with a regression over all groups", async () => {
  const { varianceReduction = 0, ...numbers } = expected.cuped;
  const [revenue] = await results("fixed", { cuped: true });
  expectAgreement(revenue, numbers, "CUPED");
  expectAgreement(revenue?.cuped?.varianceReduction, varianceReduction, "varianceReduction");
});

test("sequential intervals and confidence sequences agree with the formulas of their papers, with Student's tails", async () => {
  expectAgreement((await results("sequential", { cuped: false }))[0], expected.sequential, "sequential");
});

test("the posterior, chance to beat and expected losses of a Bayesian experiment agree with scipy's", async () => {
  expectAgreement((await results("bayesian", { cuped: false }))[0]?.bayesian, expected.bayesian, "bayesian");
});
