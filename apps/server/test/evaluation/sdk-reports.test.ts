import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventRetention } from "../../src/jobs/event-retention.ts";
import { startServer, type TestServer } from "../support/server.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;

let server: TestServer;
let keyID: string;
let key: string;
beforeAll(async () => {
  server = await startServer({ requestLimits: { events: 200 } });
  const { data } = await server.client.createKey({ body: { type: "SERVER", description: "Backend", environments: ["production"] } });
  keyID = data.id;
  key = data.key as string;
});
afterAll(() => server.close());

const download = (sdk: string, version: string, at = server) =>
  at.send("GET", "/v1/download_config_specs", { key, headers: { "statsig-sdk-type": sdk, "statsig-sdk-version": version } });
const report = (sdk: string, body: object) => server.send("POST", "/v1/sdk_exception", { key, headers: { "statsig-sdk-type": sdk }, body });
async function list(query: { sdk?: string; keyID?: string; environment?: string; limit?: number } = {}) {
  await server.flushSdkReports();
  return (await server.client.listSDKs({ query })).data;
}

describe("listSDKs", () => {
  test("has the requests of each version, and the newer version that also reports", async () => {
    await download("statsig-node", "6.4.0");
    await download("statsig-node", "6.10.0");
    await download("statsig-node", "6.10.0");
    const common = { sdk: "statsig-node", keyID, keyDescription: "Backend", keyType: "SERVER", environments: ["production"], errors: [] };
    const seen = { firstSeenDate: "2025-11-21", lastSeenTime: server.clock.now };
    expect(await list({ sdk: "statsig-node" })).toEqual([
      { ...common, ...seen, version: "6.10.0", newerVersion: null, requests: 2 },
      { ...common, ...seen, version: "6.4.0", newerVersion: "6.10.0", requests: 1 },
    ]);
  });

  test("adds up the requests that several replicas served", async () => {
    const replica = await server.replica();
    await download("replicated", "1");
    await download("replicated", "1", replica);
    await replica.close();
    expect(await list({ sdk: "replicated" })).toMatchObject([{ version: "1", requests: 2 }]);
  });

  test("reads the SDK of a body, and counts requests that were rejected by their status", async () => {
    const body = { user: { userID: "alice" }, statsigMetadata: { sdkType: "body-client", sdkVersion: "3.33.5" } };
    await server.send("POST", "/v1/initialize", { key, body });
    await server.send("POST", "/v1/initialize", { key, body: { ...body, hash: "sha1" } });
    await server.send("POST", "/v1/initialize", { key, body: { ...body, hash: "sha1" } });
    expect(await list({ sdk: "body-client" })).toMatchObject([
      { version: "3.33.5", requests: 3, errors: [{ status: 400, count: 2, lastTime: server.clock.now, detail: null }] },
    ]);
  });

  test("finds SDKs by their key and by the environments that their keys reach", async () => {
    const { data: staging } = await server.client.createKey({
      body: { type: "SERVER", description: "Staging", environments: ["staging"] },
    });
    await server.send("GET", "/v1/download_config_specs", { key: staging.key, headers: { "statsig-sdk-type": "filtered" } });
    await server.send("GET", "/v1/download_config_specs", { headers: { "statsig-sdk-type": "filtered" } });
    await download("filtered", "1");
    const keysOf = async (query: object) => (await list({ sdk: "filtered", ...query })).map((one) => one.keyID).sort();
    const unlimited = (await keysOf({})).filter((id) => id !== keyID && id !== staging.id);
    expect(unlimited).toHaveLength(1);
    expect(await keysOf({ keyID: staging.id })).toEqual([staging.id]);
    expect(await keysOf({ environment: "staging" })).toEqual([staging.id, ...unlimited].sort());
    expect(await keysOf({ environment: "production" })).toEqual([keyID, ...unlimited].sort());
    await server.client.deleteKey({ path: { id: staging.id } });
    expect(await list({ keyID: staging.id })).toMatchObject([{ sdk: "filtered", keyType: null, keyDescription: null, environments: [] }]);
  });

  test("counts the last 7 days, and forgets SDKs after 30", async () => {
    await download("aging", "1");
    await server.flushSdkReports();
    const lastSeenTime = server.clock.now;
    server.clock.now += 7 * DAY_MS;
    expect(await list({ sdk: "aging" })).toMatchObject([{ requests: 0, firstSeenDate: "2025-11-21", lastSeenTime }]);
    await download("aging", "1");
    expect(await list({ sdk: "aging" })).toMatchObject([{ requests: 1, firstSeenDate: "2025-11-21", lastSeenTime: server.clock.now }]);
    server.clock.now = lastSeenTime + 31 * DAY_MS;
    await eventRetention(30).run({ database: server.database, log: server.log, now: () => server.clock.now });
    const [{ days }] = await server.database.db.$queryRaw<[{ days: string[] }]>`
      select array_agg(day::text) as days from sdk_report where sdk = 'aging'`;
    expect(days).toEqual([String(Math.floor(lastSeenTime / DAY_MS) + 7)]);
    server.clock.now = lastSeenTime;
  });

  test("counts names beyond 100 per key and day as `other`", async () => {
    const { data } = await server.client.createKey({ body: { type: "CLIENT", description: "App" } });
    for (let number = 0; number < 70; number += 1) await server.send("GET", `/v1/x?k=${data.key}&st=sdk-${number}&sv=1`, { key: null });
    await server.flushSdkReports();
    for (let number = 60; number < 130; number += 1) await server.send("GET", `/v1/x?k=${data.key}&st=sdk-${number}&sv=1`, { key: null });
    const listed = await list({ keyID: data.id, limit: 1000 });
    expect(listed).toHaveLength(101);
    expect(listed.find(({ sdk }) => sdk === "other")).toMatchObject({ version: null, requests: 30, errors: [{ status: 404, count: 30 }] });
    expect(listed.find(({ sdk }) => sdk === "sdk-65")).toMatchObject({ requests: 2 });
  });
});

describe("logException", () => {
  test("counts exceptions of an SDK, with the last one and its place", async () => {
    const first = await report("statsig-js", { exception: "Error", statsigMetadata: { sdkVersion: "5.1.0" } });
    await report("statsig-js", { exception: "TypeError", tag: "getFeatureGate\u0007\u001b", info: "TypeError: a\n at b" });
    expect(first).toMatchObject({ status: 202, body: { success: true } });
    const [, unversioned] = await list({ sdk: "statsig-js" });
    expect(unversioned?.errors).toEqual([{ status: null, count: 1, lastTime: server.clock.now, detail: "TypeError in getFeatureGate  " }]);
  });

  test("the limit of requests with events counts exceptions", async () => {
    let status = 202;
    for (let number = 0; number <= 200 && status === 202; number += 1) ({ status } = await report("looping", { exception: "Error" }));
    expect(status).toBe(429);
  });
});
