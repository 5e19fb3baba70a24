import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeNamed } from "../support/fixtures.ts";
import { makeKey } from "../support/keys.ts";
import { connectClient, OUTSIDE, sendByTool } from "../support/mcp.ts";
import { forKeys } from "../support/operations.ts";
import { prepare } from "../support/prepare.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { readValues } from "../support/values.ts";

// Sends the contract's example of each write with a key whose role permits everything, and publishes in staging only: as a request and by a tool
// for AI agents.

let server: TestServer;
let limited: Record<string, string>;
let tools: Awaited<ReturnType<typeof connectClient>>;
const refused = new Set<string | undefined>();
beforeAll(async () => {
  server = await startServer();
  await makeNamed(server);
  const { data: admin } = await server.client.getRole({ path: { id: "Admin" } });
  await server.client.createRole({ body: { name: "Limited", permissions: admin.permissions, publishesIn: ["staging"] } });
  const scopes = ["omni_read_write", "can_access_keys", "bypass_reviews", "mcp_write"] as const;
  const { key } = await makeKey(server, { type: "CONSOLE", scopes: [...scopes], role: "Limited" });
  limited = { "SERVICE-API-KEY": key };
  tools = await connectClient(server, key);
});
afterAll(() => server.close());

/** The kinds of entities whose writes are refused, and an operation that is about several kinds, since their examples change what users of other environments get. */
const KINDS = [
  "assignTargetApps",
  "autotune",
  "dynamic_config",
  "environment_set",
  "experiment",
  "experiment_overrides",
  "gate",
  "gate_overrides",
  "holdout",
  "holdout_overrides",
  "key",
  "layer",
  "layer_overrides",
  "param_store",
  "prompt",
  "release",
  "review",
  "segment",
  "target_app",
];

describe("a caller who publishes in staging changes nothing that users get elsewhere", () => {
  test.each(forKeys.filter(({ isWrite }) => isWrite))("$operationId", async (operation) => {
    const { method, entity, operationId, shownOnce } = operation;
    const { url, body, headers, fixture } = await prepare(server, operation);
    const read = () => readValues(server, ["development", "production"]);
    const before = await read();
    const { status, body: answer } = await server.send(method, url, { body, headers: { ...headers, ...limited } });
    if (status === 403 && answer.message.includes("where the role Limited does not publish")) refused.add(entity ?? operationId);
    // The role names an environment that the example drops.
    else if (operationId === "updateEnvironments") expect(status).toBe(409);
    else expect([operationId, answer.message, status < 300 || status === 403]).toEqual([operationId, expect.any(String), true]);
    const byTool = await sendByTool(tools, operation, { parameters: fixture?.parameters, body });
    expect(await read()).toEqual(before);
    // A dry run answers what the change would need.
    if (status === 403 && !shownOnce && !OUTSIDE.test(byTool.text))
      expect(byTool).toEqual({ isError: true, text: expect.any(String), body: answer });
  });

  test("and every kind that rulesets have was refused", () => {
    expect([...refused].sort()).toEqual(KINDS);
  });
});
