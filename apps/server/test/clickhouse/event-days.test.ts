import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CLUSTER, startCluster } from "../../../../engines/clickhouse/cluster.mjs";
import { startEngine } from "../../../../engines/clickhouse/start.mjs";
import { eventRetention } from "../../src/jobs/event-retention.ts";
import { removeDeletedProjects } from "../../src/jobs/remove-deleted-projects.ts";
import { PROJECT_TABLES } from "../../src/results/sql/clickhouse-tables.ts";
import type { ClickHouse } from "../../src/store/database/engines.ts";
import { createTestDatabase, withTestClickHouse } from "../support/database.ts";
import { needs } from "../support/needs.ts";
import { DAY_MS, HOUR_MS, pulseOn } from "../support/pulse.ts";
import { startOver, type TestServer } from "../support/server.ts";
import { waitFor } from "../support/wait-for.ts";

const REVENUE = { name: "revenue", type: "sum" } as const;

const KINDS = [
  { kind: "one server", startClickHouse: startEngine, parameters: "" },
  { kind: "a cluster", startClickHouse: startCluster, parameters: `?cluster=${CLUSTER}` },
];

describe.each(KINDS)("the days of events in $kind of ClickHouse", needs.clickhouseCluster, ({ startClickHouse, parameters }) => {
  let engine: { url: string; remove(): Promise<void> };
  let server: TestServer;
  let clickhouse: ClickHouse;
  let pulse: ReturnType<typeof pulseOn>;
  beforeAll(async () => {
    engine = await startClickHouse();
    const database = await withTestClickHouse(await createTestDatabase(), `${engine.url.replace("http:", "clickhouse:")}${parameters}`);
    clickhouse = database.db.clickhouse as ClickHouse;
    server = await startOver(database);
    server.clock.now = Math.floor(server.clock.now / DAY_MS) * DAY_MS + HOUR_MS;
    pulse = pulseOn(server);
    await pulse.metric("revenue");
  });
  afterAll(async () => {
    await server?.close();
    await engine?.remove();
  });

  const retain = (days: number) => eventRetention(days).run({ ...pulse.env(), log: pino({ level: "silent" }) });
  const log = (eventName: string, value: number) => server.evaluation.logEvent({ body: { events: [{ eventName, value }] } });
  const values = async (eventName: string) => {
    const { data, pagination } = await server.client.listEventValues({ path: { eventName } });
    return [data.map(({ value }) => Number(value)), pagination.totalItems];
  };

  test("are dropped with their counts once they are older than the retention, on any number of replicas at once", async () => {
    for (let day = 0; day < 5; day++) {
      await log("daily", day);
      if (day < 2) await log("early", day);
      server.clock.now += DAY_MS;
    }
    await Promise.all([retain(3), retain(3), retain(3)]);
    expect(await values("daily")).toEqual([[4, 3, 2], 3]);
    expect((await server.client.listEvents()).data.map(({ name, count }) => [name, count])).toEqual([["daily", 3]]);
    await retain(3);
    expect(await values("daily")).toEqual([[4, 3, 2], 3]);
  });

  test("are dropped by the next run if one was interrupted between the counts and the events", async () => {
    await log("interrupted", 1);
    server.clock.now += 5 * DAY_MS;
    const { database } = server;
    const broken: ClickHouse = { ...clickhouse, command: () => Promise.reject(new Error("killed")) };
    const env = { ...pulse.env(), log: pino({ level: "silent" }), database: { ...database, db: { ...database.db, clickhouse: broken } } };
    await expect(eventRetention(3).run(env)).rejects.toThrow("killed");
    await retain(3);
    expect(await values("interrupted")).toEqual([[], 0]);
  });

  test("are kept for as long as an experiment runs, from 14 days before its first exposure, and its results stay the same", async () => {
    await log("long before", 1);
    server.clock.now += 20 * DAY_MS;
    await log("before", 1);
    server.clock.now += 10 * DAY_MS;
    const id = await pulse.experiment("long running", { primaryMetrics: [REVENUE] });
    const buyers = ["a", "b", "c", "d"].map((unit, index) => ({
      ...{ unit, group: index % 2 ? "test" : "control" },
      purchases: [{ value: index + 1, afterMs: 1_000 }],
    }));
    await pulse.log(id, buyers, server.clock.now);
    server.clock.now += 30 * DAY_MS;
    await log("after", 1);
    const results = async () => {
      expect((await pulse.load(id)).finishedState).toBe("success");
      const { primaryMetrics } = await pulse.results(id);
      return primaryMetrics.map((metric) => Object.fromEntries(Object.entries(metric).filter(([name]) => name !== "loadedTime")));
    };
    const before = await results();
    expect(before).toEqual([expect.objectContaining({ metricID: "revenue::sum", controlUnits: 2, absoluteChange: 1 })]);
    await retain(3);
    expect([await values("long before"), await values("before"), await values("after")]).toEqual([
      [[], 0],
      [[1], 1],
      [[1], 1],
    ]);
    expect(await results()).toEqual(before);
    await server.client.makeExperimentDecision({ path: { id }, body: { decisionReason: "over", id: "control" } });
    await retain(3);
    expect([await values("before"), await values("after")]).toEqual([
      [[], 0],
      [[1], 1],
    ]);
  });

  test("are dropped 400 days after their arrival, even if no job runs", async () => {
    const id = await pulse.experiment("too long", { primaryMetrics: [REVENUE] });
    await pulse.log(id, [{ unit: "a", group: "test", purchases: [{ value: 1, afterMs: 1_000 }] }], server.clock.now);
    server.clock.now += 400 * DAY_MS;
    await retain(3);
    expect((await values("buy"))[0]).toContain(1);
    server.clock.now += DAY_MS;
    await retain(3);
    expect(await values("buy")).toEqual([[], 0]);
  });

  test("lose the rows of a deleted project, and those of no other", async () => {
    const rows = async (projectID: string) => {
      const counts = PROJECT_TABLES.map((table) =>
        clickhouse.ask<{ n: number }>(`select count(*) as n from ${table} where "projectID" = {p1:String}`, [projectID]),
      );
      return (await Promise.all(counts)).map(([row]) => row?.n);
    };
    for (const [index, table] of PROJECT_TABLES.entries())
      for (const projectID of ["gone", "default"]) await clickhouse.insert(table, toRow(table, projectID), `row ${index} of ${projectID}`);
    const before = await rows("default");
    expect(await rows("gone")).toEqual([1, 1, 1, 1]);
    await server.database.db.$executeRaw`
      insert into project ("id", "name", "createdTime", "deletedTime") values ('gone', 'Gone', 1, 2)`;
    await removeDeletedProjects().run(pulse.env());
    await waitFor(async () => expect(await rows("gone")).toEqual([0, 0, 0, 0]));
    expect(await rows("default")).toEqual(before);
  });
});

function toRow(table: string, projectID: string): string {
  const exposure = { projectID, unitID: "u", firstTime: 1, environment: "production" };
  if (table === "experiment_exposure") return JSON.stringify({ ...exposure, experimentID: "e", groupID: "g" });
  if (table === "check_exposure") return JSON.stringify({ ...exposure, entityType: "gate", entityID: "g", ruleID: "r", passed: true });
  return JSON.stringify({ projectID, name: "n", time: 1, id: 1, day: 30_000, source: "test", userID: "u", value: "", metadata: "{}" });
}
