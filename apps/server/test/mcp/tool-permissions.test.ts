import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeKey } from "../support/keys.ts";
import { callByTool as callWithExample, connectClient, OUTSIDE } from "../support/mcp.ts";
import { consoleOperations, fill, needsPerson, requiredAccess, type SweptOperation } from "../support/operations.ts";
import { startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
/** A key that has every scope, and a role without permissions. */
let powerless: string;
let connected: Awaited<ReturnType<typeof connectClient>>;
beforeAll(async () => {
  server = await startServer();
  await server.client.createRole({ body: { name: "Nothing", permissions: {} } });
  const scopes = ["omni_read_write" as const, "can_access_keys" as const, "bypass_reviews" as const, "mcp_write" as const];
  powerless = (await makeKey(server, { type: "CONSOLE", scopes, role: "Nothing" })).key;
  connected = await connectClient(server, powerless);
});
afterAll(() => server.close());

/** Calls an operation by the tool for it. */
const callByTool = (operation: SweptOperation, mode?: string) => callWithExample(connected, operation, { body: operation.example }, mode);

describe("a tool is refused like a request if the key lacks the permission", () => {
  const withPermission = consoleOperations.filter((one) => requiredAccess(one) === undefined && one.permission !== "contained");
  test.each(withPermission)("$operationId", async (operation) => {
    const { method, path, example, isWrite, shownOnce } = operation;
    const outcomes = [await callByTool(operation), ...(isWrite && !shownOnce ? [await callByTool(operation, "apply")] : [])];
    if (OUTSIDE.test(outcomes[0]?.text ?? "")) return expect(outcomes).toMatchObject([{ isError: true }]);
    const { status, body } = await server.send(method, fill(path, {}), { key: powerless, body: example });
    expect(status).toBe(403);
    for (const outcome of outcomes) expect(outcome).toEqual({ isError: true, text: expect.any(String), body });
  });
});

test("a batch that a tool sends needs the permissions of its requests", async () => {
  const body = { requests: [{ operationId: "createGate", body: { name: "new" } }] };
  const refused = await server.send("POST", "/console/v1/batch", { key: powerless, body });
  expect(await connected.call("change", { operationId: "batch", body, mode: "apply" })).toMatchObject({
    isError: true,
    body: refused.body,
  });
});

test("tools reach no operation of people, of the instance, or without JSON, and no secrets", async () => {
  const results = await Promise.all(
    consoleOperations.filter((one) => requiredAccess(one) !== undefined || !one.answersJSON).map((one) => callByTool(one)),
  );
  for (const result of results) expect(result).toMatchObject({ isError: true, text: expect.stringMatching(OUTSIDE) });
  const secrets = consoleOperations.filter(({ operationId }) => /Secret$/.test(operationId));
  expect(secrets.map(({ operationId }) => operationId).sort()).toEqual(["getChangeValidationSecret", "getWebhookSecret"]);
  for (const one of secrets) expect((await callByTool(one)).text).toBe(`${one.operationId} returns a secret. Use the console API.`);
});

test("a tool with a key of other permissions is refused what only people do", async () => {
  const ofPeople = consoleOperations.filter(needsPerson);
  const { call } = await connectClient(server);
  for (const { operationId } of ofPeople) {
    const { isError, body } = await call("change", { operationId, path: { id: "absent" } });
    expect([isError, body.code]).toEqual([true, "forbidden"]);
  }
});
