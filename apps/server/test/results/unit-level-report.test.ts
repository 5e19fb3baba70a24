import { parquetReadObjects } from "hyparquet";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { adjustByCovariate, compareShares, compareValues, ratio, welch } from "../support/independent-statistics.ts";
import { seededRandom } from "../support/moments.ts";
import { type Buyer, DAY_MS, HOUR_MS, pulseOn } from "../support/pulse.ts";
import { invalid, refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
let pulse: ReturnType<typeof pulseOn>;
let id: string;
/** When the first day begins, ms. */
let start: number;

const CAPPED = { aggregation: "sum" as const, cap: 60, winsorizationLow: 0.05, winsorizationHigh: 0.95 };
const WAITING = { aggregation: "count" as const, rollupTimeWindow: "custom" as const, customRollUpStart: 0, customRollUpEnd: 0 };

/** Units that buy before their exposure and after it, at different rates, as a seed determines. */
function shoppers(day: number): Buyer[] {
  const random = seededRandom(7 + day);
  return Array.from({ length: 160 }, (_, index) => {
    const group = random() < 0.45 ? "control" : "test";
    const taste = random();
    const bought = (afterMs: number) => ({ afterMs, value: Math.round(1_000 * taste * random() + (group === "test" ? 90 : 0)) / 10 });
    const times = [-50, -30, -1, 1, 2, 26, 27].filter(() => random() < taste);
    return { unit: `shopper ${day} ${String(index).padStart(3, "0")}`, group, purchases: times.map((hours) => bought(hours * HOUR_MS)) };
  });
}

beforeAll(async () => {
  server = await startServer();
  start = Math.ceil(server.clock.now / DAY_MS) * DAY_MS;
  server.clock.now = start + HOUR_MS;
  pulse = pulseOn(server);
  const buy = { name: "buy", type: "value" as const };
  await pulse.metric("Revenue");
  await pulse.metric("Buyers", { type: "event_user", metricEvents: [{ name: "buy" }] });
  await pulse.metric("-Order", { type: "mean", metricEvents: [buy] });
  await pulse.metric("Capped", { type: "user_warehouse", metricEvents: [buy], warehouseNative: CAPPED });
  await pulse.metric("First day", {
    type: "user_warehouse",
    metricEvents: [{ name: "buy" }],
    warehouseNative: { ...WAITING, waitForCohortWindow: true },
  });
  await pulse.metric("Median", {
    type: "user_warehouse",
    metricEvents: [buy],
    warehouseNative: { aggregation: "percentile", percentile: 0.5 },
  });
  const named = (name: string, type: string) => ({ name, type });
  id = await pulse.experiment("exported", {
    primaryMetrics: [named("Revenue", "sum"), named("Buyers", "event_user"), named("-Order", "mean")],
    secondaryMetrics: [...["Capped", "First day", "Median"].map((name) => named(name, "user_warehouse")), named("No such metric", "sum")],
  });
  for (const day of [0, 1]) {
    server.clock.now = start + day * DAY_MS + 2 * HOUR_MS;
    await pulse.log(id, shoppers(day), server.clock.now);
  }
  await pulse.log(
    id,
    [
      { unit: "in both", group: "control", purchases: [] },
      { unit: "in both", group: "test", purchases: [] },
    ],
    server.clock.now,
  );
  server.clock.now = start + 2 * DAY_MS + 6 * HOUR_MS;
  await pulse.load(id);
});
afterAll(() => server.close());

type Query = Parameters<TestServer["client"]["getReport"]>[0]["query"];
const formatDate = (day: number) => new Date(start + day * DAY_MS).toISOString().slice(0, 10);
const unitLevel = (day: number): Query => ({ type: "unit_level", date: formatDate(day), experimentID: id });

async function download(query: Query): Promise<Response> {
  const { data } = await server.client.getReport({ query });
  return fetch(data.url, { headers: { "SERVICE-API-KEY": server.key } });
}

type Row = Record<string, string | number | Date | null>;
async function readRows(day: number): Promise<Row[]> {
  const file = await (await download({ ...unitLevel(day), format: "parquet" })).arrayBuffer();
  return parquetReadObjects({ file }) as Promise<Row[]>;
}

/** The numbers of a column in each group, of the units that have one. */
function numbersOf(rows: readonly Row[], metricID: string, name = "value"): [control: number[], test: number[]] {
  const counted = rows.filter((row) => row[`${metricID}::value`] !== null);
  const ofGroup = (group: string) => counted.filter(({ groupID }) => groupID === group).map((row) => Number(row[`${metricID}::${name}`]));
  return [ofGroup("control"), ofGroup("test")];
}

async function readResult(metricID: string, query: { cuped: boolean; date?: string }) {
  const { primaryMetrics, secondaryMetrics } = await pulse.results(id, query);
  const found = [...primaryMetrics, ...secondaryMetrics].find((one) => one.metricID === metricID);
  if (!found) throw new Error(`${metricID} has no result.`);
  return found;
}

function expectSame(result: Awaited<ReturnType<typeof readResult>>, { delta, p, interval }: ReturnType<typeof compareValues>): void {
  const numbers = [result.absoluteChange, result.pValue, ...(result.absoluteInterval ?? [])];
  for (const [index, expected] of [delta, p, ...interval].entries())
    expect(
      Math.abs((numbers[index] ?? Number.NaN) - expected),
      `${result.metricID}, number ${index}: ${numbers[index]} for ${expected}`,
    ).toBeLessThan(1e-9);
}

describe("the report unit_level reproduces the estimate, the interval and the p-value", () => {
  test.each([2, 0])("of a mean, a conversion and a ratio, as of day %i", async (day) => {
    const rows = await readRows(day);
    const asked = { cuped: false, date: formatDate(day) };
    expectSame(await readResult("Revenue::sum", asked), compareValues(...numbersOf(rows, "Revenue::sum"), 0.05));
    expectSame(await readResult("Buyers::event_user", asked), compareShares(...numbersOf(rows, "Buyers::event_user"), 0.05));
    const [y, d] = [numbersOf(rows, "-Order::mean"), numbersOf(rows, "-Order::mean", "denominator")];
    expectSame(await readResult("-Order::mean", asked), welch(ratio(y[0], d[0]), ratio(y[1], d[1]), 0.05));
  });

  test("of metrics that CUPED adjusts, with daily caps and winsorization, and of one whose units wait", async () => {
    const rows = await readRows(2);
    for (const metricID of ["Revenue::sum", "Capped::user_warehouse"]) {
      const [y, x] = [numbersOf(rows, metricID), numbersOf(rows, metricID, "preExposureValue")];
      const [control, tested] = adjustByCovariate([
        { y: y[0], x: x[0] },
        { y: y[1], x: x[1] },
      ]) as [number[], number[]];
      const result = await readResult(metricID, { cuped: true });
      expect(result.cuped?.varianceReduction).toBeGreaterThan(0.1);
      expectSame(result, compareValues(control, tested, 0.05));
    }
    const waiting = numbersOf(rows, "First day::user_warehouse");
    expect(waiting.flat().length).toBe(320);
    expectSame(await readResult("First day::user_warehouse", { cuped: false }), compareValues(...waiting, 0.05));
  });
});

describe("the report unit_level", () => {
  test("has a row for each unit with one group, ordered by unit, and empty cells for units that wait", async () => {
    const rows = await readRows(1);
    const units = rows.map(({ unitID }) => unitID);
    expect(units).toEqual([0, 1].flatMap((day) => shoppers(day).map(({ unit }) => unit)).sort());
    const ofSecondDay = rows.filter(({ unitID }) => String(unitID).startsWith("shopper 1"));
    expect(new Set(ofSecondDay.map((row) => row["First day::user_warehouse::value"]))).toEqual(new Set([null]));
    expect(rows[0]).toMatchObject({
      ...{ unitID: "shopper 0 000", groupID: shoppers(0)[0]?.group, groupName: shoppers(0)[0]?.group },
      firstExposureTime: new Date(start + 2 * HOUR_MS),
    });
    expect(await readRows(0)).toHaveLength(160);
  });

  test("has winsorized values beside raw ones, marks names of columns that spreadsheets would run, and no percentiles", async () => {
    const rows = await readRows(2);
    const columns = Object.keys(rows[0] ?? {});
    expect(columns).toEqual([
      ...["unitID", "groupID", "groupName", "firstExposureTime"],
      ...["Revenue::sum::value", "Revenue::sum::preExposureValue", "Buyers::event_user::value", "Buyers::event_user::preExposureValue"],
      ...["value", "denominator", "preExposureValue", "preExposureDenominator"].map((name) => `-Order::mean::${name}`),
      ...["value", "value::raw", "preExposureValue", "preExposureValue::raw"].map((name) => `Capped::user_warehouse::${name}`),
      ...["value", "preExposureValue"].map((name) => `First day::user_warehouse::${name}`),
    ]);
    const [values, raw] = ["value", "value::raw"].map((name) => numbersOf(rows, "Capped::user_warehouse", name).flat()) as [
      number[],
      number[],
    ];
    const sorted = raw.filter((one) => one !== 0).sort((a, b) => a - b);
    const at = (level: number) => {
      const place = level * (sorted.length - 1);
      const [below, above] = [sorted[Math.floor(place)] ?? 0, sorted[Math.ceil(place)] ?? 0];
      return below + (place - Math.floor(place)) * (above - below);
    };
    expect(values).toEqual(raw.map((one) => (one === 0 ? 0 : expect.closeTo(Math.min(Math.max(one, at(0.05)), at(0.95)), 10))));
    expect(values.filter((one, index) => one !== raw[index]).length).toBeGreaterThan(10);
    const response = await download(unitLevel(2));
    expect(response.headers.get("Content-Disposition")).toBe(`attachment; filename="unit_level-${id}-${formatDate(2)}.csv"`);
    const [head = "", first] = (await response.text()).split("\r\n");
    expect(head).toContain(",'-Order::mean::value,");
    const { unitID, groupID, groupName } = rows[0] ?? {};
    expect(first?.split(",").slice(0, 4)).toEqual([unitID, groupID, groupName, new Date(start + 2 * HOUR_MS).toISOString()]);
  });

  test("has no rows for a day without results, and counts its experiment", async () => {
    const count = async (query: Query) => (await server.client.getReport({ query })).data.experiments;
    expect([await count(unitLevel(2)), await count(unitLevel(-1))]).toEqual([1, 0]);
    expect(await (await download(unitLevel(-1))).text()).toBe("unitID,groupID,groupName,firstExposureTime\r\n");
  });

  test("needs an experiment that exists, which other reports refuse, as their files do", async () => {
    const date = formatDate(0);
    const refused: [Query, string][] = [
      [{ type: "unit_level", date }, "is required for unit_level"],
      [{ type: "unit_level", date, experimentID: "nobody" }, "does not exist"],
      [{ type: "pulse_daily", date, experimentID: id }, "must be left out of pulse_daily, which is about every experiment"],
    ];
    for (const [query, message] of refused) {
      const expected = invalid(["experimentID", message]);
      expect(await refusal(server.client.getReport({ query }))).toEqual(expected);
      const file = await server.send("GET", `/console/v1/reports/file?${new URLSearchParams(Object.entries(query) as [string, string][])}`);
      expect([file.status, file.body.errors]).toEqual([400, expected.errors]);
    }
  });
});
