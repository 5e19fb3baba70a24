import { createConsoleClient, createEvaluationClient } from "@gatehouse/client";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createEmptyPostgres } from "../support/empty-database.ts";
import { makeKey } from "../support/keys.ts";
import { needs } from "../support/needs.ts";
import { closedPort } from "../support/port.ts";
import { start, startReady } from "../support/process.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { waitFor } from "../support/wait-for.ts";

const KEY = "console-0123456789abcdef";
const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await server.client.createGate({ body: { name: "Ready" } });
});
afterAll(() => server.close());

/** The statuses that a just started server returns to an application while gates cannot be read from the database. */
async function withoutGates(key: string): Promise<number[]> {
  const replica = await server.replica();
  await replica.prepareRulesets();
  await server.database.prisma.$executeRaw`alter table gate rename to gate_out_of_reach`;
  const answers = [
    await replica.send("POST", "/ofrep/v1/evaluate/flags/ready", { key, body: { context: { targetingKey: "alice" } } }),
    await replica.send("GET", "/v2/download_config_specs", { key }),
  ];
  await server.database.prisma.$executeRaw`alter table gate_out_of_reach rename to gate`;
  await replica.close();
  return answers.map(({ status }) => status);
}

describe("a server that has started", () => {
  test("prepares only what applications read within the last week, so that their first requests do not wait", async () => {
    const { id, key } = await makeKey(server, { type: "SERVER" });
    const lastUsed = async () => (await server.client.getKey({ path: { id } })).data.lastUsed;
    await server.send("POST", "/v1/check_gate", { key, body: { gateName: "ready", user: { userID: "alice" } } });
    await waitFor(async () => expect(await lastUsed()).not.toBeNull());
    server.clock.now += WEEK_MS;
    expect(await withoutGates(key)).toEqual([200, 200]);
    server.clock.now += WEEK_MS + 1;
    expect(await withoutGates(key)).toEqual([500, 500]);
  });
});

test("a server that starts is ready only after it has compiled what applications used before", needs.postgres, async () => {
  const url = await createEmptyPostgres();
  const holder = new pg.Client(url);
  const before = await startReady({ DATABASE_URL: url, GATEHOUSE_CONSOLE_KEY: KEY });
  const { key } = (await createConsoleClient({ baseUrl: before.url, apiKey: KEY }).createKey({ body: { type: "SERVER", description: "" } }))
    .data;
  await createEvaluationClient({ baseUrl: before.url, apiKey: key ?? "" }).checkGate({
    body: { gateName: "any", user: { userID: "alice" } },
  });
  await holder.connect();
  const count = async (sql: string) => (await holder.query(sql)).rowCount;
  await waitFor(async () => expect(await count(`select from key where type = 'SERVER' and "lastUsedTime" is not null`)).toBe(1));
  await before.stop();

  await holder.query("begin; lock table gate in access exclusive mode");
  const port = await closedPort();
  const after = start("main.js", { DATABASE_URL: url, PORT: String(port) });
  await waitFor(async () => expect(await count("select from pg_locks where relation = 'gate'::regclass and not granted")).toBe(1));
  const probe = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status;
  expect(await probe()).toBe(503);
  await holder.query("rollback");
  await after.prints(/Gatehouse is ready/);
  expect(await probe()).toBe(200);
  after.child.kill("SIGKILL");
  await holder.end();
});
