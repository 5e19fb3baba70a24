import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Buyer, DAY_MS, HOUR_MS, pulseOn } from "../support/pulse.ts";
import { startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
let pulse: ReturnType<typeof pulseOn>;
beforeAll(async () => {
  server = await startServer();
  pulse = pulseOn(server);
  await pulse.metric("Revenue");
  await pulse.metric("Price", { type: "mean" });
  await pulse.metric("Buyers", { type: "event_user", metricEvents: [{ name: "buy", type: "count" }] });
  const step = { type: "event_user" as const, name: "Buyers" };
  await pulse.metric("Checkout", { type: "funnel", metricEvents: [], funnelEventList: [step, step] });
});
afterAll(() => server.close());

const METRICS = [
  { name: "Revenue", type: "sum" },
  { name: "Price", type: "mean" },
  { name: "Buyers", type: "event_user" },
  { name: "Checkout", type: "funnel" },
];

const read = async (id: string, metricID = "Revenue::sum", query: object = {}) =>
  (await server.client.getExperimentEffectByDay({ path: { id }, query: { control: "control", test: "test", metricID, ...query } })).data;

/** What a unit buys on a day since its exposure. The effect falls from 8 on day 0 to 0 on day 4. */
const purchase = (group: string, unit: number, day: number) =>
  10 + ((7 * unit + 3 * day + Math.floor((unit * day * day) / 4)) % 10) + (group === "control" ? 0 : 8 - 2 * day);

/** Units that buy an hour after each day since their exposure begins. */
const buyers = (isLate: boolean, effect: typeof purchase = purchase): Buyer[] =>
  ["control", "test"].flatMap((group) =>
    Array.from({ length: 40 }, (_, unit) => ({
      ...{ unit: `${group} ${unit}`, group },
      purchases: [0, 1, 2, 3, 4].map((day) => ({ value: effect(group, unit, day), afterMs: day * DAY_MS + HOUR_MS })),
    })).filter((_, unit) => unit % 2 === (isLate ? 1 : 0)),
  );

/** An experiment, loaded after five days and two hours. Half of its units are exposed on the first day, and half on the second one. */
async function loaded(name: string, given: object = {}, effect?: typeof purchase): Promise<string> {
  const id = await pulse.experiment(name, { primaryMetrics: METRICS, ...given });
  const start = server.clock.now;
  server.clock.now += 5 * DAY_MS + 2 * HOUR_MS;
  await pulse.log(id, buyers(false, effect), start + HOUR_MS);
  const late = buyers(true, effect).map((buyer) => ({ ...buyer, purchases: buyer.purchases.slice(0, 4) }));
  await pulse.log(id, late, start + HOUR_MS + DAY_MS);
  await pulse.load(id);
  return id;
}

const close = (value: number) => expect.closeTo(value, 9);
const close2 = ([low, high]: readonly [number, number]) => [close(low), close(high)];

type Expected = [units: number, control: number, test: number, interval: readonly [number, number], percent: readonly [number, number]];
const toEffect = ([units, control, treated, interval, percent]: Expected) => ({
  ...{ controlUnits: units, testUnits: units, controlMean: close(control), testMean: close(treated) },
  ...{ absoluteChange: close(treated - control), absoluteInterval: close2(interval) },
  ...{ percentChange: close((100 * (treated - control)) / control), percentInterval: close2(percent) },
});

// Computed with scipy 1.17 from the purchases: `ttest_ind(equal_var=False)`, Fieller's interval by `brentq`, and `polyfit` for each unit.
const BY_DATE: [string, Expected][] = [
  ["2025-11-21", [20, 14, 22, [6.142288508971413, 9.857711491028587], [40.92896732539584, 76.14823314609399]]],
  ["2025-11-22", [40, 14.75, 21.75, [5.652040651276469, 8.347959348723531], [36.65487470485249, 59.392875271803945]]],
  ["2025-11-23", [40, 14.25, 19.25, [3.6520406512764683, 6.347959348723531], [24.503480617934258, 46.783839774597546]]],
  ["2025-11-24", [40, 14.25, 17.25, [1.6904156007937463, 4.309584399206254], [11.342816107832965, 31.7586143987413]]],
  ["2025-11-25", [40, 14.25, 15.25, [-0.34795934872353174, 2.3479593487235317], [-2.341038234389259, 17.25696737652529]]],
];
const BY_EXPOSURE: Expected[] = [
  [40, 14.5, 22.5, [6.705066194662429, 9.294933805337571], [44.09637875725701, 67.49098480972515]],
  [40, 14.5, 20.5, [4.705066194662429, 7.294933805337571], [30.97336240972435, 52.917346617971916]],
  [40, 14, 18, [2.7248373374516586, 5.275162662548341], [18.581013919476618, 39.63293035201634]],
  [40, 14.5, 16.5, [0.705066194662429, 3.294933805337571], [4.652420417774095, 23.844979531349118]],
  [20, 14, 14, [-1.857711491028587, 1.857711491028587], [-12.469529054843997, 14.24592935488378]],
];
const TREND = {
  ...{ days: 5, controlUnits: 20, testUnits: 20, pValue: close(1.1845638277277198e-7) },
  ...{ change: close(-8), interval: close2([-10.492381505913452, -5.507618494086556]), averageChange: close(4) },
  minimumDetectableChange: close(3.540335604078586),
  tested:
    "The change from day 0 to day 4 on the line of least squares of each unit, compared by Welch’s test: two-sided, once, at α = 0.05.",
};

describe("getExperimentEffectByDay", () => {
  let id: string;
  beforeAll(async () => {
    id = await loaded("wears off");
  });

  test("compares what units did on each day of the calendar and since their exposure, and finds that the effect wears off", async () => {
    expect(await read(id)).toEqual({
      ...{ ds: "2025-11-26", timeZone: "UTC", metricID: "Revenue::sum", alpha: close(0.05) },
      calendarDays: BY_DATE.map(([date, expected]) => ({ date, ...toEffect(expected) })),
      exposureDays: BY_EXPOSURE.map((expected, day) => ({ day, ...toEffect(expected) })),
      trend: { summary: "The effect wears off.", verdict: "wearsOff", ...TREND },
    });
  });

  test("has no verdict before the planned end of a sequential experiment", async () => {
    const { trend } = await read(await loaded("sequential", { sequentialTesting: true, duration: 30 }));
    expect(trend).toEqual({
      summary: "No verdict before the planned end.",
      reason: "The test holds for one look, at the planned end.",
      ...TREND,
    });
  });

  test("calls an effect that grows, and shows no change of one that stays", async () => {
    const growing = await loaded("grows", {}, (group, unit, day) => purchase("control", unit, day) + (group === "test" ? 2 * day : 0));
    expect((await read(growing)).trend).toMatchObject({ summary: "The effect grows.", verdict: "grows", change: close(8) });
    const stable = await loaded("stays", {}, (group, unit, day) => purchase("control", unit, day) + (group === "test" ? 5 : 0));
    const { trend } = await read(stable);
    expect(trend).toMatchObject({ summary: "No change in the effect is shown.", verdict: "noChange", averageChange: close(5) });
  });

  test("computes ratios by day without a trend, and rates without an interval where the data doesn't support one", async () => {
    const price = await read(id, "Price::mean");
    expect(price.exposureDays[0]).toMatchObject(toEffect(BY_EXPOSURE[0] as Expected));
    expect(price.trend).toEqual({
      summary: "Not tested for a change.",
      reason: "Ratios aren’t tested for a change, because a unit may have no denominator on a day.",
    });
    const { exposureDays, trend } = await read(id, "Buyers::event_user");
    const reason = "All units have the same value, so chance explains nothing.";
    expect(exposureDays[0]).toEqual({ day: 0, controlUnits: 40, testUnits: 40, controlMean: 1, testMean: 1, reason });
    expect(trend).toMatchObject({ summary: "Not enough data to test for a change.", reason, days: 5 });
    expect(trend).not.toHaveProperty("verdict");
  });

  test("names why a metric isn't computed, and what is missing for a trend", async () => {
    expect(await read(id, "Checkout::funnel")).toMatchObject({
      ...{ calendarDays: [], exposureDays: [] },
      reason: "Funnels, retention, and the activity of users depend on what a unit did on several days.",
    });
    expect(await read(id, "Gone::sum")).toMatchObject({ reason: "The metric does not exist." });
    const unstarted = await pulse.experiment("not yet", { status: "setup", primaryMetrics: METRICS });
    expect(await read(unstarted)).toMatchObject({ calendarDays: [], reason: "No results update has computed this metric yet." });
    const young = await pulse.experiment("young", { primaryMetrics: METRICS });
    const time = server.clock.now;
    server.clock.now += DAY_MS + 2 * HOUR_MS;
    await pulse.log(young, buyers(false), time);
    await pulse.load(young);
    const { exposureDays, trend } = await read(young);
    expect(exposureDays.length).toBe(1);
    expect(trend).toEqual({ summary: "Not tested for a change.", reason: "At least half of each group’s units need 3 full days of data." });
  });

  // Last, since the tests above need all days.
  test("says that events were deleted, once the experiment is decided and its events are no longer kept", async () => {
    const day = Math.floor(server.clock.now / DAY_MS);
    await server.database.db.$executeRaw`insert into dropped_event_day ("day") values (${day})`;
    expect(await read(id)).not.toHaveProperty("reason");
    await server.client.abandonExperiment({ path: { id }, body: { decisionReason: "No effect lasts." } });
    expect(await read(id)).toMatchObject({
      ...{ calendarDays: [], exposureDays: [] },
      reason: "Some events from the experiment’s days have been deleted, so the effect by day can’t be computed.",
    });
  });
});
