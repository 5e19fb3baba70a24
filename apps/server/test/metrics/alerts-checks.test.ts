import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemContext } from "../../src/common/system-context.ts";
import { checked } from "../../src/console/alerts/alert-check.ts";
import { claimAlertCheck } from "../../src/console/alerts/alert-check-store.ts";
import { archiveMetrics } from "../../src/jobs/archive-metrics.ts";
import { toplineAlertChecks } from "../../src/jobs/topline-alert-checks.ts";
import { writeAs } from "../../src/jobs/write-as.ts";
import { repeating } from "../../src/store/database/unit-of-work.ts";
import { pulseOn } from "../support/pulse.ts";
import { refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
let pulse: ReturnType<typeof pulseOn>;
beforeAll(async () => {
  server = await startServer();
  pulse = pulseOn(server);
  // The middle of a day, so that the windows of a test are on one.
  server.clock.now = Math.ceil(server.clock.now / DAY_MS) * DAY_MS + DAY_MS / 2;
});
afterAll(() => server.close());

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const WINDOW_MS = 10 * MINUTE_MS;

type Body = Parameters<TestServer["client"]["createAlert"]>[0]["body"];

/** Creates an alert on a new metric, the sum of a new event's values. */
async function make(name: string, given: Partial<Body> = {}) {
  await server.client.createMetric({ body: { name, type: "sum", metricEvents: [{ name: `${name} event`, type: "value" }] } });
  const watched = { metrics: { A: { id: `${name}::sum` } }, windowMs: WINDOW_MS, priority: "P2" } as const;
  const body = { name, message: "Look.", alertType: "threshold", condition: "greater", alertThreshold: 100, ...watched, ...given } as const;
  return (await server.client.createAlert({ body })).data.id;
}

/** Logs events of users, so long ago. */
async function log(name: string, values: readonly number[], { agoMs = MINUTE_MS, tier = "production" } = {}): Promise<void> {
  const events = values.map((value, index) => ({
    eventName: `${name} event`,
    user: { userID: `u${index}`, statsigEnvironment: { tier } },
    value,
    time: server.clock.now - agoMs,
  }));
  await server.evaluation.logEvent({ body: { events } });
}

const check = () => toplineAlertChecks.run(pulse.env());
/** A window goes by, and the next check is due. */
async function checkLater(): Promise<void> {
  server.clock.now += WINDOW_MS + MINUTE_MS;
  await check();
}
const read = async (id: string) => (await server.client.getAlert({ path: { id } })).data;
const found = async (id: string) => {
  const { status, value, lastTriggeredTime } = await read(id);
  return { status, value, lastTriggeredTime };
};
const readEvents = async (id: string) => (await server.client.listAlertEvents({ path: { id } })).data;
const readEventTypes = async (id: string) => (await readEvents(id)).map(({ eventType }) => eventType);

describe("a check of an alert", () => {
  test("compares the sum over the window with the thresholds: a warning, an alert, and the end of both", async () => {
    const id = await make("steps", { warningThreshold: 50 });
    // Before the window, after it, and of another environment.
    await log("steps", [1_000], { agoMs: WINDOW_MS + 1 });
    await log("steps", [1_000], { agoMs: 0 });
    await log("steps", [1_000], { tier: "development" });
    await log("steps", [20, 30], { agoMs: WINDOW_MS });
    await check();
    expect(await read(id)).toMatchObject({
      status: "stable",
      statusReason: "The value of steps over the last 10 minutes is 50, which is not greater than the warning threshold of 50.",
      value: 50,
      checkedTime: server.clock.now,
      lastTriggeredTime: null,
      version: 1,
    });
    expect(await readEvents(id)).toEqual([]);

    server.clock.now += 2 * WINDOW_MS;
    await log("steps", [51]);
    await check();
    expect(await found(id)).toEqual({ status: "warn", value: 51, lastTriggeredTime: null });

    server.clock.now += MINUTE_MS;
    await log("steps", [49, 0.5]);
    await check();
    const raisedTime = server.clock.now;
    expect(await found(id)).toEqual({ status: "alert", value: 100.5, lastTriggeredTime: raisedTime });

    server.clock.now += MINUTE_MS;
    await check();
    await checkLater();
    expect(await found(id)).toEqual({ status: "stable", value: 0, lastTriggeredTime: raisedTime });
    const content = { message: "Look.", multiAlertGroupBys: {}, resolvedBy: null, id: expect.any(String) };
    expect(await readEvents(id)).toEqual([
      {
        ...{ ...content, eventType: "resolve", title: "Resolved: steps", value: 0, createdTime: server.clock.now },
        reason: "The value of steps over the last 10 minutes is 0, which is not greater than the warning threshold of 50.",
      },
      {
        ...{ ...content, eventType: "raise", title: "Alert: steps", value: 100.5, createdTime: raisedTime },
        reason: "The value of steps over the last 10 minutes is 100.5, which is greater than the alert threshold of 100.",
      },
      {
        ...{ ...content, eventType: "warn", title: "Warning: steps", value: 51, createdTime: raisedTime - MINUTE_MS },
        reason: "The value of steps over the last 10 minutes is 51, which is greater than the warning threshold of 50.",
      },
    ]);
    expect((await read(id)).version).toBe(1);
  });

  test("compares the change since the window before", async () => {
    const id = await make("moves", { alertType: "change", condition: "less_or_equal", alertThreshold: -30 });
    await log("moves", [100], { agoMs: WINDOW_MS + MINUTE_MS });
    await log("moves", [71]);
    await check();
    expect(await found(id)).toMatchObject({ status: "stable", value: -29 });
    await checkLater();
    expect(await found(id)).toMatchObject({ status: "alert", value: -71 });
  });

  test("compares the change in percent, which does not exist after a window with 0", async () => {
    const id = await make("halves", { alertType: "pct_change", condition: "less", alertThreshold: -40 });
    await log("halves", [200], { agoMs: WINDOW_MS + MINUTE_MS });
    await log("halves", [100]);
    await check();
    expect(await found(id)).toMatchObject({ status: "alert", value: -50 });
    server.clock.now += 3 * WINDOW_MS;
    await check();
    expect(await read(id)).toMatchObject({
      status: "alert",
      statusReason: "The metric was 0 over the window before, so no change is relative to it.",
      value: null,
    });
    expect(await readEventTypes(id)).toEqual(["no-data", "raise"]);
  });

  test("reports an ongoing problem again, with a separate message", async () => {
    const reports = { renotificationWindowMs: 5 * MINUTE_MS, renotificationMessage: "Still." };
    const id = await make("lasts", { alertThreshold: -1, ...reports, renotificationConditions: ["raise"] });
    await check();
    for (let minute = 1; minute <= 5; minute += 1) {
      server.clock.now += MINUTE_MS;
      await check();
    }
    expect((await readEvents(id)).map(({ eventType, message, createdTime }) => [eventType, message, createdTime])).toEqual([
      ["raise", "Still.", server.clock.now],
      ["raise", "Look.", server.clock.now - 5 * MINUTE_MS],
    ]);
    expect((await read(id)).lastTriggeredTime).toBe(server.clock.now - 5 * MINUTE_MS);
  });

  test("is taken by one of two replicas, once a minute, and at once after a change", async () => {
    const id = await make("once", { alertThreshold: -1 });
    await Promise.all([check(), check()]);
    expect(await readEventTypes(id)).toEqual(["raise"]);
    const checkedTime = server.clock.now;
    server.clock.now += MINUTE_MS - 1;
    await check();
    expect((await read(id)).checkedTime).toBe(checkedTime);
    await server.client.patchAlert({ path: { id }, body: { alertThreshold: 0 } });
    expect(await found(id)).toMatchObject({ status: "alert" });
    await check();
    expect(await found(id)).toMatchObject({ status: "stable" });
    expect(await readEventTypes(id)).toEqual(["resolve", "raise"]);
  });

  test("comes once an hour for a window of a month", async () => {
    const id = await make("slow", { windowMs: 30 * DAY_MS });
    await check();
    const checkedTime = server.clock.now;
    server.clock.now += 60 * MINUTE_MS - 1;
    await check();
    expect((await read(id)).checkedTime).toBe(checkedTime);
    server.clock.now += 1;
    await check();
    expect((await read(id)).checkedTime).toBe(server.clock.now);
  });

  test("says that its setup is incomplete if the metric does not exist, is archived, or counts whole days", async () => {
    const of = (id: string): Partial<Body> => ({ metrics: { A: { id } } });
    await server.client.createMetric({ body: { name: "retired", type: "sum", metricEvents: [{ name: "none" }] } });
    await server.client.scheduleMetricArchive({ path: { id: "retired::sum" } });
    server.clock.now += DAY_MS;
    await archiveMetrics.run(pulse.env());
    const ids = [await make("lacks", of("nothing::sum")), await make("archived", of("retired::sum")), await make("daily", of("dau::user"))];
    await check();
    const states = await Promise.all(ids.map(read));
    expect(states.map(({ status, statusReason }) => [status, statusReason])).toEqual([
      ["setup_incomplete", "The metric nothing does not exist."],
      ["setup_incomplete", "The metric retired is archived."],
      ["setup_incomplete", "The metric dau counts users on whole days, so it has no value over other windows."],
    ]);
    expect(await Promise.all(ids.map(readEventTypes))).toEqual([[], [], []]);
  });

  test("reports no data once the metric of a complete alert is gone", async () => {
    const id = await make("loses", { alertThreshold: -1 });
    await check();
    await server.client.deleteAlert({ path: { id } });
    await server.client.deleteMetric({ path: { id: "loses::sum" } });
    await server.client.restoreAlertVersion({ path: { id, version: 1 } });
    await check();
    expect(await read(id)).toMatchObject({ status: "setup_incomplete", statusReason: "The metric loses does not exist." });
    await server.client.createMetric({ body: { name: "loses", type: "sum", metricEvents: [{ name: "loses event", type: "value" }] } });
    await checkLater();
    expect(await found(id)).toMatchObject({ status: "alert", value: 0 });
    await server.client.patchAlert({ path: { id }, body: { metrics: { A: { id: "gone::sum" } } } });
    await check();
    expect(await found(id)).toMatchObject({ status: "setup_incomplete", value: null });
    await checkLater();
    expect(await readEventTypes(id)).toEqual(["no-data", "raise"]);
  });

  test("knows a mean only if there is something to average", async () => {
    const id = await make("averages");
    await server.client.createMetric({
      body: { name: "mean", type: "mean", metricEvents: [{ name: "averages event", type: "value" }] },
    });
    await server.client.patchAlert({ path: { id }, body: { metrics: { A: { id: "mean::mean" } }, alertThreshold: 5 } });
    await check();
    expect(await read(id)).toMatchObject({ status: "stable", statusReason: "The metric has no value over the window." });
    server.clock.now += MINUTE_MS;
    await log("averages", [4, 8]);
    await check();
    expect(await found(id)).toMatchObject({ status: "alert", value: 6 });
    expect(await readEventTypes(id)).toEqual(["raise", "no-data"]);
  });
});

describe("resolveAlert", () => {
  test("makes the alert stable, until the next check that finds it beyond its threshold", async () => {
    const id = await make("resolved", { alertThreshold: -1 });
    await check();
    const { data } = await server.client.resolveAlert({ path: { id }, body: { reasoning: "It was us." } });
    expect(data).toEqual({ resolvedAt: server.clock.now });
    expect(await read(id)).toMatchObject({ status: "stable", statusReason: "CONSOLE API resolved the alert.", version: 1 });
    const [event] = await readEvents(id);
    expect(event).toMatchObject({ eventType: "resolve", reason: "It was us.", resolvedBy: "CONSOLE API", value: 0 });
    expect((await server.client.getAlertEvent({ path: { id, eventId: event?.id ?? "" } })).data).toEqual(event);
    await check();
    expect(await found(id)).toMatchObject({ status: "stable" });
    server.clock.now += MINUTE_MS;
    await check();
    expect(await readEventTypes(id)).toEqual(["raise", "resolve", "raise"]);
    const { data: auditLog } = await server.client.listAuditLogs({ query: { limit: 100 } });
    const noted = auditLog.filter(({ entityType, entityID }) => entityType === "topline_alert" && entityID === id);
    expect(noted.map(({ operationID, updatedBy }) => [operationID, updatedBy])).toEqual([
      ["lookAtAlerts", "GATEHOUSE"],
      ["resolveAlert", "CONSOLE API"],
      ["lookAtAlerts", "GATEHOUSE"],
    ]);
  });

  test("is refused for an alert that is not open", async () => {
    const id = await make("calm");
    await check();
    const message = "Open alert calm does not exist.";
    expect(await refusal(server.client.resolveAlert({ path: { id } }))).toMatchObject({ status: 404, message });
  });

  test("outdates a check that has begun", async () => {
    const id = await make("raced", { alertThreshold: -1 });
    await check();
    const { database } = server;
    const alert = await read(id);
    const beginTime = server.clock.now + MINUTE_MS;
    const claim = () => repeating(database, (db) => claimAlertCheck(db, { projectID: "default", alert }, beginTime));
    const save = () =>
      writeAs(database, systemContext("test", beginTime, "default"), ({ alerts }) =>
        alerts.checks.save(id, beginTime, (before) => checked(before, { value: 1 }, { alert, metricName: "steps" }, beginTime)),
      );
    expect([await claim(), await claim()]).toEqual([true, false]);
    server.clock.now = beginTime + 1;
    await server.client.resolveAlert({ path: { id } });
    expect(await save()).toBe(false);
    expect(await readEventTypes(id)).toEqual(["resolve", "raise"]);
  });
});

describe("the events of an alert", () => {
  test("are the newest 1,000, and go with it", async () => {
    const id = await make("many", { alertThreshold: -1 });
    await server.database.prisma.$executeRaw`
      insert into alert_event ("projectID", id, "alertID", "createdTime", event)
      select 'default', 'many ' || n, ${id}, n, '{"eventType":"warn","title":"","message":"","reason":"","value":null,"resolvedBy":null,"createdTime":1}'
      from generate_series(1, 1000) as n`;
    await check();
    const { data, pagination } = await server.client.listAlertEvents({ path: { id }, query: { limit: 1 } });
    expect(data).toMatchObject([{ eventType: "raise" }]);
    expect(pagination.totalItems).toBe(1_000);
    expect(await refusal(server.client.getAlertEvent({ path: { id, eventId: "many 1" } }))).toMatchObject({ status: 404 });
    expect((await server.client.getAlertEvent({ path: { id, eventId: "many 2" } })).data).toMatchObject({ eventType: "warn" });
    await server.client.deleteAlert({ path: { id } });
    await server.client.restoreAlertVersion({ path: { id, version: 1 } });
    expect(await readEvents(id)).toEqual([]);
    expect(await read(id)).toMatchObject({ status: null });
  });
});
