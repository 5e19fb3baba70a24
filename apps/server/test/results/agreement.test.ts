import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Buyer, DAY_MS, HOUR_MS, pulseOn } from "../support/pulse.ts";
import { startServer, type TestServer } from "../support/server.ts";

type Numbers = { [name: string]: number | number[] | Numbers | Numbers[] };
type Unit = [unit: string, country: string, groups: string[], exposureHour: number, purchases: [afterHours: number, value: number][]];
type Agreement = {
  settings: {
    /** Of the change in percent. */
    prior: { mean: number; deviation: number };
    sizes: Record<string, number>;
    targetExposures: number;
    chanceToBeat: number;
    days: number;
  };
  units: Unit[];
  expected: Record<string, Numbers>;
};

/** Made by generate-agreement.py: raw events, and what numpy and scipy compute from them. */
const { settings, units, expected }: Agreement = JSON.parse(readFileSync(new URL("agreement.json", import.meta.url), "utf8"));

const REVENUE = { name: "Revenue", type: "sum" };
const BUYERS = { name: "Buyers", type: "event_user" };
const PRICE = { name: "Price", type: "mean" };
const MEDIAN = { name: "Median", type: "user_warehouse" };

let server: TestServer;
let pulse: ReturnType<typeof pulseOn>;
/** The experiments by how they are analyzed. All have the same units. */
const ids = { fixed: "", sequential: "", bayesian: "" };

beforeAll(async () => {
  server = await startServer();
  pulse = pulseOn(server);
  const start = Math.ceil(server.clock.now / DAY_MS) * DAY_MS;
  server.clock.now = start;
  await pulse.metric("Revenue");
  await pulse.metric("Buyers", { type: "event_user", metricEvents: [{ name: "buy" }] });
  await pulse.metric("Price", { type: "mean" });
  await pulse.metric("Median", { type: "user_warehouse", warehouseNative: { aggregation: "percentile", percentile: 0.5 } });
  const { prior, sizes, targetExposures, chanceToBeat, days } = settings;
  const groups = Object.entries(sizes).map(([id, size]) => ({ id, name: id, size }));
  const create = (name: string, given: object) => pulse.experiment(name, { groups, primaryMetrics: [REVENUE], duration: 14, ...given });
  const bayesianPriors = [{ metric: REVENUE, priorMean: prior.mean / 100, priorStdDev: prior.deviation / 100 }];
  ids.fixed = await create("fixed", { primaryMetrics: [REVENUE, BUYERS, PRICE, MEDIAN] });
  ids.sequential = await create("sequential", { sequentialTesting: true, targetExposures });
  ids.bayesian = await create("bayesian", { analyticsType: "bayesian", bayesianPriors, defaultChanceToBeatThreshold: chanceToBeat });
  server.clock.now = start + days * DAY_MS - 1;
  for (const hour of new Set(units.map(([, , , exposureHour]) => exposureHour))) {
    const exposed = units.filter(([, , , exposureHour]) => exposureHour === hour);
    for (const id of Object.values(ids)) await pulse.log(id, exposed.flatMap(toBuyers(id === ids.fixed)), start + hour * HOUR_MS);
  }
  for (const id of Object.values(ids)) expect((await pulse.load(id)).finishedState).toBe("success");
});
afterAll(() => server.close());

/** A unit's exposure to each group that it saw. Purchases belong to no experiment, so they are logged once. */
const toBuyers =
  (isBuying: boolean) =>
  ([unit, country, groups, , purchases]: Unit): Buyer[] =>
    groups.map((group, index) => ({
      ...{ unit, group, fields: { country } },
      purchases: isBuying && index === 0 ? purchases.map(([afterHours, value]) => ({ value, afterMs: afterHours * HOUR_MS })) : [],
    }));

/** Compares every expected number with the one at its place, relative to its size. */
function expectAgreement(actual: unknown, wanted: Agreement["expected"][string] | number | undefined, tolerance = 1e-9, place = ""): void {
  if (typeof wanted === "number") {
    expect(actual, place).toBeTypeOf("number");
    const isClose = Math.abs(Number(actual) - wanted) <= tolerance * Math.abs(wanted);
    expect(isClose, `${place}: ${actual} is not ${wanted}`).toBe(true);
  } else {
    const entries = Object.entries(wanted ?? {});
    expect(entries.length, place).toBeGreaterThan(0);
    for (const [key, value] of entries)
      expectAgreement((actual as Numbers | undefined)?.[key], value as Numbers, tolerance, `${place}.${key}`);
  }
}

async function read(kind: keyof typeof ids, { name }: { name: string }, query: object = {}) {
  const { primaryMetrics } = await pulse.results(ids[kind], { cuped: false, ...query });
  return primaryMetrics.find(({ metricName }) => metricName === name);
}

/** The tolerance of numbers for which an equation is solved by trial. */
const SOLVED = 1e-6;

test("a mean has Welch's p-value and Fieller's interval, now and at the end of each day", async () => {
  const result = await read("fixed", REVENUE, { series: true });
  expect(result).toMatchObject({ alpha: expect.closeTo(0.05, 12), verdict: { test: "fixed" } });
  expect(result?.series).toHaveLength(settings.days);
  expectAgreement(result, expected.mean);
});

test("CUPED adjusts a mean by the regression on earlier values over all groups", async () => {
  expectAgreement(await read("fixed", REVENUE, { cuped: true }), expected.cuped);
});

test("a conversion has the score test's p-value, and the intervals of the differences and ratios that it doesn't reject", async () => {
  const { absoluteInterval, percentInterval, ...exact } = expected.conversion ?? {};
  const result = await read("fixed", BUYERS);
  expectAgreement(result, exact);
  expectAgreement(result, { absoluteInterval, percentInterval } as Numbers, SOLVED);
});

test("a ratio has the error of the delta method", async () => {
  expectAgreement(await read("fixed", PRICE), expected.ratio);
});

test("a percentile has the error of its level by the delta method", async () => {
  expectAgreement(await read("fixed", MEDIAN), expected.percentile);
});

test("a sequential experiment has the mixture test's intervals and p-value, and a confidence sequence for its planned units", async () => {
  const { verdict, ...exact } = expected.sequential ?? {};
  const result = await read("sequential", REVENUE);
  expect(result?.verdict?.test).toBe("sequential");
  expectAgreement(result, exact);
  expectAgreement(result, { verdict } as Numbers, SOLVED);
});

test("a Bayesian experiment has the posterior, chance to beat and expected losses of numerical integration", async () => {
  expectAgreement(await read("bayesian", REVENUE), expected.bayesian);
});

test("countries have their own results, and a test of whether their effects differ", async () => {
  const query = { control: "control", test: "test", cuped: false, dimensions: ["country"] };
  const { data } = await server.client.getExperimentSubgroups({ path: { id: ids.fixed }, query });
  const row = data.rows.find(({ total }) => total.metricName === REVENUE.name);
  const values = Object.fromEntries(row?.subgroups.map(({ dimension_value, metric }) => [dimension_value, metric]) ?? []);
  expectAgreement({ values, heterogeneity: row?.heterogeneity }, expected.countries);
});

test("each test has the minimum detectable effect of its threshold and power", async () => {
  const detectable = {
    mean: await read("fixed", REVENUE),
    cuped: await read("fixed", REVENUE, { cuped: true }),
    conversion: await read("fixed", BUYERS),
    ratio: await read("fixed", PRICE),
    percentile: await read("fixed", MEDIAN),
    sequential: await read("sequential", REVENUE),
    bayesian: await read("bayesian", REVENUE),
  };
  expectAgreement(detectable, expected.detectable, SOLVED);
});
