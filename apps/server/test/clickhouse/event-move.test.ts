import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CLUSTER, startCluster } from "../../../../engines/clickhouse/cluster.mjs";
import { startEngine } from "../../../../engines/clickhouse/start.mjs";
import { openClickHouse } from "../../src/clickhouse/clickhouse.ts";
import { moveEvents } from "../../src/clickhouse/move-events.ts";
import { withClickHouse } from "../../src/clickhouse/with-clickhouse.ts";
import type { ClickHouse } from "../../src/store/database/engines.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { needs } from "../support/needs.ts";
import { closedPort } from "../support/port.ts";
import { start, startReady, temporaryFolder } from "../support/process.ts";
import { DAY_MS, pulseOn } from "../support/pulse.ts";
import { startOver, type TestServer } from "../support/server.ts";

const KEY = "console-0123456789abcdef";

let engine: Awaited<ReturnType<typeof startEngine>>;
beforeAll(async () => {
  if (!needs.clickhouse.skip) engine = await startEngine();
}, 120_000);
afterAll(() => engine?.remove());

/** A new database of the engine. */
async function emptyClickHouse(name: string): Promise<string> {
  const url = engine.url.replace("http:", "clickhouse:");
  const admin = openClickHouse(url);
  await admin.command(`create database ${name}`).finally(() => admin.close());
  return `${url}/${name}`;
}

describe.each(["one server", "a cluster"])("events of a database that are moved to %s of ClickHouse", needs.clickhouseCluster, (kind) => {
  let database: TestDatabase;
  let server: TestServer;
  let clickhouse: ClickHouse;
  let cluster: Awaited<ReturnType<typeof startCluster>> | undefined;
  beforeAll(async () => {
    database = await createTestDatabase();
    server = await startOver(database);
    if (kind === "a cluster") cluster = await startCluster();
    const url = cluster ? `${cluster.url.replace("http:", "clickhouse:")}?cluster=${CLUSTER}` : await emptyClickHouse("moved");
    clickhouse = openClickHouse(url);
  });
  afterAll(async () => {
    await server?.close();
    await clickhouse?.close();
    await cluster?.remove();
  });

  const move = (to: ClickHouse, copied: string[] = []) =>
    moveEvents({ database, clickhouse: to, now: server.clock.now, onCopied: (what, rows) => copied.push(`${what}: ${rows}`) });
  const date = (days = 0) => new Date(server.clock.now + days * DAY_MS).toISOString().slice(0, 10);
  const loaded = async (on: TestServer, id: string) => {
    const pulse = pulseOn(on);
    expect((await pulse.load(id)).finishedState).toBe("success");
    const { primaryMetrics } = await pulse.results(id, { series: true });
    return primaryMetrics.map((metric) => Object.fromEntries(Object.entries(metric).filter(([name]) => name !== "loadedTime")));
  };

  test("arrive whole and give the same results, even if the move is interrupted and repeated", async () => {
    const pulse = pulseOn(server);
    await pulse.metric("revenue");
    const id = await pulse.experiment("moved", { primaryMetrics: [{ name: "revenue", type: "sum" }] });
    for (let day = 0; day < 3; day++) {
      const buyers = Array.from({ length: 3_000 }, (_, index) => ({
        ...{ unit: `unit ${index}`, group: index % 2 ? "test" : "control" },
        purchases: [{ value: index * (day + 1), afterMs: 1_000 }],
        fields: { custom: { text: 'it\'s \\ "quoted",\n🦊' } },
      }));
      await pulse.log(id, buyers, server.clock.now);
      server.clock.now += DAY_MS;
    }
    const before = await loaded(server, id);
    const list = await server.client.listEventValues({ path: { eventName: "buy" }, query: { limit: 100 } });

    let left = 3;
    const broken = {
      ...clickhouse,
      insert: (...insertion: Parameters<ClickHouse["insert"]>) =>
        left-- > 0 ? clickhouse.insert(...insertion) : Promise.reject(new Error("killed")),
    };
    const copied: string[] = [];
    await expect(move(broken, copied)).rejects.toThrow("killed");
    expect(copied).toEqual([`event of ${date(-3)}: 6000`]);
    // Until it is repeated, the database stores events.
    await server.evaluation.logEvent({ body: { events: [{ eventName: "meanwhile" }] } });
    await move(clickhouse, copied);
    expect(copied).toEqual([
      ...[-3, -2, -1].map((day) => `event of ${date(day)}: 6000`),
      `event of ${date()}: 1`,
      "experiment_exposure: 3000",
    ]);

    // A server that still runs on the database alone refuses events that would be lost.
    const late = await server.send("POST", "/v1/log_event", { body: { events: [{ eventName: "too late" }] } });
    expect([late.status, late.headers.get("Retry-After"), late.body.message]).toEqual([
      503,
      "1",
      "Events are being moved to ClickHouse. Send them again shortly.",
    ]);
    const moved = await startOver({ ...database, ...withClickHouse(database, clickhouse), close: async () => {} }, server.clock);
    expect(await loaded(moved, id)).toEqual(before);
    expect(await moved.client.listEventValues({ path: { eventName: "buy" }, query: { limit: 100 } })).toEqual(list);
    await moved.evaluation.logEvent({ body: { events: [{ eventName: "afterwards" }] } });
    expect((await moved.client.listEventValues({ path: { eventName: "afterwards" } })).pagination.totalItems).toBe(1);
    await moved.close();
    await expect(move(clickhouse)).rejects.toThrow("The events of this instance are in ClickHouse already.");
  });
});

describe("a start with GATEHOUSE_EVENTS_URL", needs.clickhouse, () => {
  const folder = temporaryFolder();
  afterAll(() => folder.remove());
  const env = { GATEHOUSE_DATA_DIR: join(folder.path, "data"), GATEHOUSE_CONSOLE_KEY: KEY, LOG_LEVEL: "error" };
  const headers = { "SERVICE-API-KEY": KEY, "Content-Type": "application/json" };
  const log = (url: string, eventName: string, value: number) =>
    fetch(`${url}/v1/log_event`, { method: "POST", headers, body: JSON.stringify({ events: [{ eventName, value }] }) });
  const total = async (url: string, name: string) => {
    const answer = (await (await fetch(`${url}/console/v1/events/${name}`, { headers })).json()) as { pagination: { totalItems: number } };
    return answer.pagination.totalItems;
  };
  const cli = (...args: string[]) => start("cli/main.js", { ...env, GATEHOUSE_EVENTS_URL: eventsUrl }, args).ended;
  let eventsUrl: string;
  beforeAll(async () => {
    eventsUrl = await emptyClickHouse("started");
  });

  test("on a database that has events is refused until they are moved, and without it afterwards", async () => {
    const first = await startReady(env);
    expect((await log(first.url, "moved", 1)).status).toBe(202);
    await first.stop();
    expect(await start("main.js", { ...env, GATEHOUSE_EVENTS_URL: eventsUrl }).ended).toEqual({
      code: 1,
      stdout: "",
      stderr:
        "The events of this instance are in its database. Move them first, with this setting: node apps/server/dist/cli/main.js events move\n",
    });
    const today = new Date().toISOString().slice(0, 10);
    expect(await cli("events", "move")).toEqual({
      code: 0,
      stdout: `event of ${today}: 1 rows\n`,
      stderr: "The events are in ClickHouse. Start every server with GATEHOUSE_EVENTS_URL.\n",
    });
    const second = await startReady({ ...env, GATEHOUSE_EVENTS_URL: eventsUrl });
    expect((await log(second.url, "moved", 2)).status).toBe(202);
    expect(await total(second.url, "moved")).toBe(2);
    await second.stop();
    expect(await start("main.js", env).ended).toMatchObject({
      code: 1,
      stderr: "The events of this instance are in ClickHouse. Set GATEHOUSE_EVENTS_URL.\n",
    });
    expect(await cli("events", "move")).toEqual({
      code: 1,
      stdout: "",
      stderr: "The events of this instance are in ClickHouse already.\n",
    });
  });

  test("fails in one line if its ClickHouse is unreachable or refuses the login", async () => {
    const ownEnv = { ...env, GATEHOUSE_DATA_DIR: "memory" };
    const port = await closedPort();
    const away = await start("main.js", { ...ownEnv, GATEHOUSE_EVENTS_URL: `clickhouse://127.0.0.1:${port}` }).ended;
    expect([away.code, away.stderr]).toEqual([
      1,
      `Waiting for ClickHouse, up to 30 s: connect ECONNREFUSED 127.0.0.1:${port}.\nClickHouse cannot be reached: connect ECONNREFUSED 127.0.0.1:${port}.\n`,
    ]);
    const wrong = await start("main.js", { ...ownEnv, GATEHOUSE_EVENTS_URL: "postgres://127.0.0.1/events" }).ended;
    expect(wrong.stderr).toBe(
      "The settings are not valid:\n  GATEHOUSE_EVENTS_URL must be a URL such as clickhouse://user:password@host:8123/database, with ?secure=true for TLS and ?cluster=NAME for a cluster\n",
    );
  });
});
