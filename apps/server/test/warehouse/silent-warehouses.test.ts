import { EventEmitter } from "node:events";
import type { Response } from "express";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createAnalyses } from "../../src/http/console/analyses.ts";
import { openPostgresWarehouse } from "../../src/warehouse/postgres-warehouse.ts";
import { makeOtherProject } from "../support/other-project.ts";
import { startReady } from "../support/process.ts";
import { pulseOn } from "../support/pulse.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { type LAST_ANSWERS, type SilentServer, startSilentServer } from "../support/silent-server.ts";

const PREVIEW = "/console/v1/metrics/metric_source/preview";
const SOURCE = {
  ...{ name: "slow", sql: "select * from orders", timestampColumn: "at" },
  idTypeMapping: [{ serviceUnitID: "userID", column: "customer" }],
};
const SLOW_METRIC = { name: "slow", type: "user_warehouse", warehouseNative: { aggregation: "count", metricSourceName: "slow" } };
const EXPERIMENT = {
  ...{ name: "slow", controlGroupID: "control", allocation: 100, status: "active" },
  groups: ["control", "test"].map((id) => ({ id, name: id, size: 50 })),
  primaryMetrics: [{ name: "slow", type: "user_warehouse" }],
};

let warehouse: SilentServer;
let server: TestServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
  await warehouse.close();
});

const toUrl = ({ port }: SilentServer, parameters = "") => `postgres://reader:secret@127.0.0.1:${port}/shop${parameters}`;

describe.each<[when: string, lastAnswer: keyof typeof LAST_ANSWERS, parameters: string]>([
  ["accepts connections", "nothing", ""],
  ["agrees to TLS", "tls", "?sslmode=require"],
  ["answers the start", "started", ""],
])("a warehouse that %s and is silent", (_, lastAnswer, parameters) => {
  beforeEach(async () => {
    warehouse = await startSilentServer(lastAnswer);
  });

  test("leaves room for other projects' analyses after ten clients left their previews", async () => {
    server = await startServer();
    const other = await makeOtherProject(server);
    await server.client.updateWarehouseConnection({ body: { postgres: { url: toUrl(warehouse, parameters) } } });
    for (let count = 1; count <= 10; count++) {
      const client = new AbortController();
      const left = fetch(`${server.url}${PREVIEW}`, {
        ...{ method: "POST", signal: client.signal, body: JSON.stringify({ sql: "select 1 as one" }) },
        headers: { "SERVICE-API-KEY": server.key, "Content-Type": "application/json" },
      });
      await warehouse.reached(count);
      client.abort();
      await expect(left).rejects.toThrow("aborted");
    }
    await warehouse.left();
    const refusing = await startSilentServer();
    const url = toUrl(refusing);
    await refusing.close();
    await server.send("PATCH", "/console/v1/wh_connections", { key: other, body: { postgres: { url } } });
    const preview = await server.send("POST", PREVIEW, { key: other, body: { sql: "select 1 as one" } });
    expect([preview.status, preview.body.data.reason]).toEqual([200, expect.stringContaining("ECONNREFUSED")]);
  });

  test("leaves room for others after ten analyses reached their limit", async () => {
    const analyses = createAnalyses({ analyse: async <Row>() => [{ one: 1 }] as Row[] }, { limitMs: 100 });
    const own = { system: "1", name: "gatehouse", projectID: "default", hasEvents: true };
    const address = { type: "postgres", host: "127.0.0.1", port: warehouse.port, database: "shop", username: "a", password: "b" } as const;
    const silent = openPostgresWarehouse({ ...address, encryption: parameters === "" ? "off" : "on" }, own);
    const request = () => analyses.of(new EventEmitter() as unknown as Response, "default");
    for (let count = 1; count <= 10; count++)
      await expect(request().limited((options) => silent.check(options))).rejects.toMatchObject({ code: "unavailable" });
    expect(await request().analyse({ text: "select 1 as one", parameters: [] })).toEqual([{ one: 1 }]);
    await warehouse.left();
  });

  test("ends a load that is cancelled, and the next load runs", async () => {
    server = await startServer();
    const pulse = pulseOn(server);
    await server.client.updateWarehouseConnection({ body: { postgres: { url: toUrl(warehouse, parameters) } } });
    await server.client.createMetricSource({ body: SOURCE });
    await server.client.createMetric({ body: SLOW_METRIC as never });
    const { id } = (await server.client.createExperiment({ body: EXPERIMENT as never })).data;
    const { dagID } = (await server.client.startExperimentPulseLoad({ path: { id }, body: {} })).data;
    const ended = pulse.run();
    await warehouse.reached(1);
    await server.client.cancelExperimentPulseLoad({ path: { id, dagID } });
    await ended;
    await warehouse.left();
    await server.client.deleteWarehouseConnection({});
    expect((await pulse.load(id)).metrics).toMatchObject([{ state: "failure", reason: expect.stringContaining("has no warehouse") }]);
  });

  test("does not keep a built server from stopping while a load waits for it", async () => {
    const key = "console-0123456789abcdef";
    const built = await startReady({
      ...{ GATEHOUSE_DATA_DIR: "memory", GATEHOUSE_CONSOLE_KEY: key, GATEHOUSE_WAREHOUSE_HOSTS: "127.0.0.1" },
      GATEHOUSE_SECRET_KEY: "a secret key of at least 32 characters",
    });
    const send = async (method: string, path: string, body: object) => {
      const headers = { "SERVICE-API-KEY": key, "Content-Type": "application/json" };
      const response = await fetch(`${built.url}/console/v1/${path}`, { method, headers, body: JSON.stringify(body) });
      const answer = (await response.json()) as { data: { id: string } };
      expect(response.ok, JSON.stringify(answer)).toBe(true);
      return answer.data;
    };
    try {
      await send("PATCH", "wh_connections", { postgres: { url: toUrl(warehouse, parameters) } });
      await send("POST", "metrics/metric_source", SOURCE);
      await send("POST", "metrics", SLOW_METRIC);
      const { id } = await send("POST", "experiments", EXPERIMENT);
      await send("POST", `experiments/${id}/load_pulse`, {});
      await warehouse.reached(1);
      expect((await built.stop()).code).toBe(0);
    } finally {
      if (built.child.exitCode === null) built.child.kill("SIGKILL");
    }
    await warehouse.left();
  });
});
