import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startProxy } from "../../../../scripts/database-proxy.mjs";
import { createKeyCheck } from "../../src/authentication/key-check.ts";
import { needs } from "../support/needs.ts";
import { evaluate } from "../support/ofrep.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { waitFor } from "../support/wait-for.ts";

const MINUTE_MS = 60_000;
const forAll = { name: "all", passPercentage: 100, conditions: [{ type: "public" as const }] };
const forNone = { ...forAll, passPercentage: 0 };

describe("a server whose database connections die silently", needs.postgres, () => {
  let one: TestServer;
  let cutOff: TestServer;
  let proxy: Awaited<ReturnType<typeof startProxy>>;
  beforeEach(async () => {
    one = await startServer();
    const { url = "" } = one.database;
    proxy = await startProxy(url);
    cutOff = await one.replica({ ...one.database, url: proxy.url(url) });
    await one.client.createGate({ body: { name: "new_gate", rules: [forNone] } });
    await waitFor(async () => expect(await valueAt(cutOff)).toBe(false));
  });
  afterEach(async () => {
    await cutOff.close();
    proxy.close();
    await one.close();
  });

  const valueAt = async (server: TestServer) => (await evaluate(server, "new_gate", { targetingKey: "alice" })).body.value;
  const values = async () => (await one.client.listEventValues({ path: { eventName: "pressed" } })).data.map(({ value }) => value);
  const log = (value: string) =>
    cutOff.send("POST", "/v1/log_event", { body: { deliveryID: value, events: [{ eventName: "pressed", value }] } });

  test("keeps evaluating, and catches up over new connections", async () => {
    proxy.swallow();
    cutOff.clock.now += 1_000;
    expect(await valueAt(cutOff)).toBe(false);
    await one.client.patchGate({ path: { id: "new_gate" }, body: { rules: [forAll] } });
    cutOff.clock.now += 1_000;
    await waitFor(async () => expect(await valueAt(cutOff)).toBe(true));
  });

  test("acknowledges no events, and stores each of them once over new connections", async () => {
    expect((await log("before")).status).toBe(202);
    proxy.swallow();
    const refused = await log("meanwhile");
    // On a busy machine the dead connection may have been idle for so long that the write opened a new one: then it is stored.
    if (refused.status === 202) expect(await values()).toContain("meanwhile");
    else expect([refused.status, refused.headers.get("Retry-After")]).toEqual([503, "1"]);
    await waitFor(async () => expect((await log("meanwhile")).status).toBe(202));
    expect((await log("after")).status).toBe(202);
    expect((await values()).sort()).toEqual(["after", "before", "meanwhile"]);
  });

  test("trusts a key for one hour after its last successful lookup, even if lookups overlap", async () => {
    const { authenticate } = createKeyCheck(cutOff.database, () => cutOff.clock.now);
    await authenticate(cutOff.key, "127.0.0.1");
    proxy.swallow({ newOnes: false });
    cutOff.clock.now += 50 * MINUTE_MS;
    const first = authenticate(cutOff.key, "127.0.0.1");
    cutOff.clock.now += 1_000;
    const second = authenticate(cutOff.key, "127.0.0.1");
    expect((await first).actor).toEqual(expect.objectContaining({ name: "CONSOLE API" }));
    cutOff.clock.now += 50 * MINUTE_MS;
    await expect(second).rejects.toMatchObject({ code: "unavailable" });
  });

  test("reads and writes over new connections, however many idle ones turn out to be closed", async () => {
    const open = () => Promise.all(Array.from({ length: 8 }, () => cutOff.client.listGates()));
    await open();
    expect(cutOff.database.connections().idle).toBeGreaterThan(3);
    proxy.endOnUse();
    expect((await cutOff.client.listGates()).pagination.totalItems).toBe(1);
    await open();
    proxy.endOnUse();
    expect((await cutOff.client.createGate({ body: { name: "after the cut" } })).data.version).toBe(1);
  });

  test("can still be stopped", async () => {
    const answer = log("never kept");
    expect((await answer).status).toBe(202);
    proxy.swallow({ newOnes: false });
    expect((await log("never kept either")).status).toBe(503);
  });
});

describe("a statement that takes too long", needs.postgres, () => {
  test("is cancelled by the database, and its connection serves the next statement", async () => {
    const server = await startServer();
    const timeouts = await server.database.db.$queryRaw`show statement_timeout`;
    expect(timeouts).toEqual([{ statement_timeout: "30s" }]);
    const ofSession = await server.database.withSession(({ query }) => query("show statement_timeout"));
    expect(ofSession).toEqual([{ statement_timeout: "0" }]);
    await server.close();
  });
});
