import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeKey } from "../support/keys.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { waitFor } from "../support/wait-for.ts";

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
