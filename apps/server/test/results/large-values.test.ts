import { afterAll, beforeAll, expect, test } from "vitest";
import { type Buyer, DAY_MS, HOUR_MS, pulseOn } from "../support/pulse.ts";
import { startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
let pulse: ReturnType<typeof pulseOn>;
beforeAll(async () => {
  server = await startServer();
  pulse = pulseOn(server);
});
afterAll(() => server.close());

/** Deviations from −1 to 1, those of the test group 0.35 higher. */
const deviations = (group: number) =>
  Array.from({ length: 100 }, (_, index) => (((index * 7919 + group * 31) % 41) - 20) / 20 + (group === 1 ? 0.35 : 0));

let made = 0;

/** An experiment with its own units, loaded three days later. */
async function load(metric: object, purchases: (deviation: number, unit: number, group: number) => Buyer["purchases"]) {
  made++;
  const { name, type } = await pulse.metric(`large ${made}`, metric);
  const id = await pulse.experiment(`large ${made}`, { primaryMetrics: [{ name, type }] });
  const at = server.clock.now + HOUR_MS;
  server.clock.now = at + 3 * DAY_MS;
  const groups = ["control", "test"].flatMap((group, index) =>
    deviations(index).map((deviation, unit): Buyer => {
      return { unit: `${made} ${group} ${unit}`, group, purchases: purchases(deviation, unit, index) };
    }),
  );
  await pulse.log(id, groups, at);
  return { id, load: await pulse.load(id) };
}

/** The units' earlier values, which partly predict the current ones. */
const earlier = (group: number, unit: number) =>
  0.6 * ((((unit * 7919 + group * 31) % 41) - 20) / 20) + (((unit * 104_729 + group * 17) % 37) - 18) / 30;

/** scipy's `ttest_ind(equal_var=False)` of the deviations. The values themselves are rounded to a double, which moves them a little. */
const P = 1.0056329574278325e-5;
const SE = 0.05946416882238727;

test.each([1e7, 1e8, 1e9])("values around %d keep the digits of their variance, on each day", async (base) => {
  const { id, load: loaded } = await load({}, (deviation) => [
    { value: base + deviation - 0.5, afterMs: HOUR_MS },
    { value: 0.5, afterMs: DAY_MS },
  ]);
  expect(loaded.jobs.map(({ jobType }) => jobType)).toEqual(["topline", "metrics"]);
  const [result] = (await pulse.results(id, { cuped: false, series: true })).primaryMetrics;
  expect(result).toMatchObject({ controlUnits: 100, testUnits: 100, isSignificant: true });
  expect((result?.pValue ?? 0) / P).toBeCloseTo(1, 5);
  expect((result?.controlStd ?? 0) / SE).toBeCloseTo(1, 6);
  expect(result?.controlTotal).toBeCloseTo(100 * base, -1);
  for (const { pValue = 0 } of result?.series ?? []) expect(pValue / P).toBeCloseTo(1, 5);
});

test("ratios around 1e9 keep the digits of their variance", async () => {
  const { id } = await load({ type: "mean" }, (deviation) => [1, 2].map((hours) => ({ value: 1e9 + deviation, afterMs: hours * HOUR_MS })));
  const [result] = (await pulse.results(id, { cuped: false })).primaryMetrics;
  expect((result?.pValue ?? 0) / P).toBeCloseTo(1, 5);
  expect(result?.controlMean).toBeCloseTo(1e9, -1);
  expect(result?.controlDenominator).toBe(200);
});

// numpy: θ over all units, and Welch's test of the adjusted deviations.
test("CUPED of values around 1e9 keeps the digits of both periods", async () => {
  const { id } = await load({}, (deviation, unit, group) => [
    { value: 1e9 + earlier(group, unit), afterMs: -HOUR_MS },
    { value: 1e9 + deviation, afterMs: HOUR_MS },
  ]);
  const [result] = (await pulse.results(id)).primaryMetrics;
  expect(result?.cuped).toEqual({ isUsed: true, varianceReduction: expect.closeTo(0.49184556152969083, 5) });
  expect(result?.absoluteChange).toBeCloseTo(0.366800143184414, 5);
  expect((result?.pValue ?? 0) / 1.3574710726820184e-9).toBeCloseTo(1, 4);
});

test("a unit with a large amount before the start takes nothing from CUPED where the metric has bounds or a cap", async () => {
  const reductionWith = async (warehouseNative: object, outlier: number) => {
    const metric = {
      type: "user_warehouse",
      metricEvents: [{ name: "buy", type: "value" }],
      warehouseNative: { aggregation: "sum", ...warehouseNative },
    };
    const { id } = await load(metric, (deviation, unit, group) => [
      { value: group === 0 && unit === 3 ? outlier : 5 + earlier(group, unit), afterMs: -HOUR_MS },
      { value: 5 + deviation, afterMs: HOUR_MS },
    ]);
    return (await pulse.results(id)).primaryMetrics[0]?.cuped?.varianceReduction ?? 0;
  };
  const usual = await reductionWith({}, 5);
  expect(usual).toBeGreaterThan(0.3);
  expect(await reductionWith({}, 50_000)).toBeLessThan(0.01);
  for (const limits of [{ winsorizationHigh: 0.99 }, { cap: 8 }]) expect(await reductionWith(limits, 50_000)).toBeGreaterThan(0.75 * usual);
});

test("a daily cap applies to each day, even in a load and by dimension without daily results", async () => {
  const metric = {
    type: "user_warehouse",
    metricEvents: [{ name: "buy", type: "value" }],
    warehouseNative: { aggregation: "sum", cap: 8 },
  };
  const { id } = await load(metric, () => [HOUR_MS, DAY_MS, 2 * DAY_MS].map((afterMs) => ({ value: 10, afterMs })));
  const read = async () => (await pulse.results(id)).primaryMetrics[0]?.controlTotal;
  expect(await read()).toBe(100 * 3 * 8);
  await pulse.load(id, { turboMode: true });
  expect(await read()).toBe(100 * 3 * 8);
  const query = { control: "control", test: "test", metricID: `large ${made}::user_warehouse`, dimension: "country" };
  const { dimensionResults, matchesLoad } = (await server.client.getExperimentPulseMetricResult({ path: { id }, query })).data;
  expect([dimensionResults.length, matchesLoad]).toEqual([1, true]);
});
