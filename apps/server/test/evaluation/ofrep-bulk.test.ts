import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeKey } from "../support/keys.ts";
import { evaluateAll, untilSeen } from "../support/ofrep.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { waitFor } from "../support/wait-for.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const alice = { targetingKey: "alice", plan: "pro" };
const isPro = {
  name: "Pro",
  passPercentage: 100,
  conditions: [{ type: "custom_field" as const, field: "plan", operator: "any" as const, targetValue: ["pro"] }],
};

const tagFor = async (context: object) => (await evaluateAll(server, { ...context })).headers.get("ETag") as string;
const statusWith = async (tag: string, context: object) =>
  (await evaluateAll(server, { ...context }, { headers: { "If-None-Match": tag } })).status;

describe("evaluateFlags", () => {
  test("200: every flag once, by kind, and the URL of the event stream", async () => {
    const { client } = server;
    const { data: gate } = await client.createGate({ body: { name: "for_pro", isEnabled: true, rules: [isPro] } });
    await client.createDynamicConfig({ body: { name: "checkout", defaultValue: { steps: 3 } } });
    await client.createLayer({
      body: { name: "page", idType: "userID", parameters: [{ name: "label", type: "string", defaultValue: "Buy" }] },
    });
    await client.createParamStore({
      body: { name: "cart", parameters: [{ name: "max", ref_type: "static", param_type: "number", value: 9 }] },
    });
    await client.createSegment({ body: { name: "staff", type: "rule_based" } });
    await client.createHoldout({ body: { name: "held" } });
    await waitFor(async () => expect((await evaluateAll(server, alice)).body.flags.length).toBe(4));
    const { status, headers, body } = await evaluateAll(server, alice);
    expect(status).toBe(200);
    expect(headers.get("ETag")).toMatch(/^"[\w-]{22}"$/);
    expect(body).toEqual({
      flags: [
        {
          key: "for_pro",
          value: true,
          reason: "TARGETING_MATCH",
          variant: "Pro",
          metadata: { kind: "gate", ruleID: gate.rules[0]?.id, version: 1 },
        },
        {
          key: "checkout",
          value: { steps: 3 },
          reason: "STATIC",
          variant: "default",
          metadata: { kind: "dynamic_config", ruleID: "default", version: 1 },
        },
        {
          key: "page",
          value: { label: "Buy" },
          reason: "STATIC",
          variant: "default",
          metadata: { kind: "layer", ruleID: "default", version: 1 },
        },
        { key: "cart", value: { max: 9 }, reason: "STATIC", metadata: { kind: "param_store" } },
      ],
      eventStreams: [
        { type: "sse", endpoint: { requestUri: expect.stringMatching(/^\/ofrep\/v1\/stream\?token=[\w.-]+$/) }, inactivityDelaySec: 120 },
      ],
    });
  });

  test("304: the caller has the current response, until a flag changes", async () => {
    await server.client.createGate({ body: { name: "flipped", isEnabled: true } });
    await waitFor(async () => expect(JSON.stringify((await evaluateAll(server, alice)).body)).toContain("flipped"));
    const tag = await tagFor(alice);
    const held = await evaluateAll(server, alice, { headers: { "If-None-Match": tag } });
    expect({ status: held.status, text: held.text, tag: held.headers.get("ETag") }).toEqual({ status: 304, text: "", tag });
    expect(await statusWith(`W/${tag}`, alice)).toBe(304);
    await server.client.disableGate({ path: { id: "flipped" } });
    await waitFor(async () => expect(await statusWith(tag, alice)).toBe(200));
  });

  test("200: an ETag is specific to a context and a key", async () => {
    const tag = await tagFor(alice);
    expect(await statusWith(tag, { ...alice, plan: "free" })).toBe(200);
    expect(await statusWith(tag, { targetingKey: "bob", plan: "pro" })).toBe(200);
    const { key } = await makeKey(server, { type: "CLIENT" });
    const { status } = await evaluateAll(server, alice, { key, headers: { "If-None-Match": tag } });
    expect(status).toBe(200);
  });

  test("200: an ETag changes with values that depend on the time", async () => {
    const soon = { type: "time" as const, operator: "after" as const, targetValue: server.clock.now + 60_000 };
    await server.client.createGate({
      body: { name: "soon", isEnabled: true, rules: [{ name: "Soon", passPercentage: 100, conditions: [soon] }] },
    });
    const valueOfSoon = async () => (await evaluateAll(server, alice)).body.flags.find(({ key }: { key: string }) => key === "soon")?.value;
    await waitFor(async () => expect(await valueOfSoon()).toBe(false));
    const tag = await tagFor(alice);
    server.clock.now += 30_000;
    expect(await statusWith(tag, alice)).toBe(304);
    server.clock.now += 60_000;
    expect(await statusWith(tag, alice)).toBe(200);
    expect(await valueOfSoon()).toBe(true);
    await server.client.deleteGate({ path: { id: "soon" } });
  });

  test("200: waits for a change that the caller was notified of, and ignores unknown values", async () => {
    const query = (name: string, value: string) => ({ query: `?${name}=${encodeURIComponent(value)}` });
    const known = await evaluateAll(server, alice, query("flagConfigEtag", `${server.clock.now + 9e9}.abc`));
    expect(known.status).toBe(200);
    expect((await evaluateAll(server, alice, query("flagConfigEtag", '"v2"'))).status).toBe(200);
    expect((await evaluateAll(server, alice, query("flagConfigLastModified", "2025-11-21T04:40:42Z"))).status).toBe(200);
  });

  test("200: only the flags that the context names, once each, with an ETag of their own", async () => {
    for (const name of ["named_a", "named_b", "not_named"]) await server.client.createGate({ body: { name } });
    await untilSeen(server, "not_named");
    const keysOf = async (flags: unknown) =>
      (await evaluateAll(server, { ...alice, flags })).body.flags.map(({ key }: { key: string }) => key);
    expect(await keysOf(["named_b", "absent", "named_a", "named_b"])).toEqual(["named_b", "named_a"]);
    expect(await keysOf("named_a, named_b")).toEqual(["named_a", "named_b"]);
    expect(await keysOf([])).toEqual([]);
    const [all, some] = [await evaluateAll(server, alice), await evaluateAll(server, { ...alice, flags: ["named_a"] })];
    expect(await keysOf(null)).toEqual(all.body.flags.map(({ key }: { key: string }) => key));
    expect(some.body.flags).toEqual(all.body.flags.filter(({ key }: { key: string }) => key === "named_a"));
    const tag = await tagFor({ ...alice, flags: ["named_a"] });
    expect(await statusWith(tag, { ...alice, flags: ["named_a"] })).toBe(304);
    expect(await statusWith(tag, { ...alice, flags: ["named_b"] })).toBe(200);
  });

  test.each([
    [{ context: { targetingKey: "alice", flags: 7 } }, "INVALID_CONTEXT", "context.flags must be array or string or null."],
    [{ context: {} }, "TARGETING_KEY_MISSING", "context.targetingKey is required."],
    [{}, "INVALID_CONTEXT", "context is required."],
    [{ context: 7 }, "INVALID_CONTEXT", "context must be object."],
  ])("400: %j is refused as a whole", async (sent, errorCode, errorDetails) => {
    const { status, body } = await server.send("POST", "/ofrep/v1/evaluate/flags", { body: sent });
    expect({ status, ...body }).toEqual({ status: 400, errorCode, errorDetails });
  });

  test("a key that is limited to an environment gets the rules of that environment", async () => {
    const rules = [{ name: "Dev", passPercentage: 100, conditions: [], environments: ["development"] }];
    await server.client.createGate({ body: { name: "in_development", isEnabled: true, rules } });
    await untilSeen(server, "in_development");
    const valueBy = async (environment: string) => {
      const { key } = await makeKey(server, { type: "CLIENT", environments: [environment] });
      const { body } = await evaluateAll(server, alice, { key });
      return body.flags.find(({ key }: { key: string }) => key === "in_development")?.value;
    };
    expect(await valueBy("development")).toBe(true);
    expect(await valueBy("production")).toBe(false);
  });
});
