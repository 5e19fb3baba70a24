import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeKey } from "../support/keys.ts";
import { evaluate, listen, readStreamUrl } from "../support/ofrep.ts";
import { temporaryFolder } from "../support/process.ts";
import { createDoor, startTestRelay, type TestRelay } from "../support/relay.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { waitFor } from "../support/wait-for.ts";

let server: TestServer;
let door: Awaited<ReturnType<typeof createDoor>>;
let relay: TestRelay;
let folder: ReturnType<typeof temporaryFolder>;
let relayKey: string;
let relayKeyID: string;
let key: { id: string; key: string };
beforeEach(async () => {
  server = await startServer();
  await server.client.createGate({ body: { name: "new_gate", rules: [{ name: "all", passPercentage: 100, conditions: [] }] } });
  door = await createDoor(server.url);
  folder = temporaryFolder();
  const own = await makeKey(server);
  relayKey = own.key;
  relayKeyID = own.id;
  key = await makeKey(server, { type: "CLIENT" });
  relay = await start();
});
afterEach(async () => {
  await relay.close();
  door.close();
  await server.close();
  folder.remove();
});

const start = (options = {}) => startTestRelay(server, { origin: door.url, key: relayKey, folder: folder.path, ...options });
const passed = async () => {
  const { status, body } = await evaluate(relay, "new_gate", { targetingKey: "alice" }, { key: key.key });
  return status === 200 ? body.value : status;
};
const log = (events: object[], more = {}) => relay.send("POST", "/v1/log_event", { key: key.key, body: { events, ...more } });
const stored = async (name: string): Promise<number> => {
  const { body } = await server.send("GET", "/console/v1/events");
  return body.data.find((event: { name: string }) => event.name === name)?.count ?? 0;
};
const readiness = async () => (await relay.send("GET", "/readyz", { key: null })).text;
const metric = async (name: string) => {
  const { text } = await relay.send("GET", "/metrics", { key: null });
  return Number(text.match(new RegExp(`^${name} (.+)$`, "m"))?.[1]);
};
const files = () => readdirSync(folder.path).map((name) => readFileSync(join(folder.path, name), "utf8"));
const untilKept = () => waitFor(() => expect(files().join("\n")).toContain("new_gate"));

describe("a relay whose origin is away", () => {
  test("serves flags and new streams, for 24 hours after the last look-up of a key", async () => {
    expect(await passed()).toBe(true);
    const url = await readStreamUrl(relay, key.key);
    door.shut();
    server.clock.now += 23 * 3_600_000;
    expect(await passed()).toBe(true);
    expect(await readiness()).toBe("ready\norigin: away\n");
    const stream = await listen(relay, url);
    expect(await stream.next()).toMatchObject({ data: { type: "connected" } });
    server.clock.now += 3_600_001;
    expect(await passed()).toBe(503);
    stream.close();
  });

  test("does not serve a key that the origin refused before, even after a restart", async () => {
    expect(await passed()).toBe(true);
    await untilKept();
    await server.client.deactivateKey({ path: { id: key.id } });
    server.clock.now += 500;
    expect(await passed()).toBe(401);
    await relay.close();
    door.shut();
    relay = await start();
    expect(await passed()).toBe(503);
  });

  test("does not serve a key whose stream it ended because the key was revoked", async () => {
    const stream = await listen(relay, await readStreamUrl(relay, key.key));
    await stream.next();
    await server.client.deactivateKey({ path: { id: key.id } });
    await waitFor(async () => expect(await stream.next()).toBeUndefined());
    door.shut();
    server.clock.now += 500;
    expect(await passed()).toBe(503);
  });

  test("counts the 24 hours from the last look-up across a restart", async () => {
    expect(await passed()).toBe(true);
    await untilKept();
    server.clock.now += 23 * 3_600_000;
    expect(await passed()).toBe(true);
    await relay.close();
    door.shut();
    server.clock.now += 23 * 3_600_000;
    relay = await start();
    expect(await passed()).toBe(true);
  });

  test("refuses a key that it does not know with 503, and one that expired with 401", async () => {
    const short = await makeKey(server, { type: "CLIENT", expiresTime: server.clock.now + 60_000 });
    const ask = (secret: string) => evaluate(relay, "new_gate", { targetingKey: "alice" }, { key: secret });
    expect((await ask(short.key)).status).toBe(200);
    door.shut();
    expect(await ask("client-0123456789abcdef")).toMatchObject({
      status: 503,
      body: { errorDetails: "The relay cannot reach its origin. Try again shortly." },
    });
    server.clock.now += 60_000;
    expect((await ask(short.key)).status).toBe(401);
  });

  test("shows a change that was made during the outage, and announces it to its streams, when the origin is back", async () => {
    const stream = await listen(relay, await readStreamUrl(relay, key.key));
    await stream.next();
    door.shut();
    await server.client.patchGate({ path: { id: "new_gate" }, body: { rules: [] } });
    expect(await passed()).toBe(true);
    door.open();
    await waitFor(async () => expect(await passed()).toBe(false));
    expect(await stream.next()).toMatchObject({ data: { type: "refetchEvaluation" } });
    stream.close();
  });

  test("keeps events, and the origin receives each of them once", async () => {
    expect((await log([{ eventName: "before" }])).status).toBe(202);
    expect(await stored("before")).toBe(1);
    door.shut();
    const answer = await log([
      { eventName: "during", time: 1 },
      { eventName: 5, time: 1 },
    ]);
    expect(answer).toMatchObject({ status: 202, body: { refused: [{ index: 1, reason: "eventName must be string" }] } });
    // An application that got no answer sends the batch again.
    await log([
      { eventName: "during", time: 1 },
      { eventName: 5, time: 1 },
    ]);
    await log([{ eventName: "during" }], { deliveryID: "a" });
    await log([{ eventName: "during" }], { deliveryID: "a" });
    await log([{ eventName: "during" }]);
    expect(await metric("gatehouse_relay_events_waiting")).toBe(3);
    door.open();
    await waitFor(async () => expect(await metric("gatehouse_relay_events_waiting")).toBe(0));
    expect(await stored("during")).toBe(3);
  });

  test("refuses events with 503 when its queue is full", async () => {
    await relay.close();
    relay = await start({ maxQueuedCharacters: 500 });
    expect(await passed()).toBe(true);
    door.shut();
    const metadata = { text: "x".repeat(300) };
    expect((await log([{ eventName: "first", metadata }])).status).toBe(202);
    const refused = await log([{ eventName: "second", metadata }]);
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([503, "1"]);
    door.open();
    await waitFor(async () => expect(await metric("gatehouse_relay_events_waiting")).toBe(0));
    expect([await stored("first"), await stored("second")]).toEqual([1, 0]);
  });

  test("starts with the state on its disk, and forwards the events of the run before", async () => {
    expect(await passed()).toBe(true);
    await untilKept();
    door.shut();
    expect((await log([{ eventName: "kept" }])).status).toBe(202);
    await relay.close();
    relay = await start();
    expect(await readiness()).toBe("ready\norigin: away\n");
    expect(await passed()).toBe(true);
    const names = readdirSync(folder.path);
    for (const kind of [/^events.jsonl$/, /^keys-/, /^ruleset-/]) expect(names).toContainEqual(expect.stringMatching(kind));
    for (const name of names) {
      expect([name, statSync(join(folder.path, name)).mode & 0o777]).toEqual([name, 0o600]);
      expect(readFileSync(join(folder.path, name), "utf8")).not.toContain(key.key);
    }
    door.open();
    await waitFor(async () => expect(await stored("kept")).toBe(1));
  });

  test("ignores the state of another key, and is not ready before it has reached its origin", async () => {
    expect(await passed()).toBe(true);
    await untilKept();
    await relay.close();
    door.shut();
    relay = await start({ key: (await makeKey(server)).key });
    expect(await readiness()).toBe("not ready\norigin: away\n");
    expect(await passed()).toBe(503);
    door.open();
    await waitFor(async () => expect(await readiness()).toBe("ready\norigin: connected\n"));
  });
});

describe("events through a relay", () => {
  test("count for the environment of the application's key, with the exposures that the relay evaluated", async () => {
    const production = await makeKey(server, { environments: ["production"] });
    const check = { gateName: "new_gate", user: { userID: "alice" } };
    expect((await relay.send("POST", "/v1/check_gate", { key: production.key, body: check })).body.value).toBe(true);
    await relay.send("POST", "/v1/log_event", {
      key: production.key,
      body: { events: [{ eventName: "bought", user: { userID: "alice" } }] },
    });
    const rows = () => server.database.db.$queryRaw`select "name", "environment", "source", "exposed" from event order by "name"`;
    await waitFor(async () =>
      expect(await rows()).toEqual([
        { name: "bought", environment: "production", source: "http_api", exposed: null },
        { name: "statsig::gate_exposure", environment: "production", source: "http_api", exposed: "new_gate" },
      ]),
    );
  });

  test("a batch that a relay sends again after a lost answer is stored once, even hours later", async () => {
    const batch = {
      key: "k".repeat(43),
      environments: [],
      targetApps: [],
      receivedTime: server.clock.now,
      events: [{ eventName: "once" }],
    };
    const send = () => server.send("POST", "/v1/relay/events", { key: relayKey, body: { batches: [batch], requests: [] } });
    expect((await send()).status).toBe(202);
    server.clock.now += 23 * 3_600_000;
    expect((await send()).status).toBe(202);
    expect(await stored("once")).toBe(1);
  });

  test("are refused by the origin for a reach that the relay's key does not cover", async () => {
    const limited = await makeKey(server, { environments: ["development"] });
    const batch = { key: "k".repeat(43), environments: [], targetApps: [], receivedTime: 1, events: [{ eventName: "a" }] };
    const answer = await server.send("POST", "/v1/relay/events", { key: limited.key, body: { batches: [batch], requests: [] } });
    expect(answer).toMatchObject({ status: 403, body: { code: "forbidden" } });
  });

  test("are dropped, counted and logged once if the relay's key no longer covers them, and others pass", async () => {
    const inDevelopment = await makeKey(server, { environments: ["development"] });
    const send = (secret: string, eventName: string) =>
      relay.send("POST", "/v1/log_event", { key: secret, body: { events: [{ eventName }] } });
    // The relay knows both keys then. An evaluation would leave an exposure, which may be forwarded later.
    for (const secret of [key.key, inDevelopment.key]) expect((await send(secret, "before")).status).toBe(202);
    await waitFor(async () => expect(await stored("before")).toBe(2));
    door.shut();
    expect([(await send(key.key, "uncovered")).status, (await send(inDevelopment.key, "covered")).status]).toEqual([202, 202]);
    await server.client.patchKey({ path: { id: relayKeyID }, body: { environments: ["development"] } });
    server.clock.now += 500;
    door.open();
    await waitFor(async () => expect(await metric("gatehouse_relay_events_waiting")).toBe(0));
    expect([await metric("gatehouse_relay_events_rejected"), await stored("uncovered"), await stored("covered")]).toEqual([1, 0, 1]);
  });

  test("wait while the relay's key is not allowed at its address", async () => {
    // The relay knows the key then. An evaluation would leave an exposure, which may be forwarded later.
    expect((await log([{ eventName: "before" }])).status).toBe(202);
    await waitFor(async () => expect(await stored("before")).toBe(1));
    door.shut();
    expect((await log([{ eventName: "waits" }])).status).toBe(202);
    await server.client.patchKey({ path: { id: relayKeyID }, body: { allowedAddresses: ["192.0.2.0/24"] } });
    server.clock.now += 500;
    door.open();
    await waitFor(async () => expect(await readiness()).toContain("refuses the relay's key"));
    expect([await metric("gatehouse_relay_events_waiting"), await metric("gatehouse_relay_events_rejected")]).toEqual([1, 0]);
    await server.client.patchKey({ path: { id: relayKeyID }, body: { allowedAddresses: [] } });
    server.clock.now += 500;
    await waitFor(async () => expect(await stored("waits")).toBe(1));
  });

  test("requests of SDKs are counted for their keys", async () => {
    await relay.send("POST", "/v1/check_gate", {
      key: key.key,
      body: { gateName: "new_gate", user: {}, statsigMetadata: { sdkType: "js", sdkVersion: "1" } },
    });
    await relay.close();
    await server.flushSdkReports();
    const rows = await server.database.db.$queryRaw`select "keyID", "sdk", "count"::int from sdk_report where "sdk" = 'js'`;
    expect(rows).toEqual([{ keyID: key.id, sdk: "js", count: 1 }]);
    relay = await start();
  });
});
