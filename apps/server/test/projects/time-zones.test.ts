import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dailyLoads } from "../../src/jobs/daily-loads.ts";
import { DAY_MS, HOUR_MS, pulseOn } from "../support/pulse.ts";
import { startServer, type TestServer } from "../support/server.ts";

const REVENUE = { name: "revenue", type: "sum" } as const;
const COUNT = { name: "count", type: "event_count_custom" } as const;

let server: TestServer;
let pulse: ReturnType<typeof pulseOn>;
beforeAll(async () => {
  server = await startServer();
  pulse = pulseOn(server);
  await pulse.metric("revenue");
  await pulse.metric("count", { type: "event_count_custom", metricEvents: [{ name: "buy", type: "count" }] });
});
afterAll(() => server.close());

const at = (text: string) => Date.parse(text);
const inZone = (timeZone: string) => server.client.updateProjectSettings({ body: { name: "default", visibility: "OPEN", timeZone } });

/**
 * An experiment that starts on the day before the first of some times. One unit buys for 1 just before the first time and for 10 at it, for
 * 100 just before the second and for 1,000 at it, and so on.
 */
async function buyAround(name: string, times: readonly number[]): Promise<string> {
  const start = (times[0] as number) - 2 * HOUR_MS;
  server.clock.now = start;
  const id = await pulse.experiment(name, { primaryMetrics: [REVENUE, COUNT] });
  server.clock.now = (times.at(-1) as number) + HOUR_MS;
  const purchases = times.flatMap((time, index) => [
    { value: 10 ** (2 * index), afterMs: time - 1 - (start + 1) },
    { value: 10 ** (2 * index + 1), afterMs: time - (start + 1) },
  ]);
  await pulse.log(
    id,
    [
      { unit: `${name} t1`, group: "test", purchases },
      { unit: `${name} t2`, group: "test", purchases: [] },
      { unit: `${name} c1`, group: "control", purchases: [] },
      { unit: `${name} c2`, group: "control", purchases: [] },
    ],
    start + 1,
  );
  await pulse.log(id, [{ unit: `${name} c3`, group: "control", purchases: [] }], times[0] as number);
  return id;
}

/** The last day has 24 hours if it is not over. */
const ZONES = [
  {
    zone: "Europe/Berlin",
    midnights: ["2027-03-26T23:00Z", "2027-03-27T23:00Z", "2027-03-28T22:00Z"],
    dates: ["2027-03-26", "2027-03-27", "2027-03-28", "2027-03-29"],
  },
  {
    zone: "Pacific/Auckland",
    midnights: ["2027-04-02T11:00Z", "2027-04-03T11:00Z", "2027-04-04T12:00Z"],
    dates: ["2027-04-02", "2027-04-03", "2027-04-04", "2027-04-05"],
  },
  {
    zone: "Asia/Kolkata",
    midnights: ["2027-05-09T18:30Z", "2027-05-10T18:30Z", "2027-05-11T18:30Z"],
    dates: ["2027-05-09", "2027-05-10", "2027-05-11", "2027-05-12"],
  },
  {
    zone: "America/Sao_Paulo",
    midnights: ["2027-06-10T03:00Z", "2027-06-11T03:00Z", "2027-06-12T03:00Z"],
    dates: ["2027-06-09", "2027-06-10", "2027-06-11", "2027-06-12"],
  },
];

describe.each(ZONES)("in $zone", ({ zone, midnights, dates }) => {
  const times = midnights.map(at);
  let id: string;
  beforeAll(async () => {
    await inZone(zone);
    id = await buyAround(zone.replace("/", " "), times);
  });

  test("each day of a series ends at midnight there, for any length of the day", async () => {
    expect(await pulse.load(id)).toMatchObject({ startDs: dates[0], endDs: dates[3], timeZone: zone });
    const { ds, timeZone, primaryMetrics } = await pulse.results(id, { series: true });
    expect([ds, timeZone]).toEqual([dates[3], zone]);
    const [revenue] = primaryMetrics;
    expect(revenue?.series?.map(({ date, testMean = 0, testUnits = 0 }) => [date, testMean * testUnits])).toEqual([
      [dates[0], 1],
      [dates[1], 111],
      [dates[2], 11_111],
      [dates[3], 111_111],
    ]);
  });

  test("results of a date are those of the end of that day, and other dates are refused by name", async () => {
    const { ds, primaryMetrics } = await pulse.results(id, { date: dates[1] });
    expect([ds, primaryMetrics[0]?.testTotal]).toEqual([dates[1], 111]);
    await expect(pulse.results(id, { date: "2027-01-01" })).rejects.toMatchObject({
      errors: [{ property: "date", errorMessage: `must be from ${dates[0]} to ${dates[3]}, the days that are loaded` }],
    });
  });

  test("exposures are counted by the days there", async () => {
    const body = await server.client.getExperimentCumulativeExposures({ path: { id } });
    expect(body).toMatchObject({
      timeZone: zone,
      data: [
        {
          groupID: "control",
          results: [
            { date: dates[0], exposures: 2 },
            { date: dates[1], exposures: 3 },
          ],
        },
        {
          groupID: "test",
          results: [
            { date: dates[0], exposures: 2 },
            { date: dates[1], exposures: 2 },
          ],
        },
      ],
    });
  });

  test("the value of a metric on a date and its preview are of the days there", async () => {
    const metricEvents = [{ name: "buy", type: "value" as const }];
    const { data } = await server.client.previewMetric({ body: { type: "sum", metricEvents, days: 4 } });
    expect([data.timeZone, data.days.map(({ date, value }) => [date, value])]).toEqual([
      zone,
      dates.map((date, index) => [date, [1, 110, 11_000, 100_000][index]]),
    ]);
    const values = await server.client.getMetricValue({ query: { id: "revenue::sum", date: dates[2] as string } });
    expect(values.data).toMatchObject([{ value: 11_000, row_count: 1 }]);
  });

  test("loads are due at the hour there, on the day of the week there", async () => {
    const days = times.map((time) => new Date(time + 12 * HOUR_MS).getUTCDay());
    const today = (times[2] as number) + 7 * DAY_MS;
    const own = await pulse.experiment(`due in ${zone.replace("/", " ")}`, {
      primaryMetrics: [REVENUE],
      scheduledReloadHour: 3,
      scheduledReloadDays: [days[2]],
    });
    const loads = async () => {
      await dailyLoads.run(pulse.env());
      return (await server.client.listExperimentPulseLoads({ path: { id: own } })).data.length;
    };
    // The day before is another day of the week.
    server.clock.now = today - HOUR_MS;
    expect(await loads()).toBe(0);
    server.clock.now = today + 3 * HOUR_MS - 1;
    expect(await loads()).toBe(0);
    server.clock.now = today + 3 * HOUR_MS;
    expect(await loads()).toBe(1);
    await pulse.run();
    server.clock.now += HOUR_MS;
    expect(await loads()).toBe(1);
  });
});

describe("a change of the time zone", () => {
  const midnights = ["2027-08-10T18:30Z", "2027-08-11T18:30Z"].map(at);

  test("leaves what is loaded with its days until it is loaded again, and never mixes days", async () => {
    await inZone("Asia/Kolkata");
    const id = await buyAround("moved", midnights);
    await pulse.load(id);
    const before = await pulse.results(id, { series: true });
    expect(before.timeZone).toBe("Asia/Kolkata");
    await inZone("UTC");
    expect(await pulse.results(id, { series: true })).toEqual(before);
    server.clock.now += 1;
    // One metric is loaded with the new days.
    await pulse.load(id, { refresh: "metric", metricIDs: ["revenue::sum"] });
    const { timeZone, primaryMetrics } = await pulse.results(id, { series: true });
    expect(timeZone).toBe("UTC");
    expect(primaryMetrics.map(({ series }) => series?.map(({ date }) => date))).toEqual([["2027-08-10", "2027-08-11"], undefined]);
    expect(primaryMetrics[1]?.testTotal).toBe(4);
    const [, other] = (await pulse.results(id, { date: "2027-08-10" })).primaryMetrics;
    expect(other?.reason).toBe("The last load counted the days of Asia/Kolkata. Load it again.");
    // An incremental load computes metrics with other days.
    server.clock.now += 1;
    const load = await pulse.load(id, { refresh: "incremental" });
    expect(load.metrics.map(({ metricID }) => metricID)).toEqual(["count::event_count_custom"]);
    const after = await pulse.results(id, { series: true });
    expect(after.primaryMetrics.map(({ series }) => series?.length)).toEqual([2, 2]);
  });
});
