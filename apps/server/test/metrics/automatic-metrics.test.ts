import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { onClickHouse } from "../support/database.ts";
import { DAY_MS, HOUR_MS, pulseOn } from "../support/pulse.ts";
import { invalid, refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
let today: number;
const formatDate = (time: number) => new Date(time).toISOString().slice(0, 10);

/** How many days ago each user does something. */
const ACTIVE = { ana: [9, 2, 0], ben: [2, 1], cem: [1], dora: [0] };
const USER_METRICS = ["dau", "mau_28day", "monthly_stickiness", "new_dau", "wau", "weekly_stickiness"];

beforeAll(async () => {
  server = await startServer();
  today = Math.floor(server.clock.now / DAY_MS) * DAY_MS + 20 * DAY_MS;
  for (const ago of [9, 2, 1, 0]) {
    server.clock.now = today - ago * DAY_MS + 20 * HOUR_MS;
    const time = today - ago * DAY_MS + HOUR_MS;
    const active = Object.entries(ACTIVE).filter(([, days]) => days.includes(ago));
    const events = active.flatMap(([userID]) => [
      { eventName: "View", user: { userID }, time },
      { eventName: "pay", user: { userID }, value: 3, time: time + 1 },
      { eventName: "pay", user: { userID }, value: 4, time: time + 2 },
    ]);
    const shown = { eventName: "statsig::gate_exposure", user: { userID: "passer-by" }, metadata: { gate: "g", gateValue: "true" }, time };
    await server.evaluation.logEvent({ body: { events: [...events, shown] } });
  }
});
afterAll(() => server.close());

const listIDs = (metrics: readonly { id: string }[]) => metrics.map(({ id }) => id);
const listed = async (query: object) => {
  const { data, pagination } = await server.client.listMetrics({ query: { automatic: true, ...query } });
  return { ids: listIDs(data), total: pagination.totalItems };
};
const ALL = [...["dau", "mau_28day", "monthly_stickiness", "new_dau"], "pay", "View", "wau", "weekly_stickiness"].map(
  (name) => `${name}::${USER_METRICS.includes(name) ? "user" : "event_count"}`,
);

describe("listMetrics", () => {
  test("returns automatic metrics on request, one for each event name except exposures", async () => {
    expect(await listed({ sort: "name" })).toEqual({ ids: ALL, total: 8 });
    expect((await server.client.listMetrics({})).data).toEqual([]);
  });

  test("divides automatic metrics into pages, in each order", async () => {
    const pages = await Promise.all([1, 2, 3].map((page) => listed({ sort: "name", limit: 3, page })));
    expect(pages.flatMap(({ ids }) => ids)).toEqual(ALL);
    expect(pages.map(({ total }) => total)).toEqual([8, 8, 8]);
    expect((await listed({ sort: "name", order: "desc" })).ids).toEqual([...ALL].reverse());
    const { data } = await server.client.listMetrics({ query: { automatic: true } });
    expect(data.map(({ createdTime }) => createdTime)).toEqual(data.map(({ createdTime }) => createdTime).toSorted((a, b) => b - a));
  });

  test("finds automatic metrics by each word of a search, in upper or lower case", async () => {
    expect((await listed({ search: "view" })).ids).toEqual(["View::event_count"]);
    expect((await listed({ search: "STICK week" })).ids).toEqual(["weekly_stickiness::user"]);
    expect(await listed({ search: "pay weekly" })).toEqual({ ids: [], total: 0 });
  });

  test("finds no automatic metric by a tag", async () => {
    expect(await listed({ tags: ["core"] })).toEqual({ ids: [], total: 0 });
  });
});

describe("getMetric", () => {
  test("answers an automatic metric with its definition, which has never changed", async () => {
    const { data } = await server.client.getMetric({ path: { id: "pay::event_count" } });
    const createdTime = today - 9 * DAY_MS + HOUR_MS + 1;
    expect(data).toMatchObject({
      type: "event_count",
      name: "pay",
      version: 1,
      createdTime,
      lastModifiedTime: createdTime,
      isReadOnly: true,
    });
    expect(data).toMatchObject({ metricEvents: [{ name: "pay", type: "count" }], lineage: { events: ["pay"], metrics: [] } });
    expect(data.description).toBe("How many events pay a unit has since its first exposure.");
    const byName = await server.client.getMetricByName({ path: { name: "wau", type: "user" } });
    expect(byName.data).toMatchObject({ id: "wau::user", lineage: { events: [], metrics: [] }, isPermanent: true });
  });

  test("answers 404 for events that were never logged, for exposures, and for users' metrics that do not exist", async () => {
    for (const id of ["never::event_count", "statsig::gate_exposure::event_count", "l7::user", "::event_count", "dau"])
      expect(await refusal(server.client.getMetric({ path: { id } }))).toMatchObject({ status: 404 });
  });
});

describe("an automatic metric", () => {
  test("cannot be written, and says so", async () => {
    const path = { id: "dau::user" };
    const automatic = {
      status: 409,
      errors: [{ property: "id", errorMessage: "Metric dau::user is automatic: it can be neither changed nor deleted." }],
    };
    expect(await refusal(server.client.updateMetric({ path, body: { description: "" } }))).toMatchObject(automatic);
    expect(await refusal(server.client.deleteMetric({ path }))).toMatchObject(automatic);
    expect(await refusal(server.client.scheduleMetricArchive({ path }))).toMatchObject(automatic);
    expect(await refusal(server.client.cancelMetricArchive({ path }))).toMatchObject(automatic);
    expect(await refusal(server.client.unarchiveMetric({ path }))).toMatchObject(automatic);
    expect(await refusal(server.client.restoreMetricVersion({ path: { ...path, version: 1 } }))).toMatchObject(automatic);
    const never = { path: { id: "never::event_count" } };
    expect(await refusal(server.client.deleteMetric(never))).toMatchObject({ status: 404 });
  });

  test("has no versions", async () => {
    expect(await refusal(server.client.listMetricVersions({ path: { id: "dau::user" } }))).toMatchObject({ status: 404 });
  });

  test("cannot be created", async () => {
    for (const type of ["user", "event_count"])
      expect(await refusal(server.client.createMetric({ body: { name: "wau2", type: type as "sum" } }))).toMatchObject({ status: 400 });
  });
});

describe("listEventMetrics", () => {
  test("begins with the metric that counts the event, on exact pages", async () => {
    const { id } = (await server.client.createMetric({ body: { name: "Paid", type: "sum", metricEvents: [{ name: "pay" }] } })).data;
    const readPage = async (page: number) => {
      const { data, pagination } = await server.client.listEventMetrics({ path: { eventName: "pay" }, query: { limit: 1, page } });
      return [...listIDs(data), pagination.totalItems];
    };
    expect(await readPage(1)).toEqual(["pay::event_count", 2]);
    expect(await readPage(2)).toEqual([id, 2]);
    expect(await readPage(3)).toEqual([2]);
    expect((await server.client.listEventMetrics({ path: { eventName: "never" } })).data).toEqual([]);
    await server.client.deleteMetric({ path: { id } });
  });
});

/** The last three days, the earliest first. */
async function previewDays(name: string, type: "user" | "event_count" = "user") {
  const { data } = await server.client.previewMetric({ body: { type, name, days: 3 } });
  return data.days.map(({ date: _, ...rest }) => rest);
}

describe("previewMetric answers for each day", () => {
  const units = (...counts: number[]) => counts.map((value) => ({ value, row_count: value }));
  const ratios = (...given: [number, number][]) =>
    given.map(([numerator, denominator]) => ({ value: numerator / denominator, row_count: denominator, numerator, denominator }));

  test("how many users were active on it, within 7 days and within 28", async () => {
    expect(await previewDays("dau")).toEqual(units(2, 2, 2));
    expect(await previewDays("wau")).toEqual(units(2, 3, 4));
    expect(await previewDays("mau_28day")).toEqual(units(2, 3, 4));
    const weekEarlier = await server.client.previewMetric({ body: { type: "user", name: "wau", days: 10 } });
    expect(weekEarlier.data.days.map(({ value }) => value)).toEqual([1, 1, 1, 1, 1, 1, 1, 2, 3, 4]);
  });

  test("how many users were new", async () => {
    expect(await previewDays("new_dau")).toEqual(units(1, 1, 1));
  });

  test("how sticky users were", async () => {
    expect(await previewDays("weekly_stickiness")).toEqual(ratios([2, 2], [2, 3], [2, 4]));
    expect(await previewDays("monthly_stickiness")).toEqual(ratios([2, 2], [2, 3], [2, 4]));
  });

  test("how many events of a name there were", async () => {
    expect(await previewDays("pay", "event_count")).toEqual([4, 4, 4].map((value) => ({ value, row_count: 2 })));
  });

  test("nothing for an automatic metric that does not exist", async () => {
    const refused = (body: object) => refusal(server.client.previewMetric({ body: body as never }));
    expect(await refused({ type: "user", name: "l7" })).toMatchObject(invalid(["name", "names the metric l7::user, which does not exist"]));
    expect(await refused({ type: "user" })).toMatchObject(invalid(["name", "is required with type user"]));
    expect(await refused({ type: "user", name: "dau", metricEvents: [{ name: "pay" }] })).toMatchObject(
      invalid(["metricEvents", "must be left out with type user"]),
    );
  });
});

describe("the value of an automatic metric on a day", () => {
  const date = () => formatDate(today - DAY_MS);

  test("is answered by getMetricValue", async () => {
    const { data } = await server.client.getMetricValue({ query: { id: "wau::user", date: date() } });
    expect(data).toEqual([{ value: 3, unit_type: "userID", row_count: 3 }]);
  });

  test("is answered by listMetricValues for a type of automatic metrics", async () => {
    const readValues = async (metricType: "user" | "event_count") =>
      (await server.client.listMetricValues({ query: { date: date(), metricType } })).data.map(({ metricName, value }) => [
        metricName,
        value,
      ]);
    expect((await readValues("user")).toSorted()).toEqual(
      [
        ["dau", 2],
        ["mau_28day", 3],
        ["monthly_stickiness", 2 / 3],
        ["new_dau", 1],
        ["wau", 3],
        ["weekly_stickiness", 2 / 3],
      ].toSorted(),
    );
    expect((await readValues("event_count")).toSorted()).toEqual([
      ["View", 2],
      ["pay", 4],
    ]);
    const named = await server.client.listMetricValues({ query: { date: date(), metricType: "user", metricName: "dau" } });
    expect(named.pagination.totalItems).toBe(1);
  });

  test("has a statement that can be read", async () => {
    const { data } = await server.client.getMetricSql({ path: { id: "wau::user" } });
    expect(data.sql).toContain(onClickHouse ? `not startsWith("name", 'statsig::')` : `not starts_with("name", 'statsig::'::text)`);
  });
});

describe("computePower", () => {
  test("computes units' activity from their first events on", async () => {
    const { data } = await server.client.computePower({ body: { metric: { name: "pay", type: "event_count" }, days: 3 } });
    expect(data.days.at(-1)?.unitsPerGroup).toBeGreaterThan(0);
    const fresh = await server.client.computePower({ body: { metric: { name: "new_dau", type: "user" }, days: 3 } });
    // Of ana, ben, cem and the passer-by: ana was active before, and the passer-by never.
    expect(fresh.data.days.at(-1)?.mean).toBe(0.5);
  });
});

describe("the results of an experiment", () => {
  test("have its automatic metrics, counted from each unit's first exposure on, and its health misses only those that do not exist", async () => {
    const pulse = pulseOn(server);
    const metric = (name: string, type: string) => ({ name, type });
    server.clock.now = today + DAY_MS;
    const id = await pulse.experiment("With automatic metrics", {
      primaryMetrics: [metric("buy", "event_count"), ...USER_METRICS.map((name) => metric(name, "user")), metric("never", "event_count")],
    });
    const start = server.clock.now;
    const day = (count: number) => count * DAY_MS;
    const bought = (...times: number[]) => times.map((afterMs) => ({ value: 1, afterMs }));
    const buyers = [
      // Active on the days 0 and 2 of 10, and within 7 days on the days 0 to 8.
      { unit: "u1", group: "test", purchases: bought(1, 2, day(2)) },
      // Did something before, and later on day 1: within 7 days active on the days 1 to 7.
      { unit: "u2", group: "test", purchases: bought(-HOUR_MS, day(1)) },
      { unit: "u3", group: "control", purchases: bought(day(5)) },
      { unit: "u4", group: "control", purchases: bought(day(9)) },
    ];
    server.clock.now = start + day(10) - HOUR_MS;
    await pulse.log(id, buyers, start + 1);
    server.clock.now = start + day(10);
    const load = await pulse.load(id);
    expect(load).toMatchObject({ finishedState: "partial_failure" });
    expect(load.metrics.filter(({ state }) => state !== "success").map(({ metricID }) => metricID)).toEqual(["never::event_count"]);
    const { primaryMetrics } = await pulse.results(id);
    const means = Object.fromEntries(primaryMetrics.map(({ metricID, testMean, controlMean }) => [metricID, [testMean, controlMean]]));
    expect(means).toEqual({
      "buy::event_count": [2, 1],
      "dau::user": [3 / 20, 2 / 20],
      "wau::user": [16 / 20, 6 / 20],
      "mau_28day::user": [19 / 20, 6 / 20],
      "weekly_stickiness::user": [3 / 16, 2 / 6],
      "monthly_stickiness::user": [3 / 19, 2 / 6],
      "new_dau::user": [0.5, 1],
      "never::event_count": [undefined, undefined],
    });
    const { data } = await server.client.getExperiment({ path: { id } });
    const exist = data.healthChecks?.find(({ type }) => type === "user_metrics_exist");
    expect(exist?.metadata).toMatchObject({ missingMetrics: ["never::event_count"] });
    const using = await server.client.listMetricExperiments({ path: { id: "dau::user" } });
    expect(listIDs(using.data)).toEqual([id]);
  });

  test("have a composite of counts", async () => {
    const composite = {
      name: "Pays and buys",
      type: "composite" as const,
      metricComponentMetrics: ["pay", "buy"].map((name) => ({ name, type: "event_count" })),
    };
    await server.client.createMetric({ body: composite });
    const { data } = await server.client.getMetricValue({ query: { id: "Pays and buys::composite", date: formatDate(today) } });
    expect(data).toEqual([{ value: 5, unit_type: "userID", row_count: 3 }]);
  });
});
