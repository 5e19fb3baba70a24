import type { Schema } from "@gatehouse/contract/console";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { onClickHouse } from "../support/database.ts";
import { DAY_MS, HOUR_MS } from "../support/pulse.ts";
import { invalid, refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
let today: number;
const formatDate = (time: number) => new Date(time).toISOString().slice(0, 10);

type Logged = {
  eventName: string;
  user: object;
  daysAgo: number;
  atHour?: number;
  value?: number | string;
  metadata?: Record<string, string>;
};

beforeAll(async () => {
  server = await startServer();
  today = Math.floor(server.clock.now / DAY_MS) * DAY_MS + 2 * DAY_MS;
  // Each event arrives on its day.
  for (const daysAgo of [2, 1, 0]) {
    server.clock.now = today - daysAgo * DAY_MS + 20 * HOUR_MS;
    const events = EVENTS.filter((one) => one.daysAgo === daysAgo).map(({ daysAgo: _, atHour = 1, ...event }) => ({
      ...event,
      time: today - daysAgo * DAY_MS + atHour * HOUR_MS,
    }));
    await server.evaluation.logEvent({ body: { events } });
  }
});
afterAll(() => server.close());

const ana = { userID: "ana", customIDs: { companyID: "acme" } };
const ben = { userID: "ben", customIDs: { companyID: "acme" } };
const EVENTS: Logged[] = [
  { eventName: "view", user: ana, daysAgo: 2 },
  { eventName: "buy", user: ana, daysAgo: 2, atHour: 2, value: 10, metadata: { items: "2", sku: "a" } },
  { eventName: "buy", user: ana, daysAgo: 2, atHour: 3, value: 5, metadata: { items: "1", sku: "b" } },
  { eventName: "buy", user: ben, daysAgo: 2, atHour: 4, value: 1, metadata: { items: "1", sku: "a" } },
  { eventName: "ping", user: ana, daysAgo: 1 },
  { eventName: "view", user: ben, daysAgo: 0 },
  { eventName: "view", user: ana, daysAgo: 0 },
  { eventName: "buy", user: ana, daysAgo: 0, atHour: 5, value: "free" },
  { eventName: "view", user: { userID: "", customIDs: { companyID: "solo" } }, daysAgo: 0 },
];

type Definition = Omit<Parameters<TestServer["client"]["previewMetric"]>[0]["body"], "days">;

/** The values of the last three days, the earliest first. */
async function previewDays(body: Definition) {
  const { data } = await server.client.previewMetric({ body: { ...body, days: 3 } });
  expect(data.days.map(({ date }) => date)).toEqual([2, 1, 0].map((ago) => formatDate(today - ago * DAY_MS)));
  return data.days.map(({ date: _, ...rest }) => rest);
}

const warehouse = (aggregation: string, more: object = {}) =>
  ({ type: "user_warehouse", metricEvents: [{ name: "buy" }], warehouseNative: { aggregation, ...more } }) as Definition;

describe("previewMetric answers for each day", () => {
  test("how many events there are, and of how many users", async () => {
    expect(await previewDays({ type: "event_count_custom", metricEvents: [{ name: "buy" }] })).toEqual([
      { value: 3, row_count: 2 },
      { value: 0, row_count: 0 },
      { value: 1, row_count: 1 },
    ]);
  });

  test("how many users have an event that meets the criteria", async () => {
    const criteria: Schema<"MetricCriterion">[] = [{ type: "metadata", column: "sku", condition: "in", values: ["a"] }];
    expect(await previewDays({ type: "event_user", metricEvents: [{ name: "buy", criteria }] })).toEqual([
      { value: 2, row_count: 2 },
      { value: 0, row_count: 0 },
      { value: 0, row_count: 0 },
    ]);
  });

  test("how many users take part, even if results show their share of days", async () => {
    const given: Definition = { type: "event_user", metricEvents: [{ name: "view" }], rollupTimeWindow: "daily_participation_rate" };
    expect((await previewDays(given)).map(({ value }) => value)).toEqual([1, 0, 2]);
  });

  test("the sum of numbers, ignoring texts that are not numbers", async () => {
    expect(await previewDays({ type: "sum", metricEvents: [{ name: "buy" }] })).toEqual([
      { value: 16, row_count: 2 },
      { value: 0, row_count: 0 },
      { value: 0, row_count: 0 },
    ]);
  });

  test("the mean of an event's number, and none on days without numbers", async () => {
    expect(await previewDays({ type: "mean", metricEvents: [{ name: "buy" }] })).toEqual([
      { value: 16 / 3, row_count: 2, numerator: 16, denominator: 3 },
      { row_count: 0, numerator: 0, denominator: 0 },
      { row_count: 0, numerator: 0, denominator: 0 },
    ]);
  });

  test("a ratio of the sums of all users", async () => {
    const metricEvents = [
      { name: "buy", type: "metadata" as const, metadataKey: "items" },
      { name: "buy", type: "count" as const },
    ];
    expect((await previewDays({ type: "ratio", metricEvents }))[0]).toEqual({ value: 4 / 3, row_count: 2, numerator: 4, denominator: 3 });
  });

  test("the share of users starting a funnel that day that complete it", async () => {
    const funnelEventList = [
      { name: "view", type: "event_dau" as const },
      { name: "buy", type: "event_dau" as const },
    ];
    expect(await previewDays({ type: "funnel", funnelEventList })).toEqual([
      { value: 1, row_count: 1, numerator: 1, denominator: 1 },
      { row_count: 0, numerator: 0, denominator: 0 },
      { value: 1 / 2, row_count: 2, numerator: 1, denominator: 2 },
    ]);
  });

  test("how many users reach each step of a funnel", async () => {
    const funnelEventList = ["view", "buy", "ping"].map((name) => ({ name, type: "event_dau" as const }));
    const { data } = await server.client.previewMetric({ body: { type: "funnel", funnelEventList, days: 3 } });
    expect(data.steps).toEqual([
      { name: "view", counts: [1, 0, 2] },
      { name: "buy", counts: [1, 0, 1] },
      { name: "ping", counts: [0, 0, 0] },
    ]);
    expect((await server.client.previewMetric({ body: { type: "sum", metricEvents: [{ name: "buy" }] } })).data).not.toHaveProperty(
      "steps",
    );
  });

  test("the days that end with a date, which must exist and not be in the future", async () => {
    const definition: Definition = { type: "event_count_custom", metricEvents: [{ name: "buy" }] };
    const endDate = formatDate(today - DAY_MS);
    const { data } = await server.client.previewMetric({ body: { ...definition, days: 2, endDate } });
    expect(data.days).toEqual([
      { date: formatDate(today - 2 * DAY_MS), value: 3, row_count: 2 },
      { date: endDate, value: 0, row_count: 0 },
    ]);
    const faultOf = async (date: string) => (await refusal(server.client.previewMetric({ body: { ...definition, endDate: date } }))).errors;
    expect(await faultOf(formatDate(today + DAY_MS))).toEqual([{ property: "endDate", errorMessage: "must not be in the future" }]);
    expect(await faultOf("2025-02-30")).toEqual([{ property: "endDate", errorMessage: expect.any(String) }]);
  });

  test("the mean over users of the largest, the smallest, the first and the last number", async () => {
    const first = async (aggregation: string) => (await previewDays(warehouse(aggregation)))[0];
    expect(await first("max")).toEqual({ value: 5.5, row_count: 2, numerator: 11, denominator: 2 });
    expect(await first("min")).toEqual({ value: 3, row_count: 2, numerator: 6, denominator: 2 });
    expect(await first("first_value")).toEqual({ value: 5.5, row_count: 2, numerator: 11, denominator: 2 });
    expect(await first("latest_value")).toEqual({ value: 3, row_count: 2, numerator: 6, denominator: 2 });
  });

  test("a percentile of the events, and none on days without numbers", async () => {
    const preview = await server.client.previewMetric({ body: { ...warehouse("percentile", { percentile: 0.9 }), days: 3 } });
    expect(preview.data.sql).toContain(onClickHouse ? "quantileExactInclusiveIf(0.9)" : "percentile_cont(0.9)");
    expect(await previewDays(warehouse("percentile", { percentile: 0.9 }))).toEqual([
      { value: 9, row_count: 2 },
      { row_count: 0 },
      { row_count: 0 },
    ]);
  });

  test("how many different texts users have, and how many users reach a threshold", async () => {
    const distinct = {
      ...warehouse("count_distinct"),
      metricEvents: [{ name: "buy", type: "count_distinct" as const, metadataKey: "sku" }],
    };
    expect((await previewDays(distinct))[0]).toEqual({ value: 3, row_count: 2 });
    expect((await previewDays(warehouse("sum", { valueThreshold: 10 })))[0]).toEqual({ value: 1, row_count: 1 });
  });

  test("the sum of other metrics that exist", async () => {
    await server.client.createMetric({ body: { name: "Views", type: "event_count_custom", metricEvents: [{ name: "view" }] } });
    await server.client.createMetric({ body: { name: "Buys", type: "event_count_custom", metricEvents: [{ name: "buy" }] } });
    const metricComponentMetrics = ["Views", "Buys"].map((name) => ({ name, type: "event_count_custom" }));
    expect((await previewDays({ type: "composite", metricComponentMetrics })).map(({ value }) => value)).toEqual([4, 0, 3]);
  });

  test("the units of the type that is asked for", async () => {
    const given: Definition = { type: "event_user", metricEvents: [{ name: "view" }], unitType: "companyID" };
    expect((await previewDays(given)).map(({ value }) => value)).toEqual([1, 0, 2]);
  });
});

describe("previewMetric", () => {
  test("says why it computes nothing, and stores nothing", async () => {
    const { data } = await server.client.previewMetric({ body: warehouse("retention") });
    expect(data).toEqual({
      unitType: "userID",
      timeZone: "UTC",
      days: [],
      reason: "Whether units come back is not known of a single day.",
    });
    const { data: metrics } = await server.client.listMetrics({ query: { search: "Preview" } });
    expect(metrics).toEqual([]);
  });

  test("refuses a definition that could not be stored, at its places", async () => {
    expect(await refusal(server.client.previewMetric({ body: { type: "ratio", metricEvents: [{ name: "buy" }] } }))).toMatchObject({
      status: 400,
      errors: [{ property: "metricEvents" }],
    });
  });

  test("answers a statement that computes the same when it is run by hand", async () => {
    const body: Definition = { type: "sum", metricEvents: [{ name: "buy" }] };
    const { data } = await server.client.previewMetric({ body: { ...body, days: 3 } });
    const rows = await server.database.analyse<{ day: number; numerator: number }>(data.sql ?? "", [], {
      timeoutMs: 10_000,
      signal: new AbortController().signal,
    });
    expect(rows.map(({ day, numerator }) => [Number(day), numerator])).toEqual([
      [1, 16],
      [3, 0],
    ]);
  });
});

describe("values of stored metrics", () => {
  test("are those of one day, one for each unit ID type of the metric", async () => {
    const given = { name: "Viewers", type: "event_user", metricEvents: [{ name: "view" }], unitTypes: ["userID", "companyID"] } as const;
    await server.client.createUnitIDType({ body: { name: "companyID", description: "" } });
    await server.client.createMetric({ body: { ...given, metricEvents: [...given.metricEvents], unitTypes: [...given.unitTypes] } });
    const { data } = await server.client.getMetricValue({ query: { id: "Viewers::event_user", date: formatDate(today - 2 * DAY_MS) } });
    expect(data).toEqual([
      { value: 1, unit_type: "userID", row_count: 1 },
      { value: 1, unit_type: "companyID", row_count: 1 },
    ]);
  });

  test("are listed by day, name and type, without metrics that have none", async () => {
    const date = formatDate(today);
    await server.client.createMetric({ body: { name: "Income", type: "sum", metricEvents: [{ name: "buy" }] } });
    await server.client.createMetric({ body: { name: "Viewers", type: "event_count_custom", metricEvents: [{ name: "view" }] } });
    const { data, pagination } = await server.client.listMetricValues({ query: { date, metricName: "Viewers" } });
    expect(data.map(({ metricType, unitType, value }) => [metricType, unitType, value])).toEqual([
      ["event_count_custom", "userID", 2],
      ["event_user", "userID", 2],
      ["event_user", "companyID", 2],
    ]);
    expect(pagination.totalItems).toBe(2);
    const ofType = await server.client.listMetricValues({ query: { date, metricName: "Viewers", metricType: "event_user" } });
    expect(ofType.data.map(({ unitType }) => unitType)).toEqual(["userID", "companyID"]);
    const sums = await server.client.listMetricValues({ query: { date, metricType: "sum" } });
    expect(sums.data).toEqual([]);
  });

  test("are refused for future days and for missing metrics, and absent on days without activity", async () => {
    const id = "Viewers::event_user";
    expect(await refusal(server.client.getMetricValue({ query: { id, date: formatDate(today + DAY_MS) } }))).toEqual(
      invalid(["date", "must not be in the future"]),
    );
    expect((await server.client.getMetricValue({ query: { id, date: formatDate(today - DAY_MS) } })).data).toEqual([]);
    expect(await refusal(server.client.getMetricValue({ query: { id: "None::sum", date: formatDate(today) } }))).toMatchObject({
      status: 404,
      message: "Metric None::sum does not exist.",
    });
  });

  test("are refused of metrics that have none of a day", async () => {
    const body = {
      name: "Back again",
      type: "user_warehouse",
      metricEvents: [{ name: "buy" }],
      warehouseNative: { aggregation: "retention" },
    } as const;
    await server.client.createMetric({ body: { ...body, metricEvents: [...body.metricEvents] } });
    const id = "Back again::user_warehouse";
    const refused = invalid(["id", "has no value of a day: Whether units come back is not known of a single day."]);
    expect(await refusal(server.client.getMetricValue({ query: { id, date: formatDate(today) } }))).toEqual(refused);
    expect(await refusal(server.client.getMetricSql({ path: { id } }))).toEqual(refused);
  });

  test("are computed by the statement that getMetricSql answers", async () => {
    const { data } = await server.client.getMetricSql({ path: { id: "Viewers::event_user" }, query: { days: 3 } });
    const rows = await server.database.analyse<{ numerator: number }>(data.sql, [], {
      timeoutMs: 10_000,
      signal: new AbortController().signal,
    });
    expect(rows.map(({ numerator }) => numerator)).toEqual([1, 2]);
  });
});
