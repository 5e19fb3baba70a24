import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { insufficient, makeKey } from "../support/keys.ts";
import { connectClient } from "../support/mcp.ts";
import { startServer, type TestServer } from "../support/server.ts";

type Connected = Awaited<ReturnType<typeof connectClient>>;

let server: TestServer;
let [reader, author, agent]: Connected[] = [];
beforeAll(async () => {
  server = await startServer();
  const connect = async (scopes: ("omni_read_only" | "omni_read_write" | "mcp_write" | "can_access_keys")[]) =>
    connectClient(server, (await makeKey(server, { type: "CONSOLE", scopes })).key);
  reader = await connect(["omni_read_only"]);
  author = await connect(["omni_read_write", "can_access_keys"]);
  agent = await connect(["omni_read_write", "can_access_keys", "mcp_write"]);
  await server.client.createGate({ body: { name: "checkout", description: "The new checkout.", rules: [] } });
});
afterAll(() => server.close());

const as = () => ({ reader: reader as Connected, author: author as Connected, agent: agent as Connected });
const isEnabled = async () => (await server.client.getGate({ path: { id: "checkout" } })).data.isEnabled;
const disable = { operationId: "disableGate", path: { id: "checkout" } };

describe("a client", () => {
  test.each(["legacy", "modern"] as const)("of the %s protocol lists and calls tools", async (era) => {
    const { client, call } = await connectClient(server, server.key, era);
    const { tools } = await client.listTools();
    expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
      ["list_entities", true],
      ["get_entity", true],
      ["explain_evaluation", true],
      ["estimate_impact", true],
      ["list_stale_gates", true],
      ["get_experiment_results", true],
      ["find_operations", true],
      ["describe_operation", true],
      ["read", true],
      ["change", false],
      ["search_docs", true],
      ["read_docs", true],
    ]);
    expect((await call("get_entity", { type: "gate", id: "checkout" })).body.data.description).toBe("The new checkout.");
    expect(client.getServerVersion()).toMatchObject({ name: "gatehouse", title: "Gatehouse" });
    await client.close();
  });

  test("learns from the instructions whether its key can make changes", () => {
    const { author, agent } = as();
    expect(author.client.getInstructions()).toContain("The key can't make changes over MCP.");
    expect(agent.client.getInstructions()).toContain("The key can make changes with the mode apply.");
  });

  test("is refused without a console key, at other methods, with a batch and from pages of other origins", async () => {
    const message = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    const { key } = await makeKey(server, { type: "SERVER" });
    const post = (body: unknown, options: object) => server.send("POST", "/mcp", { body, ...options });
    const missing = await post(message, { key: null });
    expect([missing.status, missing.headers.get("WWW-Authenticate"), missing.body.code]).toEqual([401, "Bearer", "unauthorized"]);
    const other = await post(message, { key });
    expect([other.status, other.body]).toEqual([403, insufficient("a key of the type CONSOLE")]);
    for (const method of ["GET", "DELETE"]) {
      const { status, headers } = await server.send(method, "/mcp");
      expect([method, status, headers.get("Allow")]).toEqual([method, 405, "POST"]);
    }
    expect((await post([message], {})).body.errors).toEqual([{ property: "body", errorMessage: "must be one JSON-RPC message" }]);
    expect((await post(message, { headers: { Origin: "https://evil.example.com" } })).status).toBe(403);
    expect((await post(undefined, { rawBody: " ".repeat(2 ** 20 + 1) })).status).toBe(413);
  });

  test("is refused from an address that its key does not allow, as by the console API", async () => {
    const { key } = await makeKey(server, {
      type: "CONSOLE",
      scopes: ["omni_read_write", "mcp_write"],
      allowedAddresses: ["192.0.2.0/24"],
    });
    const { status, body } = await server.send("GET", "/console/v1/gates", { key });
    const byTool = await server.send("POST", "/mcp", { body: { jsonrpc: "2.0", id: 1, method: "tools/list" }, key });
    expect([status, byTool.status, byTool.body]).toEqual([403, 403, body]);
  });

  test("gets one JSON response, and no session", async () => {
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } };
    const body = { jsonrpc: "2.0", id: 1, method: "initialize", params };
    const {
      status,
      headers,
      body: answer,
    } = await server.send("POST", "/mcp", { body, headers: { Accept: "application/json, text/event-stream" } });
    expect([status, headers.get("Content-Type"), headers.get("Mcp-Session-Id")]).toEqual([200, "application/json", null]);
    expect(answer.result.serverInfo.name).toBe("gatehouse");
  });
});

describe("tools that read", () => {
  test("list entities with pages, and filter them", async () => {
    const { reader } = as();
    await server.client.createGate({ body: { name: "search", rules: [] } });
    const { body } = await reader.call("list_entities", { type: "gate", limit: 1, filter: { sort: "name" } });
    expect(body).toMatchObject({ data: [{ id: "checkout" }], pagination: { totalItems: 2, itemsPerPage: 1 } });
    expect((await reader.call("list_entities", { type: "gate", search: "search" })).body.data).toHaveLength(1);
  });

  test("explain what a user gets", async () => {
    const { reader } = as();
    const entities = [{ type: "gate", id: "checkout" }];
    const { body } = await reader.call("explain_evaluation", { user: { userID: "ana" }, entities, environment: "production" });
    expect(body.data[0]).toMatchObject({ results: [{ type: "gate", id: "checkout", value: false, ruleID: "default" }] });
  });

  test("find operations by words, say which the key may call, and describe them with their schemas", async () => {
    const { reader } = as();
    const { body } = await reader.call("find_operations", { query: "add gate overrides", kind: "write" });
    expect(body.operations[0]).toEqual({
      operationId: "addGateOverrides",
      summary: "Add overrides to a gate",
      isWrite: true,
      permission: "edit_or_delete_configs",
      isAllowed: false,
    });
    const { body: described } = await reader.call("describe_operation", { operationId: "addGateOverrides" });
    expect(described).toMatchObject({ operationId: "addGateOverrides", path: [{ name: "id", isRequired: true }], canRequestReview: true });
    for (const [, name] of JSON.stringify(described).matchAll(/"#\/schemas\/(\w+)"/g))
      expect(described.schemas).toHaveProperty(name as string);
  });

  test("give the text of the console API if it refuses a call", async () => {
    const { reader } = as();
    const { status, body } = await server.send("GET", "/console/v1/gates/absent");
    expect(await reader.call("get_entity", { type: "gate", id: "absent" })).toMatchObject({ isError: true, body: { ...body, status } });
    expect((await reader.call("read", { operationId: "getGate" })).text).toBe("path.id is required.");
    expect((await reader.call("list_entities", { type: "gate", limit: "many" })).text).toContain("The arguments are not valid");
  });

  test("refuse secrets, files and what only people do, also in a batch", async () => {
    const { agent } = as();
    const texts = {
      getWebhookSecret: "getWebhookSecret returns a secret. Use the console API.",
      downloadUsage: "downloadUsage sends a file or a stream. Use the console API.",
      getSession: "getSession is only for people who are signed in.",
      makeCoffee: "The operation makeCoffee does not exist. Use find_operations to find one.",
    };
    for (const [operationId, text] of Object.entries(texts))
      expect(await agent.call("read", { operationId })).toMatchObject({ isError: true, text });
    const requests = [{ operationId: "getWebhookSecret", path: { id: "x" } }];
    const batch = { operationId: "batch", body: { requests } };
    for (const tool of ["change", "estimate_impact"]) expect((await agent.call(tool, batch)).text).toBe(texts.getWebhookSecret);
    const key = { operationId: "createKey", body: { type: "SERVER", description: "x" }, mode: "apply" };
    expect((await agent.call("change", key)).text).toBe("createKey shows a secret only once. Use the console.");
  });

  test("ask for less if a result is longer than 100,000 characters", async () => {
    const { reader } = as();
    const description = "long ".repeat(190);
    const requests = Array.from({ length: 100 }, (_, index) => ({
      operationId: "createTag" as const,
      body: { name: `tag ${index}`, description },
    }));
    await server.client.batch({ requests });
    const { isError, text } = await reader.call("list_entities", { type: "tag", limit: 100 });
    expect([isError, text.replace(/\d+,\d{3} characters, more/, "N characters, more")]).toEqual([
      true,
      "The result has N characters, more than the limit of 100,000. Ask for less: use a smaller limit, a filter, or another page.",
    ]);
    expect((await reader.call("list_entities", { type: "tag" })).body.data).toHaveLength(20);
  });
});

describe("the tool change", () => {
  test("is a dry run by default, which shows the changes and makes none", async () => {
    const { author } = as();
    const { body } = await author.call("change", disable);
    expect(body.changes[0]).toMatchObject({
      entityType: "gate",
      entityID: "checkout",
      fields: [{ field: "isEnabled", before: true, after: false }, {}],
    });
    expect(await isEnabled()).toBe(true);
  });

  test("stores a review with the reason, which people approve", async () => {
    const { author } = as();
    const { body } = await author.call("change", { ...disable, mode: "request_review", reason: "Nobody uses it." });
    expect(body.review).toMatchObject({
      status: "PENDING",
      operationId: "disableGate",
      reason: "Nobody uses it.",
      author: { email: null },
    });
    expect(await isEnabled()).toBe(true);
    const commit = { operationId: "commitReview", path: { id: body.review.id }, mode: "request_review" };
    expect((await author.call("change", commit)).text).toBe("commitReview cannot be reviewed. Use the mode dry_run or apply.");
  });

  test("makes a change only with the scope mcp_write, and the audit log has the refusal", async () => {
    const { author, agent } = as();
    const refused = await author.call("change", { ...disable, mode: "apply" });
    const needs = "the scope mcp_write for changes over MCP. Try the change as a dry run, or request a review of it";
    expect(refused).toMatchObject({ isError: true, body: insufficient(needs) });
    expect(await isEnabled()).toBe(true);
    const { data } = await server.client.listAuditLogs({ query: { limit: 1 } });
    expect(data[0]).toMatchObject({ name: "disableGate" });
    const { body } = await agent.call("change", { ...disable, mode: "apply", reason: "The sale is over." });
    expect(body.data.isEnabled).toBe(false);
    const changes = await server.client.listChanges({ query: { entityType: "gate", entityID: "checkout", limit: 1 } });
    expect(changes.data[0]).toMatchObject({ operationID: "disableGate", reason: "The sale is over." });
    const enabled = await agent.call("change", { operationId: "enableGate", path: { id: "checkout" }, mode: "apply", ifMatch: '"1-x"' });
    expect(enabled.body.code).toBe("precondition_failed");
    await server.client.enableGate({ path: { id: "checkout" } });
  });

  test("cannot be turned into a change by its query, its body or a request in a batch", async () => {
    const { author } = as();
    const query = (given: object) => author.call("change", { ...disable, query: given });
    for (const name of ["dryRun", "requestReview", "impact"])
      expect((await query({ [name]: false })).text).toBe(`query.${name} is decided by mode and impactUsers.`);
    const { key } = await makeKey(server, { type: "CONSOLE", scopes: ["omni_read_write"] });
    const { call } = await connectClient(server, key);
    const batch = { operationId: "batch", body: { requests: [disable] } };
    expect((await call("change", { ...batch, mode: "apply" })).body.message).toContain("the scope mcp_write");
    expect((await call("change", batch)).body.data).toHaveLength(1);
    expect((await call("change", { operationId: "getGate", path: { id: "checkout" }, mode: "apply" })).text).toBe(
      "getGate only reads. Use the tool read.",
    );
    expect((await call("read", disable)).text).toBe("disableGate is a write. Use the tool change.");
    const reachingOut = [
      { operationId: "testWebhook", path: { id: "x" } },
      { operationId: "checkWarehouseConnection" },
      { operationId: "checkModelEndpoint" },
    ];
    for (const one of reachingOut) expect((await author.call("read", one)).body.message).toContain("the scope mcp_write");
    expect(await isEnabled()).toBe(true);
  });

  test("estimates the impact on recent users", async () => {
    const { author } = as();
    const metadata = { gate: "checkout", gateValue: "false", ruleID: "" };
    const user = { userID: "ana", statsigEnvironment: { tier: "production" } };
    await server.evaluation.logEvent({
      body: { events: [{ eventName: "statsig::gate_exposure", user, metadata, time: server.clock.now }] },
    });
    const rules = [{ name: "all", passPercentage: 100, conditions: [{ type: "public" }] }];
    const { body } = await author.call("estimate_impact", { operationId: "patchGate", path: { id: "checkout" }, body: { rules } });
    expect(body.impact.find((one: any) => one.environment === "production")).toMatchObject({ users: 1, changed: 1 });
  });
});
