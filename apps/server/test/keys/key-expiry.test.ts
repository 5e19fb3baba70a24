import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createKeyCheck } from "../../src/authentication/key-check.ts";
import { insufficient, makeKey } from "../support/keys.ts";
import { listen, readStreamUrl } from "../support/ofrep.ts";
import { invalid, refusal, startServer, type TestServer } from "../support/server.ts";

const EVERY_SCOPE = ["omni_read_write", "can_access_keys"] as ("omni_read_write" | "can_access_keys")[];
const MINUTE_MS = 60_000;

let server: TestServer;
let replica: TestServer;
beforeAll(async () => {
  server = await startServer();
  replica = await server.replica();
});
afterAll(async () => {
  await replica.close();
  await server.close();
});

const inAMinute = () => server.clock.now + MINUTE_MS;
const status = async (key: string, at = server) => (await at.send("GET", "/console/v1/gates", { key })).status;
const get = async (id: string) => (await server.client.getKey({ path: { id } })).data;

describe("a key with an expiry", () => {
  test("is refused from that time on, on every server, and keeps its status", async () => {
    const { id, key, expiresTime } = await makeKey(server, { type: "CONSOLE", expiresTime: inAMinute() });
    server.clock.now = (expiresTime ?? 0) - 1;
    expect([await status(key), await status(key, replica)]).toEqual([200, 200]);
    server.clock.now += 1;
    expect([await status(key), await status(key, replica)]).toEqual([401, 401]);
    expect(await get(id)).toMatchObject({ status: "active", expiresTime, version: 1 });
  });

  test("is in use again within half a second after it got a later one", async () => {
    const { id, key } = await makeKey(server, { type: "CONSOLE", expiresTime: inAMinute() });
    server.clock.now += MINUTE_MS;
    expect(await status(key)).toBe(401);
    await server.client.patchKey({ path: { id }, body: { expiresTime: inAMinute() } });
    server.clock.now += 500;
    expect([await status(key), await status(key, replica)]).toEqual([200, 200]);
    await server.client.patchKey({ path: { id }, body: { expiresTime: null } });
    server.clock.now += MINUTE_MS;
    expect(await status(key)).toBe(200);
  });

  test("is refused on time while the server trusts its last look-up", async () => {
    const { key } = await makeKey(server, { type: "CONSOLE", expiresTime: server.clock.now + 10 });
    const { authenticate } = createKeyCheck(server.database, () => server.clock.now);
    await authenticate(key, "127.0.0.1");
    server.clock.now += 10;
    await expect(authenticate(key, "127.0.0.1")).rejects.toThrow("An active API key is required in the header SERVICE-API-KEY.");
  });

  test("of the type SERVER evaluates until then, and so do URLs with a token of it", async () => {
    await server.client.createSegment({ body: { name: "listed", type: "id_list" } });
    const { key } = await makeKey(server, { expiresTime: inAMinute() });
    await server.client.addSegmentIDs({ path: { id: "listed" }, body: { ids: Array.from({ length: 1001 }, (_, index) => `id ${index}`) } });
    const conditions = [{ type: "passes_segment" as const, targetValue: "listed" }];
    await server.client.createGate({ body: { name: "for the listed", rules: [{ name: "Listed", passPercentage: 100, conditions }] } });
    const fresh = await server.replica();
    const { listed } = (await fresh.send("POST", "/v1/get_id_lists", { key, body: {} })).body;
    const path = new URL(listed.url).pathname + new URL(listed.url).search;
    const read = async () => (await fresh.send("GET", path, { key: null })).status;
    const evaluate = async () => (await fresh.send("POST", "/v1/initialize", { key, body: { user: { userID: "ann" } } })).status;
    expect([await read(), await evaluate()]).toEqual([200, 200]);
    server.clock.now += MINUTE_MS;
    expect([await read(), await evaluate()]).toEqual([401, 401]);
    await fresh.close();
  });

  test("has streams until then", async () => {
    const { key } = await makeKey(server, { expiresTime: inAMinute() });
    const stream = await listen(server, await readStreamUrl(server, key));
    await stream.next();
    server.clock.now += MINUTE_MS;
    expect(await stream.next()).toBeUndefined();
  });

  test("makes, changes and rotates only keys that expire no later", async () => {
    const expiresTime = inAMinute();
    const { key } = await makeKey(server, { type: "CONSOLE", scopes: EVERY_SCOPE, expiresTime });
    const { id: lasting } = await makeKey(server);
    const send = (method: string, path: string, body?: unknown) => server.send(method, `/console/v1/keys${path}`, { key, body });
    const make = (given: object) => send("POST", "", { type: "SERVER", description: "", ...given });
    const refused = insufficient(`a key that expires at ${expiresTime} at the latest, since the key of the request expires then`);
    expect((await make({})).body).toEqual(refused);
    expect((await make({ expiresTime: expiresTime + 1 })).body).toEqual(refused);
    expect((await send("PATCH", `/${key}`, { expiresTime: null })).body).toEqual(refused);
    expect((await send("PATCH", `/${lasting}/rotate`)).body).toEqual(refused);
    expect((await make({ expiresTime })).status).toBe(200);
  });
});

describe("createKey and patchKey", () => {
  test("400: the expiry has passed", async () => {
    const past = invalid(["expiresTime", "must be in the future"]);
    expect(await refusal(makeKey(server, { expiresTime: server.clock.now }))).toEqual(past);
    const { id } = await makeKey(server);
    expect(await refusal(server.client.patchKey({ path: { id }, body: { expiresTime: server.clock.now } }))).toEqual(past);
  });

  test("200: an expired key can be sent back as it was read", async () => {
    const { id, expiresTime } = await makeKey(server, { expiresTime: inAMinute() });
    server.clock.now += MINUTE_MS;
    const body = { ...(await get(id)), description: "Expired." };
    const { data } = (await server.send("PATCH", `/console/v1/keys/${id}`, { body })).body;
    expect(data).toMatchObject({ description: "Expired.", expiresTime });
  });

  test("409: the last key that manages all keys can get neither an expiry nor limits", async () => {
    const alone = await startServer();
    const [first] = (await alone.client.listKeys({})).data;
    const path = { id: first?.id ?? "" };
    await makeKey(alone, { type: "CONSOLE", scopes: EVERY_SCOPE, expiresTime: alone.clock.now + MINUTE_MS });
    await makeKey(alone, { type: "CONSOLE", scopes: EVERY_SCOPE, environments: ["staging"] });
    for (const body of [{ expiresTime: alone.clock.now + MINUTE_MS }, { environments: ["staging"] }]) {
      const { status, message } = await refusal(alone.client.patchKey({ path, body }));
      expect([status, message]).toEqual([409, expect.stringContaining(`Key ${path.id} is the last active key`)]);
    }
    await alone.close();
  });
});
