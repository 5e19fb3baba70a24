import pino from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { archiveMetrics } from "../../src/jobs/archive-metrics.ts";
import { makeKey } from "../support/keys.ts";
import { conflicting, invalid, refusal, startServer, type TestServer } from "../support/server.ts";

const PATH = "/console/v1/metrics";
const DAY_MS = 86_400_000;
const MIDNIGHT = Math.ceil(Date.now() / DAY_MS) * DAY_MS;

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const metricEvents = [{ name: "purchase" }];
const create = (name: string, rest: object = {}) =>
  server.client.createMetric({ body: { name, type: "event_user", metricEvents, ...rest } });
const toPath = (name: string) => ({ id: `${name}::event_user` });
const archiveDue = () => archiveMetrics.run({ database: server.database, log: pino({ level: "silent" }), now: () => server.clock.now });
const listNames = ({ data }: { data: { name: string }[] }) => data.map(({ name }) => name);

describe("createMetric", () => {
  test("201: only the name, the type and what it computes are required; the rest has defaults", async () => {
    const { data, message } = await create("Checkouts");
    expect(message).toBe("Metric created successfully.");
    expect(data).toEqual({
      id: "Checkouts::event_user",
      name: "Checkouts",
      type: "event_user",
      description: "",
      directionality: "increase",
      tags: [],
      unitTypes: [],
      metricEvents: [{ name: "purchase", type: "count" }],
      metricComponentMetrics: [],
      funnelEventList: [],
      rollupTimeWindow: "max",
      isVerified: false,
      isReadOnly: false,
      isPermanent: false,
      isHidden: false,
      archiveTime: null,
      lineage: { events: ["purchase"], metrics: [] },
      team: null,
      teamID: null,
      creatorID: expect.stringMatching(/^key_/),
      creatorName: "CONSOLE API",
      creatorEmail: null,
      createdTime: server.clock.now,
      lastModifierID: expect.stringMatching(/^key_/),
      lastModifierName: "CONSOLE API",
      lastModifierEmail: null,
      lastModifiedTime: server.clock.now,
      version: 1,
    });
  });

  test("201: metrics of different types can have the same name", async () => {
    await create("Same name");
    expect((await create("Same name", { type: "event_count_custom" })).data.id).toBe("Same name::event_count_custom");
  });

  test("201: with dryRun returns the metric, and stores nothing", async () => {
    const { data } = await create("only tried", { dryRun: true });
    expect(data).toMatchObject({ name: "only tried", version: 1 });
    expect(data).not.toHaveProperty("dryRun");
    expect((await refusal(server.client.getMetric({ path: toPath("only tried") }))).status).toBe(404);
  });

  test("201: a metric may be named before it exists, and may name one that does not exist", async () => {
    const monitoringMetrics = [{ name: "Later", type: "event_user" }];
    await server.client.createGate({ body: { name: "Names early", monitoringMetrics } });
    const parts = [monitoringMetrics[0], { name: "Never", type: "event_user" }];
    const { data } = await create("Adds up", { type: "composite", metricEvents: [], metricComponentMetrics: parts });
    expect(data.lineage).toEqual({ events: [], metrics: ["Later::event_user", "Never::event_user"] });
    await create("Later");
    expect((await refusal(server.client.deleteMetric({ path: toPath("Later") }))).message).toBe(
      "Metric Later::event_user cannot be deleted: it is referenced by gate names_early, metric Adds up::composite. Use forceArchive to do it anyway.",
    );
  });

  test("400: the name that is a path of metric sources, and a source that does not exist", async () => {
    expect((await refusal(create("metric_source"))).errors).toEqual([
      { property: "name", errorMessage: "cannot be metric_source, because that path is of metric sources" },
    ]);
    const warehouseNative = { aggregation: "count", metricSourceName: "nowhere" };
    expect(await refusal(create("Of nowhere", { type: "user_warehouse", metricEvents: [], warehouseNative }))).toEqual(
      invalid(["warehouseNative.metricSourceName", "references metric source nowhere, which does not exist"]),
    );
  });

  test("403: marking a metric as verified needs the permission for that", async () => {
    await server.client.createRole({ body: { name: "Analyst", permissions: { read: true, metric_management: true } } });
    const { key } = await makeKey(server, { type: "CONSOLE", scopes: ["omni_read_write"], role: "Analyst" });
    const body = { name: "Trusted", type: "event_user", metricEvents, isVerified: true };
    const { status, body: answer } = await server.send("POST", PATH, { key, body });
    expect([status, answer.message]).toEqual([403, expect.stringContaining("verify_metrics")]);
    expect((await server.send("POST", PATH, { key, body: { ...body, isVerified: false } })).status).toBe(201);
  });

  test("409: a metric with the same name and type exists", async () => {
    await create("taken");
    expect(await refusal(create("taken"))).toEqual(conflicting("Metric taken::event_user already exists.", "id"));
  });
});

describe("listMetrics", () => {
  test("200: newest first, by tags and by search, without archived ones unless they are asked for", async () => {
    const own = await startServer();
    const make = async (name: string, tags: string[]) => {
      own.clock.now += 1000;
      await own.client.createMetric({ body: { name, type: "event_user", metricEvents, tags } });
    };
    await make("First", ["a"]);
    await make("Second", ["a", "b"]);
    await make("Third", []);
    await own.client.scheduleMetricArchive({ path: toPath("Second") });
    own.clock.now = MIDNIGHT;
    await archiveMetrics.run({ database: own.database, log: pino({ level: "silent" }), now: () => own.clock.now });
    const list = async (query: object) => listNames(await own.client.listMetrics({ query }));
    const found = [await list({}), await list({ showHiddenMetrics: true, tags: ["a"] }), await list({ search: "thi" })];
    await own.close();
    expect(found).toEqual([["Third", "First"], ["Second", "First"], ["Third"]]);
  });
});

describe("getMetric and getMetricByName", () => {
  test("200: the same metric, by its id and by its name and type, percent-encoded", async () => {
    const name = "Items / order: 50% (net)";
    const { data } = await create(name);
    expect((await server.client.getMetric({ path: { id: data.id } })).data).toEqual(data);
    expect((await server.client.getMetricByName({ path: { name, type: "event_user" } })).data).toEqual(data);
    expect((await refusal(server.client.getMetricByName({ path: { name, type: "sum" } }))).message).toBe(
      `Metric ${name}::sum does not exist.`,
    );
  });

  test("200: paths of metric sources are not of metrics", async () => {
    await server.client.createMetricSource({ body: { name: "versions", sql: "select 1", timestampColumn: "at", idTypeMapping: [] } });
    const { body } = await server.send("GET", `${PATH}/metric_source/versions`);
    expect(body.message).toBe("Metric source read successfully.");
  });
});

describe("updateMetric", () => {
  test("200: omitted fields keep their values, and the body of a GET can be edited and sent back", async () => {
    const { data: metric } = await create("Edited", { tags: ["a"], description: "Before." });
    const body = { ...metric, description: "After." };
    const { data } = (await server.send("POST", `${PATH}/Edited%3A%3Aevent_user`, { body })).body;
    expect(data).toEqual({ ...metric, description: "After.", version: 2, lastModifiedTime: server.clock.now });
    const { data: later } = await server.client.updateMetric({ path: toPath("Edited"), body: { directionality: "decrease" } });
    expect(later).toEqual({ ...data, directionality: "decrease", version: 3 });
  });

  test("200: with dryRun returns the changed metric, and stores nothing", async () => {
    const { data: metric, etag } = await create("Tried");
    const { data } = await server.client.updateMetric({ path: toPath("Tried"), body: { description: "tried", dryRun: true } });
    expect(data).toEqual({ ...metric, description: "tried", version: 2 });
    expect(await server.client.getMetric({ path: toPath("Tried") })).toMatchObject({ data: metric, etag });
  });

  test("400: another name or type, and a definition that would not be one", async () => {
    await create("Fixed");
    const body = { name: "Other", type: "sum" as const, metricEvents: [] };
    expect((await refusal(server.client.updateMetric({ path: toPath("Fixed"), body }))).errors).toEqual([
      { property: "name", errorMessage: "cannot be changed" },
      { property: "type", errorMessage: "cannot be changed" },
      { property: "metricEvents", errorMessage: "must have an event with type sum" },
    ]);
  });
});

describe("deleteMetric", () => {
  test("200: deletes the metric, and with forceArchive one that is referenced", async () => {
    await create("Brief");
    await server.client.createHoldout({ body: { name: "measures", monitoringMetrics: [{ name: "Brief", type: "event_user" }] } });
    const remove = (query?: { forceArchive: boolean }) => server.client.deleteMetric({ path: toPath("Brief"), ...(query && { query }) });
    expect((await refusal(remove())).status).toBe(409);
    expect(await remove({ forceArchive: true })).toEqual({ message: "Metric deleted successfully." });
    expect((await refusal(server.client.getMetric({ path: toPath("Brief") }))).status).toBe(404);
  });

  test("409: the metric is permanent", async () => {
    await create("Kept", { isPermanent: true });
    const refused = { status: 409, message: "Metric Kept::event_user cannot be deleted: it is permanent." };
    expect(await refusal(server.client.deleteMetric({ path: toPath("Kept"), query: { forceArchive: true } }))).toMatchObject(refused);
  });
});

describe("the archiving of a metric", () => {
  test("happens when the next day begins, once; then it cannot be changed until it is unarchived", async () => {
    server.clock.now = MIDNIGHT - 1;
    await create("Obsolete");
    const path = toPath("Obsolete");
    const { data, message } = await server.client.scheduleMetricArchive({ path });
    expect([message, data.archiveTime, data.isHidden]).toEqual(["Metric archive scheduled successfully for next day.", MIDNIGHT, false]);
    await archiveDue();
    expect((await server.client.getMetric({ path })).data.version).toBe(2);
    server.clock.now = MIDNIGHT;
    await Promise.all([archiveDue(), archiveDue()]);
    const { data: archived } = await server.client.getMetric({ path });
    expect([archived.isHidden, archived.archiveTime, archived.version]).toEqual([true, MIDNIGHT, 3]);
    expect((await refusal(server.client.updateMetric({ path, body: {} }))).message).toBe(
      "Metric Obsolete::event_user is archived. Unarchive it first.",
    );
    expect((await refusal(server.client.scheduleMetricArchive({ path }))).message).toBe("Metric Obsolete::event_user is archived already.");
    const { data: restored } = await server.client.restoreMetricVersion({ path: { ...path, version: 1 } });
    expect([restored.isHidden, restored.version]).toEqual([true, 4]);
    const { data: back } = await server.client.unarchiveMetric({ path });
    expect([back.isHidden, back.archiveTime]).toEqual([false, null]);
    await archiveDue();
    expect((await server.client.getMetric({ path })).data).toEqual(back);
    expect((await refusal(server.client.unarchiveMetric({ path }))).message).toBe("Metric Obsolete::event_user is not archived.");
  });

  test("can be called off until then", async () => {
    await create("Spared");
    const path = toPath("Spared");
    expect((await refusal(server.client.cancelMetricArchive({ path }))).message).toBe(
      "Metric Spared::event_user is not scheduled to be archived.",
    );
    await server.client.scheduleMetricArchive({ path });
    const { data } = await server.client.cancelMetricArchive({ path });
    server.clock.now += DAY_MS;
    await archiveDue();
    expect([data.archiveTime, (await server.client.getMetric({ path })).data.version]).toEqual([null, data.version]);
  });

  test("is refused for a metric that is permanent or referenced, and does not happen if the metric has become referenced", async () => {
    await create("Permanent", { isPermanent: true });
    expect((await refusal(server.client.scheduleMetricArchive({ path: toPath("Permanent") }))).message).toBe(
      "Metric Permanent::event_user cannot be archived: it is permanent.",
    );
    await create("Used late");
    const path = toPath("Used late");
    await server.client.scheduleMetricArchive({ path });
    await server.client.createGate({ body: { name: "late", monitoringMetrics: [{ name: "Used late", type: "event_user" }] } });
    expect((await refusal(server.client.scheduleMetricArchive({ path }))).status).toBe(409);
    server.clock.now += DAY_MS;
    await archiveDue();
    const { data } = await server.client.getMetric({ path });
    expect([data.isHidden, data.archiveTime]).toEqual([false, null]);
    const kept = await server.database.prisma.change.findMany({ where: { operationID: "archiveScheduledMetric", entityID: path.id } });
    expect(kept.map(({ version, reason }) => [version, reason])).toEqual([
      [3, "Metric Used late::event_user cannot be archived: it is referenced by gate late."],
    ]);
  });
});

describe("the lists of what has to do with a metric", () => {
  test("find the longest name of a metric among changes and references", async () => {
    const { client } = server;
    const name = "M".repeat(200);
    const { data } = await client.createMetric({ body: { name, type: "event_count_custom", metricEvents: [{ name: "buy" }] } });
    const { data: gate } = await client.createGate({ body: { name: "long monitor", monitoringMetrics: [{ name, type: data.type }] } });
    expect((await client.listReferences({ query: { type: "metric", id: data.id } })).data).toMatchObject([{ type: "gate", id: gate.id }]);
    expect((await client.listChanges({ query: { entityID: data.id } })).data).toMatchObject([{ entityType: "metric", entityID: data.id }]);
  });

  test("listMetricExperiments: the experiments that name it in any list, without archived ones", async () => {
    const named = [{ name: "Goal", type: "event_user" }];
    await create("Goal");
    const experiment = (name: string, lists: object) => server.client.createExperiment({ body: { name, ...lists } });
    await experiment("first goal", { primaryMetrics: named });
    await experiment("second goal", { secondaryMetrics: named, otherMetrics: named });
    await experiment("gone goal", { primaryMetrics: named });
    await experiment("no goal", { primaryMetrics: [{ name: "Goal", type: "sum" }] });
    await server.client.archiveExperiment({ path: { id: "gone_goal" }, body: {} });
    const { data, pagination } = await server.client.listMetricExperiments({ path: toPath("Goal") });
    expect([data.map(({ id }) => id).sort(), pagination.totalItems]).toEqual([["first_goal", "second_goal"], 2]);
  });

  test("listEventMetrics: metrics that are computed from the event, including those with it as a step", async () => {
    await create("Of signup", { metricEvents: [{ name: "signup" }, { name: "purchase" }] });
    const steps = [
      { name: "signup", type: "event_dau" },
      { name: "purchase", type: "event_dau" },
    ];
    await create("Signup funnel", { type: "funnel", metricEvents: [], funnelEventList: steps });
    expect(listNames(await server.client.listEventMetrics({ path: { eventName: "signup" } })).sort()).toEqual([
      "Of signup",
      "Signup funnel",
    ]);
    expect(listNames(await server.client.listEventMetrics({ path: { eventName: "never logged" } }))).toEqual([]);
  });

  test("listMetricSourceMetrics: metrics that are computed from the source, which cannot be deleted while they exist", async () => {
    await server.client.createMetricSource({ body: { name: "orders", sql: "select 1", timestampColumn: "at", idTypeMapping: [] } });
    const path = { name: "orders" };
    const warehouseNative = { aggregation: "sum", metricSourceName: "orders", valueColumn: "total" };
    await create("Revenue", { type: "user_warehouse", metricEvents: [], warehouseNative });
    expect(listNames(await server.client.listMetricSourceMetrics({ path }))).toEqual(["Revenue"]);
    expect((await refusal(server.client.deleteMetricSource({ path }))).message).toBe(
      "Metric source orders cannot be deleted: it is referenced by metric Revenue::user_warehouse. Use forceArchive to do it anyway.",
    );
    await server.client.deleteMetricSource({ path, query: { forceArchive: true } });
  });
});
