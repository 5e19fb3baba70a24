import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { fingerprintRows } from "../support/faults.ts";
import { insufficient, makeKey } from "../support/keys.ts";
import { startServer, type TestServer } from "../support/server.ts";

type Given = { operationId: string; path?: object; query?: object; body?: unknown; ifMatch?: string };
type Options = { query?: string; headers?: Record<string, string>; key?: string };

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const batch = (requests: Given[], { query = "", ...options }: Options = {}) =>
  server.send("POST", `/console/v1/batch${query}`, { body: { requests }, ...options });

/** An id that no other test has. */
let count = 0;
let id = "";
beforeEach(() => {
  count += 1;
  id = `gate_${count}`;
});

const createGate = (name = id): Given => ({ operationId: "createGate", body: { name } });
const patchGate = (description: string, given: Partial<Given> = {}): Given => ({
  ...{ operationId: "patchGate", path: { id }, body: { description } },
  ...given,
});
const getGate = (gate = id): Given => ({ operationId: "getGate", path: { id: gate } });

describe("a batch", () => {
  test("answers the status, the body and the ETag of each request in order, and later ones see what earlier ones wrote", async () => {
    const list: Given = { operationId: "listGates", query: { limit: 1 } };
    const requests = [list, createGate(), list, patchGate("Second."), patchGate("Third."), getGate(), createGate(`${id}_b`), list];
    const { status, body, headers } = await batch(requests);
    expect([status, body.message, headers.get("ETag")]).toEqual([200, "Batch executed successfully.", null]);
    expect(body.data.map((one: { status: number }) => one.status)).toEqual([200, 201, 200, 200, 200, 200, 201, 200]);
    const versions = [1, 3, 4, 5].map((index) => body.data[index].body.data.version);
    expect(versions).toEqual([1, 2, 3, 3]);
    const alone = await server.send("GET", `/console/v1/gates/${id}`);
    expect(body.data[5]).toEqual({ status: 200, etag: alone.headers.get("ETag"), body: alone.body });
    const totals = [0, 2, 7].map((index) => body.data[index].body.pagination.totalItems);
    expect(totals).toEqual([totals[0], totals[0] + 1, totals[0] + 2]);
  });

  test("has one change and one entry in the audit log for each write, with its operation and the request of the batch", async () => {
    const { headers } = await batch([createGate(), patchGate("Better."), { operationId: "archiveGate", path: { id } }]);
    const { data: changes } = await server.client.listChanges({ query: { entityType: "gate", entityID: id } });
    const { data: entries } = await server.client.listAuditLogs({ query: { limit: 3 } });
    const made = ["archiveGate", "patchGate", "createGate"].map((operation, index) => [operation, 3 - index, headers.get("X-Request-Id")]);
    expect(changes.map(({ operationID, version, requestID }) => [operationID, version, requestID])).toEqual(made);
    expect(entries.map(({ operationID, version, requestID }) => [operationID, version, requestID])).toEqual(made);
  });

  test("sends free-form objects with their keys in order, as a single request does", async () => {
    const defaultValue = '{"b":1,"10":2,"2":3}';
    const body = `{"requests":[{"operationId":"createDynamicConfig","body":{"name":"${id}"}},{"operationId":"getDynamicConfig","path":{"id":"${id}"}}]}`;
    await server.send("POST", "/console/v1/batch", { rawBody: body });
    await server.database.prisma.$executeRaw`
      update dynamic_config set entity = replace(entity, '"defaultValue":{}', ${`"defaultValue":${defaultValue}`}) where id = ${id}`;
    const { text } = await batch([{ operationId: "getDynamicConfig", path: { id } }]);
    expect(text).toContain(`"defaultValue":${defaultValue}`);
    expect(text).toContain((await server.send("GET", `/console/v1/dynamic_configs/${id}`)).text);
  });

  test("takes paths and queries as a URL has them: other characters, numbers, lists, and null for what is not given", async () => {
    await server.client.createGate({ body: { name: id, tags: [`${id} a`, `${id} b`] } });
    const lists: Given[] = [
      { operationId: "listGates", query: { tags: [`${id} a`], limit: 5 } },
      { operationId: "listGates", query: { tags: [`${id} a`, `${id} b`], limit: "5", page: null } },
      { operationId: "getGateVersion", path: { id, version: 1 } },
    ];
    const known = lists.filter(({ operationId }) => operationId !== "getGateVersion");
    const { body } = await batch(known);
    expect(body.data.map((one: { body: { data: { id: string }[] } }) => one.body.data.map((gate) => gate.id))).toEqual([[id], [id]]);
    const strange = "a/b?c=d&e#f%20\ud800é";
    const absent = await batch([getGate(strange)]);
    expect([absent.status, absent.body.message]).toEqual([404, "Gate a/b?c=d&e#f%20\ufffdé does not exist."]);
  });
});

describe("a batch with a request that fails", () => {
  const failures: [string, () => Given, object][] = [
    ["validation", () => patchGate("x".repeat(5), { body: { descripton: "" } }), { status: 400, code: "invalid_request" }],
    ["a rule of the operation", () => ({ operationId: "createGate", body: { name: "" } }), { status: 400, code: "invalid_request" }],
    ["a missing entity", () => getGate("absent"), { status: 404, message: "Gate absent does not exist." }],
    ["a conflict", () => createGate(), { status: 409, code: "conflict" }],
    ["If-Match", () => patchGate("Other.", { ifMatch: '"7"' }), { status: 412, code: "precondition_failed" }],
  ];

  test.each(failures)("for %s answers that error with the request's index, and stores nothing", async (_, failing, error) => {
    await server.client.createGate({ body: { name: id } });
    const before = await fingerprintRows(server.database);
    const requests = [createGate(`${id}_b`), patchGate("Better."), failing(), createGate(`${id}_c`), failing()];
    const { status, body } = await batch(requests, { headers: { "Idempotency-Key": id } });
    expect(body).toMatchObject({ ...error, index: 2 });
    expect(status).toBe(body.status);
    for (const { property } of body.errors ?? []) expect(property).toMatch(/^requests\[2\]\./);
    expect(await fingerprintRows(server.database)).toEqual(before);
  });

  test("answers the first in the order of the requests, even if the database finds it after a later one", async () => {
    const taken = await batch([createGate(), createGate(), getGate("absent")]);
    const message = `Gate ${id} already exists.`;
    expect(taken.body).toEqual({
      ...{ status: 409, code: "conflict", message, index: 1 },
      errors: [{ property: "requests[1].id", errorMessage: message }],
    });
    const last = await batch([createGate(`${id}_b`), createGate(), createGate()]);
    expect(last.body).toMatchObject({ status: 409, index: 2 });
    const both = await batch([getGate("absent"), createGate(), createGate()]);
    expect(both.body).toMatchObject({ status: 404, index: 0 });
  });

  test("validates every request before it executes one", async () => {
    const { body } = await batch([getGate("absent"), patchGate("", { body: { colour: "red", isEnabled: 1 } })]);
    expect(body).toEqual({
      ...{ status: 400, code: "invalid_request", message: "The request is not valid.", index: 1 },
      errors: [
        { property: "requests[1].isEnabled", errorMessage: "must be boolean" },
        { property: "requests[1].colour", errorMessage: "is unknown" },
      ].toSorted(() => 0),
    });
  });
});

describe("a batch refuses", () => {
  const refused: [string, Given, string, string][] = [
    [
      "an operation that does not exist",
      { operationId: "patchGates" },
      "operationId",
      "is no operation that a batch can contain. Did you mean patchGate?",
    ],
    ["itself", { operationId: "batch" }, "operationId", "is no operation that a batch can contain"],
    ["operations of a session", { operationId: "listSessions" }, "operationId", "is no operation that a batch can contain"],
    ["operations of the instance", { operationId: "deleteProject", path: { id: "default" } }, "operationId", "is no operation"],
    ["evaluations of what is committed", { operationId: "evaluateUsers" }, "operationId", "is no operation that a batch can contain"],
    ["streams of lines", { operationId: "listAuditLogs" }, "operationId", "is no operation that a batch can contain"],
    ["names of Object.prototype", { operationId: "constructor" }, "operationId", "is no operation that a batch can contain"],
    ["a path without its parameter", { operationId: "getGate" }, "path.id", "is required"],
    ["an unknown path parameter", { operationId: "getGate", path: { id: "a", ids: "b" } }, "path.ids", "is unknown. Did you mean id?"],
    ["an unknown query parameter", { operationId: "listGates", query: { limits: 1 } }, "limits", "is unknown. Did you mean limit?"],
    ["a query of another type", { operationId: "listGates", query: { limit: true } }, "limit", "must be integer"],
    ["a repeated query parameter", { operationId: "listGates", query: { limit: [1, 2] } }, "limit", "must be integer"],
    [
      "an object in a query",
      { operationId: "listGates", query: { limit: {} } },
      "query.limit",
      "must be string or number or boolean or array or null",
    ],
    ["an object in a path", { operationId: "getGate", path: { id: {} } }, "path.id", "must be string or integer"],
    ["a missing body", { operationId: "createGate" }, "body", "is required"],
    ["a body of another type", { operationId: "createGate", body: [] }, "body", "must be object"],
    [
      "If-Match where none is taken",
      { operationId: "createGate", body: { name: "a" }, ifMatch: "*" },
      "ifMatch",
      "is not taken by createGate",
    ],
    [
      "a dry run of one request",
      { operationId: "createGate", body: { name: "dry" }, query: { dryRun: true } },
      "dryRun",
      "belongs to the batch, not to a request in it",
    ],
    [
      "a reason for one request",
      { operationId: "createGate", body: { name: "explained" }, query: { reason: "Because" } },
      "reason",
      "belongs to the batch, not to a request in it",
    ],
  ];

  test.each(refused)("%s, and names the place", async (_, given, property, errorMessage) => {
    const { status, body } = await batch([getGate("absent"), given]);
    expect([status, body.code]).toEqual([400, "invalid_request"]);
    expect(body.errors).toEqual([{ property: `requests[1].${property}`, errorMessage: expect.stringContaining(errorMessage) }]);
  });

  test.each([
    ["none", [], "must NOT have fewer than 1 items"],
    ["501", Array.from({ length: 501 }, () => getGate("a")), "must NOT have more than 500 items"],
  ])("%s requests", async (_, requests, errorMessage) => {
    const { status, body } = await batch(requests);
    expect([status, body.index, body.errors]).toEqual([400, undefined, [{ property: "requests", errorMessage }]]);
  });

  test("misplaced fields of a request, and an empty path parameter", async () => {
    const { body } = await batch([{ ...getGate(""), params: {} } as Given]);
    expect(body.errors).toEqual([
      { property: "requests[0].path.id", errorMessage: "must NOT have fewer than 1 characters" },
      { property: "requests[0].params", errorMessage: "is unknown" },
    ]);
  });

  test("a body of more values than its operation takes", async () => {
    const groups = Array.from({ length: 50_001 }, () => 0);
    const { status, body } = await batch([getGate("absent"), { operationId: "createExperiment", body: { name: id, groups } }]);
    expect([status, body.index, body.message]).toEqual([413, 1, "The body has more than 50,000 values."]);
  });

  test("answers of more than 16 Mi characters together", async () => {
    const description = "x".repeat(1_000);
    const tags = [id];
    for (let index = 0; index < 40; index++) await server.client.createGate({ body: { name: `${id} ${index}`, description, tags } });
    const list: Given = { operationId: "listGates", query: { tags, limit: 100 } };
    const { status, body } = await batch(Array.from({ length: 500 }, () => list));
    expect([status, body.code]).toEqual([413, "payload_too_large"]);
    expect(body.index).toBeGreaterThan(100);
  });
});

describe("permissions", () => {
  test("of every request are checked before anything is executed or validated, and the refusal is in the audit log", async () => {
    const { key, id: actorID } = await makeKey(server, { type: "CONSOLE", scopes: ["omni_read_only"] });
    expect((await batch([getGate("absent")], { key })).status).toBe(404);
    const { status, body } = await batch([{ operationId: "getGate" }, getGate("absent"), createGate()], { key });
    const error = insufficient("the permission create_configs, which is not given by the scopes of the key");
    expect([status, body]).toEqual([403, { ...error, index: 2 }]);
    const entry = await server.database.prisma.change.findFirstOrThrow({ where: { actorID, entityType: "permission" } });
    expect([entry.entityID, entry.operationID]).toEqual(["create_configs", "createGate"]);
  });

  test("that a change needs beyond its operation's hold, and so does the reach of a limited key", async () => {
    await server.client.createRole({
      body: { name: "Editor", permissions: { read: true, create_configs: true, edit_or_delete_configs: true } },
    });
    const { key } = await makeKey(server, { type: "CONSOLE", role: "Editor" });
    const disabled = await batch([createGate(), patchGate("", { body: { isEnabled: false } })], { key });
    expect([disabled.status, disabled.body.index]).toEqual([403, 1]);
    expect(disabled.body.message).toContain("the permission launch_or_disable_configs");
    const limited = await makeKey(server, { type: "CONSOLE", scopes: ["omni_read_write"], environments: ["staging"] });
    await server.client.createGate({ body: { name: id } });
    const reached = await batch([patchGate("Better."), { operationId: "deleteGate", path: { id } }], { key: limited.key });
    expect([reached.status, reached.body.index]).toEqual([403, 1]);
    expect((await server.client.getGate({ path: { id } })).data).toMatchObject({ description: "", version: 1 });
  });
});

describe("If-Match", () => {
  test("is compared with the state that the earlier requests leave", async () => {
    const { etag = "" } = await server.client.createGate({ body: { name: id } });
    const again = await batch([patchGate("Second.", { ifMatch: etag }), patchGate("Third.", { ifMatch: etag })]);
    expect([again.status, again.body.index]).toEqual([412, 1]);
    const first = await batch([patchGate("Second.", { ifMatch: etag })]);
    const second = first.body.data[0].etag;
    expect((await server.client.getGate({ path: { id } })).etag).toBe(second);
    const both = await batch([patchGate("Third.", { ifMatch: second }), patchGate("Fourth.", { ifMatch: "*" })]);
    expect(both.body.data.map((one: { body: { data: { version: number } } }) => one.body.data.version)).toEqual([3, 4]);
  });
});

describe("a dry run of a batch", () => {
  test("answers the changes of each request and those of all together, and stores nothing", async () => {
    await server.client.createGate({ body: { name: id } });
    const before = await fingerprintRows(server.database);
    const { status, body } = await batch([patchGate("Second."), patchGate("Third."), getGate()], { query: "?dryRun=true" });
    expect(await fingerprintRows(server.database)).toEqual(before);
    const change = (from: string, to: string) => ({
      ...{ entityType: "gate", entityID: id },
      fields: [{ field: "description", before: from, after: to }],
    });
    expect([status, body.changes]).toEqual([200, [change("", "Third.")]]);
    expect(body.data.map((one: { body: { changes: unknown } }) => one.body.changes)).toEqual([
      [change("", "Second.")],
      [change("Second.", "Third.")],
      undefined,
    ]);
    expect(body.data.map((one: { etag?: string }) => one.etag)).toEqual([undefined, undefined, undefined]);
    expect(body.data[2].body.data.description).toBe("Third.");
  });
});

describe("an Idempotency-Key", () => {
  test("of a batch executes it once, and repeats its answer without the keys that are shown once", async () => {
    const headers = { "Idempotency-Key": `batch-${id}` };
    const createKey: Given = { operationId: "createKey", body: { type: "SERVER", description: id } };
    const requests = [createGate(), createKey, createKey];
    const first = await batch(requests, { headers });
    expect(first.body.data[1].body.data.key).toMatch(/^secret-/);
    const before = await fingerprintRows(server.database);
    const second = await batch(requests, { headers });
    expect(await fingerprintRows(server.database)).toEqual(before);
    expect(second.headers.get("Idempotency-Replayed")).toBe("true");
    const blanked = structuredClone(first.body);
    for (const index of [1, 2]) blanked.data[index].body.data.key = null;
    expect(second.text).toBe(JSON.stringify(blanked));
    const other = await batch([createGate()], { headers });
    expect([other.status, other.body.code]).toEqual([422, "idempotency_key_reused"]);
  });
});
