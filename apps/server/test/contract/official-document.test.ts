import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callOperation, EMPTY_LISTS, makeEvents } from "../reference/contents.ts";
import { DIFFERENCES } from "../reference/official-differences.ts";
import { differencesFrom, officialOperations, toRoute } from "../reference/official-document.ts";
import { makeNamed } from "../support/fixtures.ts";
import { consoleOperations } from "../support/operations.ts";
import { startServer, type TestServer } from "../support/server.ts";

const ours = new Map(consoleOperations.map((operation) => [toRoute(operation), operation]));

test("the official document has 244 operations, and the contract has them all", () => {
  const routes = new Set(officialOperations.map(toRoute));
  expect(routes.size).toBe(244);
  expect([...routes].filter((route) => !ours.has(route))).toEqual([]);
});

describe("an operation of the official document answers as its schema says, for a request with the query that it requires:", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
    await makeNamed(server);
    await makeEvents(server);
  });
  afterAll(() => server.close());

  // Lists come last, when the project has entities of every kind.
  const isList = ({ method, path }: { method: string; path: string }) => method === "GET" && !path.endsWith("}");
  const called = officialOperations.flatMap((official) => {
    const route = toRoute(official);
    const operation = ours.get(route);
    return operation ? [{ route, official, operation }] : [];
  });

  test.each(called.toSorted((a, b) => Number(isList(a.official)) - Number(isList(b.official))))("$route", async (one) => {
    const { route, official, operation } = one;
    const { status = official.status, errors = [] } = DIFFERENCES[route] ?? {};
    const { body, headers, ...answer } = await callOperation(server, operation);
    expect([answer.status, body.code]).toEqual([status, status < 400 ? undefined : "invalid_request"]);
    if (status >= 400) return;
    expect(headers.get("Content-Type")).toMatch(official.mediaType);
    expect(differencesFrom(official, body)).toEqual(errors);
    expect(operation.parameters.map(({ name }) => name)).toEqual(expect.arrayContaining(official.requiredQuery ?? []));
    expect(Array.isArray(body.data) && body.data.length === 0).toBe(EMPTY_LISTS.includes(operation.operationId));
  });
});
