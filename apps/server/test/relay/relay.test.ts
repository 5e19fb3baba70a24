import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readPages } from "../support/documentation.ts";
import { prepareEvaluation } from "../support/evaluation-operations.ts";
import { makeKey } from "../support/keys.ts";
import { evaluate, evaluateAll, listen, readStreamUrl } from "../support/ofrep.ts";
import { evaluationOperations, fill, type SweptOperation } from "../support/operations.ts";
import { startTestRelay, type TestRelay } from "../support/relay.ts";
import { makeList } from "../support/segments.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { waitFor } from "../support/wait-for.ts";

let server: TestServer;
let relay: TestRelay;
let toCall: Awaited<ReturnType<typeof prepareEvaluation>>;
beforeAll(async () => {
  server = await startServer();
  toCall = await prepareEvaluation(server);
  await server.client.createPrompt({ body: { name: "greeting" } });
  await server.client.createDynamicConfig({ body: { name: "colors", defaultValue: { 2: "b", 1: "a" } } });
  relay = await startTestRelay(server);
  const flags = () =>
    Promise.all([server, relay].map(async (to) => (await evaluateAll(to, { targetingKey: "alice" }, { key: server.key })).body));
  await waitFor(async () => {
    server.clock.now += 500;
    const [direct, relayed] = await flags();
    expect(direct.flags.map(({ key }: { key: string }) => key)).toContain("colors");
    expect(relayed).toEqual(direct);
  });
});
afterAll(async () => {
  await relay.close();
  await server.close();
});

const isForRelays = ({ path }: SweptOperation) => path.startsWith("/v1/relay/");
const applicationOperations = evaluationOperations.filter((operation) => !isForRelays(operation));

/** Answers whose bodies have the address of the server that was asked. */
const withoutAddress = (text: string) => text.replaceAll(server.url, "").replaceAll(relay.url, "");

describe("a relay", () => {
  test.each(applicationOperations.filter(({ operationId }) => operationId !== "streamFlagChanges"))(
    "answers $operationId with the bytes of its origin",
    async (operation) => {
      const { url } = toCall(operation);
      const options = { body: operation.example, key: server.key, headers: { "Accept-Encoding": "identity" } };
      const [direct, relayed] = await Promise.all([server, relay].map((to) => to.send(operation.method, url, options)));
      expect(direct?.status).toBeLessThan(300);
      expect([relayed?.status, withoutAddress(relayed?.text ?? "")]).toEqual([direct?.status, withoutAddress(direct?.text ?? "")]);
      for (const name of ["Content-Type", "ETag", "Cache-Control", "CDN-Cache-Control", "Vary"])
        expect([name, relayed?.headers.get(name)]).toEqual([name, direct?.headers.get(name)]);
    },
  );

  test("answers client keys with the public ruleset of its origin, and refuses the same operations", async () => {
    const { key } = await makeKey(server, { type: "CLIENT", scopes: ["client_download_config_specs"] });
    for (const path of ["/v1/download_config_specs", "/v2/download_config_specs", "/v1/get_id_lists"]) {
      const method = path.endsWith("id_lists") ? "POST" : "GET";
      await waitFor(async () => {
        server.clock.now += 500;
        const [direct, relayed] = await Promise.all([server, relay].map((to) => to.send(method, path, { key })));
        expect([relayed?.status, relayed?.text]).toEqual([direct?.status, direct?.text]);
        expect(relayed?.text).not.toContain("greeting");
      });
    }
  });

  test("refuses a missing key, an unknown one and a path that only servers have", async () => {
    const call = (key: string | null) => relay.send("POST", "/v1/check_gate", { key, body: { gateName: "new_checkout" } });
    expect([(await call(null)).status, (await call("secret-0123456789abcdef")).status]).toEqual([401, 401]);
    for (const path of ["/v1/relay/keys", "/console/v1/gates", "/"]) {
      expect(await relay.send("GET", path)).toMatchObject({ status: 404, body: { code: "not_found" } });
    }
  });

  test("sends a change of the origin to its streams, and shows it", async () => {
    const { key } = await makeKey(server, { type: "CLIENT" });
    const stream = await listen(relay, await readStreamUrl(relay, key));
    await stream.next();
    await server.send("PATCH", "/console/v1/gates/new_checkout", { body: { rules: [] } });
    await waitFor(async () => {
      expect(await stream.next()).toMatchObject({ data: { type: "refetchEvaluation" } });
      expect((await evaluate(relay, "new_checkout", { targetingKey: "alice" }, { key })).body.value).toBe(false);
    });
    stream.close();
  });

  test("ends the streams of a revoked key, and refuses it", async () => {
    const { id, key } = await makeKey(server, { type: "CLIENT" });
    const url = await readStreamUrl(relay, key);
    const stream = await listen(relay, url);
    await stream.next();
    await server.client.deactivateKey({ path: { id } });
    await waitFor(async () => expect(await stream.next()).toBeUndefined());
    server.clock.now += 500;
    expect((await evaluateAll(relay, {}, { key })).status).toBe(401);
    expect((await listen(relay, url)).status).toBe(401);
  });

  test("refuses keys that reach further than its own, and its own key gets no other ruleset", async () => {
    const { key: ownKey } = await makeKey(server, { environments: ["development"] });
    const limited = await startTestRelay(server, { key: ownKey });
    const { key: wide } = await makeKey(server);
    const { key: other } = await makeKey(server, { environments: ["production"] });
    const { key: same } = await makeKey(server, { environments: ["development"] });
    const status = async (key: string) => (await limited.send("GET", "/v1/download_config_specs", { key })).status;
    expect([await status(wide), await status(other), await status(same)]).toEqual([403, 403, 200]);
    for (const environments of [[], ["production"], ["development", "production"]]) {
      const answer = await server.send("POST", "/v1/relay/ruleset", { key: ownKey, body: { environments, targetApps: [] } });
      expect(answer).toMatchObject({ status: 403, body: { code: "forbidden" } });
    }
    await limited.close();
  });

  test("gets no ruleset for environments and target apps that no key has, so that no caller has any number of them compiled", async () => {
    await server.client.createTargetApp({ body: { name: "Kiosk" } });
    const kiosk = await makeKey(server, { environments: ["staging"], targetAppID: "Kiosk" });
    const { body } = await server.send("POST", "/v1/relay/keys", { body: { keys: [{ id: kiosk.id }] }, key: (await makeKey(server)).key });
    const { environments, targetApps } = body.keys[0];
    const { key } = await makeKey(server);
    const ask = async (reach: object) => (await server.send("POST", "/v1/relay/ruleset", { key, body: reach })).status;
    expect(await ask({ environments, targetApps })).toBe(200);
    expect(await ask({ environments, targetApps: targetApps.toReversed() })).toBe(200);
    for (const others of [["absent"], ["staging", "development"], []]) expect(await ask({ environments: others, targetApps })).toBe(403);
    expect(await ask({ environments, targetApps: targetApps.slice(1) })).toBe(403);
  });

  test("gets no details of a key that reaches further than its own, and its counts for that key are dropped", async () => {
    const own = await makeKey(server, { environments: ["development"] });
    const limits = { environments: ["production"], allowedAddresses: ["192.0.2.1"] };
    const { id } = await makeKey(server, { type: "CLIENT", scopes: ["client_download_config_specs"], ...limits });
    const { body } = await server.send("POST", "/v1/relay/keys", { key: own.key, body: { keys: [{ id }] } });
    const untold = { scopes: [], environments: [], targetApps: [], allowedAddresses: [] };
    expect(body.keys).toEqual([{ id, version: expect.any(Number), type: "CLIENT", expiresTime: null, ...untold, isCovered: false }]);
    const count = { sdk: "counted", version: "1", outcome: 0, count: 1, lastTime: 1, detail: null };
    const requests = [id, "absent", own.id].map((keyID) => ({ keyID, ...count }));
    expect((await server.send("POST", "/v1/relay/events", { key: own.key, body: { batches: [], requests } })).status).toBe(202);
    await server.flushSdkReports();
    expect(await server.database.db.$queryRaw`select "keyID" from sdk_report where "sdk" = 'counted'`).toEqual([{ keyID: own.id }]);
  });

  test("stops serving when its own key is revoked", async () => {
    const own = await makeKey(server);
    const revoked = await startTestRelay(server, { key: own.key });
    const ask = () => evaluateAll(revoked, { targetingKey: "alice" }, { key: server.key });
    expect((await ask()).status).toBe(200);
    expect((await revoked.send("GET", "/readyz", { key: null })).text).toBe("ready\norigin: connected\n");
    await server.client.deactivateKey({ path: { id: own.id } });
    await waitFor(async () => {
      server.clock.now += 500;
      expect(await ask()).toMatchObject({ status: 503, body: { errorDetails: expect.stringContaining("GATEHOUSE_RELAY_KEY") } });
    });
    expect(await revoked.send("GET", "/readyz", { key: null })).toMatchObject({
      status: 503,
      text: "not ready\norigin: refuses the relay's key\n",
    });
    await revoked.close();
  });

  test("does not serve keys of other projects, and gets no details of them", async () => {
    const answer = await server.send("POST", "/v1/relay/keys", {
      body: { keys: [{ id: "absent" }, { token: "other.key_x.y", path: "/x" }] },
    });
    expect(answer.body).toEqual({ projectID: "default", time: expect.any(Number), keys: [null, null] });
    const twice = { keys: [{ id: "a", hash: "0".repeat(64) }] };
    expect(await server.send("POST", "/v1/relay/keys", { body: twice })).toMatchObject({
      status: 400,
      body: { errors: [{ property: "keys[0]", errorMessage: "must have exactly one of hash, id, and token" }] },
    });
  });
});

test("the page about relays has each metric of a relay", async () => {
  const { text } = await relay.send("GET", "/metrics", { key: null });
  const described = [...text.matchAll(/^# TYPE (gatehouse_\S+) \w+$/gm)].map(([, name]) => name);
  const rows = (readPages().get("operate/relay.md") ?? "").split("\n").filter((line) => line.startsWith("| `gatehouse_"));
  expect(rows.map((row) => row.split("|")[1]?.replaceAll("`", "").trim()).sort()).toEqual(described.sort());
});

test("only relays call three operations", () => {
  expect(evaluationOperations.filter(isForRelays).map(({ path }) => fill(path, {}))).toEqual([
    "/v1/relay/events",
    "/v1/relay/keys",
    "/v1/relay/ruleset",
  ]);
});

test("an origin below a path gives a relay its id lists and its stream of changes", async () => {
  const below = await startServer({ publicUrl: "https://example.com/tools/gatehouse" });
  const behind = await startTestRelay(below, { origin: `${below.url}/tools/gatehouse` });
  const list = await makeList(
    below,
    Array.from({ length: 1_001 }, (_, index) => `tester ${index}`),
  );
  const conditions = [{ type: "passes_segment" as const, targetValue: list }];
  await below.client.createGate({ body: { name: "for testers", rules: [{ name: "testers", passPercentage: 100, conditions }] } });
  await waitFor(async () => {
    expect((await behind.send("GET", "/readyz", { key: null })).text).toBe("ready\norigin: connected\n");
    expect((await evaluate(behind, "for_testers", { targetingKey: "tester 7" })).body.value).toBe(true);
  });
  await behind.close();
  await below.close();
});
