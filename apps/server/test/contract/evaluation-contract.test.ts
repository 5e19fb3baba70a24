import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createKeyCheck } from "../../src/authentication/key-check.ts";
import { createPathTokens } from "../../src/authentication/path-tokens.ts";
import { type Check, checkAll } from "../support/checks.ts";
import { type Call, errorBody, prepareEvaluation } from "../support/evaluation-operations.ts";
import { breakTables } from "../support/faults.ts";
import { makeKey } from "../support/keys.ts";
import { evaluationOperations, fill, type SweptOperation } from "../support/operations.ts";
import { startServer, type TestServer } from "../support/server.ts";

// Provokes the statuses that evaluation operations have in common; each operation's own tests provoke the others. At the end of a
// complete run, support/statuses-reporter.ts fails on each declared status that no test provoked.

let server: TestServer;
let toCall: (operation: SweptOperation) => Call;
let clientKey: string;
let downloadingKey: string;
beforeAll(async () => {
  server = await startServer();
  toCall = await prepareEvaluation(server);
  clientKey = (await makeKey(server, { type: "CLIENT" })).key;
  downloadingKey = (await makeKey(server, { type: "CLIENT", scopes: ["client_download_config_specs"] })).key;
});
afterAll(() => server.close());

const opensByKey = ({ opensBy }: SweptOperation) => opensBy === "key";
const isForServers = (operation: SweptOperation) => operation.isForServers === true;
const declares = (status: string) => (operation: SweptOperation) => operation.statuses.includes(status);

const CHECKS: Check<{ operation: SweptOperation }>[] = [
  {
    title: "2xx for the contract's own example",
    applies: () => true,
    async run({ operation }) {
      const { url, isOpenedByURL } = toCall(operation);
      const response = await fetch(`${server.url}${url}`, {
        method: operation.method,
        headers: { ...(!isOpenedByURL && { "X-API-Key": server.key }), "Content-Type": "application/json" },
        ...(operation.takesBody && { body: JSON.stringify(operation.example) }),
      });
      await response.body?.cancel();
      expect(String(response.status)).toBe(operation.statuses.find((status) => status.startsWith("2")));
      expect(response.headers.get("X-Request-Id")).toMatch(/^[\da-f-]{36}$/);
    },
  },
  {
    title: "401 without a key or with an unknown one",
    applies: () => true,
    async run({ operation }) {
      const { method, path, statuses, example } = operation;
      expect(statuses).toContain("401");
      for (const key of [null, `${server.key}x`]) {
        expect(await server.send(method, fill(path, {}), { key, body: example })).toMatchObject({
          status: 401,
          body: errorBody(operation, 401, "unauthorized"),
        });
      }
    },
  },
  {
    title: "accepts client keys, unless it is for servers",
    applies: opensByKey,
    async run({ operation }) {
      const { method, example } = operation;
      const answer = await server.send(method, toCall(operation).url, { key: clientKey, body: example });
      if (!isForServers(operation)) return expect(answer.status).toBeLessThan(300);
      const orScope = operation.clientScope === undefined ? "" : `, or one with the scope ${operation.clientScope}`;
      const message = `Insufficient permissions. This requires a key of the type SERVER or CONSOLE${orScope}.`;
      expect(answer).toMatchObject({ status: 403, body: { status: 403, code: "forbidden", message } });
    },
  },
  {
    title: "a client key may with its scope, if the operation downloads a ruleset",
    applies: isForServers,
    async run({ operation }) {
      const url = toCall(operation).url.replace(server.key, downloadingKey);
      const { status } = await server.send(operation.method, url, { key: downloadingKey, body: operation.example });
      expect(status).toBe(operation.clientScope === undefined ? 403 : 200);
    },
  },
  {
    title: "400 for a body of another type",
    applies: ({ takesBody }) => takesBody,
    async run({ operation }) {
      const answer = await server.send(operation.method, toCall(operation).url, { body: [] });
      expect(answer).toMatchObject({ status: 400, body: errorBody(operation, 400, "invalid_request", "PARSE_ERROR") });
      expect(answer.body.errors ?? answer.body.errorDetails).toEqual(
        operation.path.startsWith("/ofrep/") ? "body must be object." : [{ property: "body", errorMessage: "must be object" }],
      );
    },
  },
  {
    title: "ignores unknown query parameters",
    applies: opensByKey,
    async run({ operation }) {
      const url = `${toCall(operation).url}?surprise=1&st=js&t=%ff`;
      expect((await server.send(operation.method, url, { body: operation.example })).status).toBeLessThan(300);
    },
  },
  {
    title: "413 for a body with more bytes than allowed",
    applies: declares("413"),
    async run({ operation }) {
      const rawBody = `"${"x".repeat(operation.maxBytes - 1)}"`;
      const answer = await server.send(operation.method, toCall(operation).url, { rawBody });
      expect(answer).toMatchObject({ status: 413, body: errorBody(operation, 413, "payload_too_large") });
    },
  },
  {
    title: "413 for a body with more values than allowed",
    applies: declares("413"),
    async run({ operation }) {
      const { maxValues } = operation;
      const answer = await server.send(operation.method, toCall(operation).url, { rawBody: `[${"1,".repeat(maxValues - 1)}1]` });
      expect(answer).toMatchObject({ status: 413, body: errorBody(operation, 413, "payload_too_large") });
      expect(answer.body.message ?? answer.body.errorDetails).toBe(`The body has more than ${maxValues.toLocaleString("en")} values.`);
    },
  },
  {
    title: "415 for a body that is not JSON",
    applies: declares("415"),
    async run({ operation }) {
      const headers = { "Content-Type": "application/xml" };
      const answer = await server.send(operation.method, toCall(operation).url, { rawBody: "<a/>", headers });
      expect(answer).toMatchObject({ status: 415, body: errorBody(operation, 415, "unsupported_media_type") });
    },
  },
  {
    title: "400 for a time that is not a number",
    applies: ({ parameters }) => parameters.some(({ name }) => name === "sinceTime"),
    async run({ operation }) {
      expect(await server.send(operation.method, `${toCall(operation).url}?sinceTime=yesterday`)).toMatchObject({
        status: 400,
        body: { code: "invalid_request", errors: [{ property: "sinceTime", errorMessage: "must be integer" }] },
      });
    },
  },
  {
    title: "404 names the missing entity",
    applies: (operation) => declares("404")(operation) && opensByKey(operation),
    async run({ operation: { operationId, method, path, example } }) {
      const absent = { getLayerValue: "Layer absent", evaluateFlag: "Flag absent" };
      const body = example && "layerName" in example ? { layerName: "absent" } : example;
      const answer = await server.send(method, fill(path, {}), { body });
      const message = `${absent[operationId as keyof typeof absent]} does not exist.`;
      expect([answer.status, answer.body.message ?? answer.body.errorDetails]).toEqual([404, message]);
    },
  },
  {
    title: "405 for another method, with the allowed ones",
    applies: () => true,
    async run({ operation }) {
      const answer = await server.send("DELETE", toCall(operation).url);
      expect([answer.status, answer.body.code, answer.headers.get("Allow")]).toEqual([405, "method_not_allowed", operation.method]);
    },
  },
  {
    title: "304 if the caller has the current ruleset",
    applies: (operation) => declares("304")(operation) && operation.method === "GET",
    async run({ operation }) {
      const { url } = toCall(operation);
      const { headers } = await server.send("GET", url);
      const etag = headers.get("ETag") ?? "";
      const held = async (tag: string) => (await server.send("GET", url, { headers: { "If-None-Match": tag } })).status;
      expect([await held(etag), await held(etag.slice(2)), await held('"x"')]).toEqual([304, 304, 200]);
    },
  },
  {
    title: "declares 500 and 503",
    applies: () => true,
    async run({ operation }) {
      expect(operation.statuses).toEqual(expect.arrayContaining(["500", "503"]));
    },
  },
];

describe("every operation of the evaluation API answers as the contract says", () => {
  test.each(evaluationOperations)("$operationId", (operation) => checkAll({ operation }, CHECKS));

  test("rejects client keys where it returns a ruleset or an id list", () => {
    expect(evaluationOperations.filter(isForServers).map(({ operationId }) => operationId)).toEqual([
      "getConfigSpecs",
      "getConfigSpecsByKey",
      "listIDLists",
      "logRelayEvents",
      "checkRelayKeys",
      "downloadRelayRuleset",
      "getConfigSpecsV2",
      "getConfigSpecsV2ByKey",
    ]);
  });

  test("getIDListFile: 400 for a path that cannot be decoded, even with a matching token", async () => {
    const path = "/v1/id_lists/list/%E0%A4%A";
    const { authenticate } = createKeyCheck(server.database, () => server.clock.now);
    const tokens = createPathTokens(server.database, () => server.clock.now);
    const token = tokens.issue(server.key, await authenticate(server.key, "127.0.0.1"), path);
    expect(await server.send("GET", `${path}?token=${token}`, { key: null })).toMatchObject({
      status: 400,
      body: { errors: [{ property: "path", errorMessage: "is not valid percent-encoding" }] },
    });
  });
});

describe("every operation of the evaluation API, with limits of one request of a key in ten seconds", () => {
  test("429 with Retry-After for the key's second request, and for no request of another key", async () => {
    const limited = await server.replica(undefined, { requestLimits: { evaluation: 1, events: 1 } });
    const ask = (operation: SweptOperation, key: string) =>
      limited.send(operation.method, toCall(operation).url.replace(server.key, key), { key, body: operation.example });
    for (const operation of evaluationOperations) {
      const { operationId } = operation;
      // Operations that a token in the URL opens count as requests of the token's key.
      if (opensByKey(operation)) await ask(operation, server.key);
      const { status, body, headers } = await ask(operation, server.key);
      expect
        .soft([operationId, status, body])
        .toEqual([operationId, 429, expect.objectContaining(errorBody(operation, 429, "too_many_requests"))]);
      expect
        .soft([operationId, Number(headers.get("Retry-After"))])
        .toEqual([operationId, expect.toSatisfy((s: number) => s >= 1 && s <= 10)]);
    }
    const checkGate = evaluationOperations.find(({ operationId }) => operationId === "checkGate") as SweptOperation;
    const { key } = await makeKey(server, { type: "SERVER" });
    expect([(await ask(checkGate, key)).status, (await ask(checkGate, key)).status]).toEqual([200, 429]);
    await limited.close();
  });
});

describe("every operation of the evaluation API, with a fault in the database", () => {
  test("500 hides the cause from the caller and logs it under the same request id", async () => {
    const broken = await startServer();
    await broken.send("GET", "/console/v1/gates");
    await breakTables(broken.database);
    for (const operation of evaluationOperations) {
      const answer = await ask(broken, operation);
      const text = "The request failed. The server's log has the cause under the X-Request-Id of this response.";
      expect
        .soft([operation.operationId, answer.status, answer.body.message ?? answer.body.errorDetails])
        .toEqual([operation.operationId, 500, text]);
      const requestID = answer.headers.get("X-Request-Id") ?? "none";
      expect(broken.logged.find((line) => line.includes(requestID) && line.includes("does not exist"))).toBeDefined();
    }
    await broken.close();
  });

  test("503 with Retry-After while the database is unreachable and no ruleset was read", async () => {
    const away = await startServer();
    // The key stays cached while the clock is stopped, so that the operation itself runs into the fault.
    await away.send("GET", "/console/v1/gates");
    await away.database.cutOff();
    for (const operation of evaluationOperations) {
      const answer = await ask(away, operation);
      expect.soft([operation.operationId, answer.status, answer.headers.get("Retry-After")]).toEqual([operation.operationId, 503, "1"]);
    }
    await away.close();
  });

  function ask(faulty: TestServer, operation: SweptOperation) {
    const url = fill(operation.path, { sdkKey: faulty.key });
    const token = opensByKey(operation) ? "" : "?token=default.key_x.y";
    // It needs the database only to look up a key that is not cached.
    const key = operation.operationId === "logException" ? { key: "secret-not-cached" } : {};
    return faulty.send(operation.method, `${url}${token}`, { body: operation.example, ...key });
  }
});
