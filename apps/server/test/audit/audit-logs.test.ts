import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createLog } from "../../src/common/log.ts";
import { closeRepeatedEvents } from "../../src/jobs/close-repeated-events.ts";
import { REPEAT_WINDOW_MS } from "../../src/store/change-log/repeated-events.ts";
import { makeKey } from "../support/keys.ts";
import { invalid, refusal, startServer, type TestServer } from "../support/server.ts";

const PATH = "/console/v1/audit_logs";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

type Query = NonNullable<Parameters<TestServer["client"]["listAuditLogs"]>[0]>["query"];
const list = async (query: Query = {}) => (await server.client.listAuditLogs({ query })).data;
const newest = async () => (await list({ limit: 1 }))[0];

/** The lines of a stream of the audit log. */
async function stream(query = "", key?: string) {
  const answer = await server.send("GET", `${PATH}${query}`, {
    headers: { Accept: "application/x-ndjson" },
    ...(key !== undefined && { key }),
  });
  expect([answer.status, answer.headers.get("Content-Type")]).toEqual([200, "application/x-ndjson; charset=utf-8"]);
  return answer.text === ""
    ? []
    : answer.text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
}

describe("listAuditLogs", () => {
  test("returns the author, time, operation and origin of a change, with the fields before and after", async () => {
    const { data: gate } = await server.client.createGate({
      body: { name: "Audited Gate", rules: [], tags: ["audited"], targetApps: ["Web"] },
    });
    const rules = [{ name: "everyone", passPercentage: 10, conditions: [{ type: "public" as const }] }];
    await server.client.patchGate({ path: { id: gate.id }, body: { rules } });
    const { headers } = await server.send("PATCH", `/console/v1/gates/${gate.id}`, {
      body: { description: "Better.", rules: [{ ...rules[0], passPercentage: 50 }] },
      headers: { "User-Agent": `browser ${"x".repeat(300)}` },
    });
    expect(await newest()).toEqual({
      id: expect.stringMatching(/^\d+$/),
      name: "Audited Gate",
      changeLog: "patchGate: gate audited_gate",
      actionType: "gate_update",
      date: "Fri Nov 21 2025",
      time: "04:40:00 GMT+0000 (Coordinated Universal Time)",
      timestamp: server.clock.now,
      updatedBy: "CONSOLE API",
      updatedByUserID: expect.stringMatching(/^key_/),
      modifierEmail: null,
      changes: {
        description: { old: "", new: "Better." },
        "rules[0].passPercentage": { old: 10, new: 50 },
        "rules[0].id": expect.anything(),
        "rules[0].baseID": expect.anything(),
      },
      tags: ["audited"],
      targetAppIDs: ["Web"],
      operationID: "patchGate",
      entityType: "gate",
      entityID: "audited_gate",
      version: 3,
      reason: null,
      address: "127.0.0.1",
      userAgent: `browser ${"x".repeat(248)}`,
      requestID: headers.get("X-Request-Id"),
    });
  });

  test("names the server itself for what no request caused", async () => {
    const [first] = await list({ sortOrder: "asc", limit: 1 });
    const { updatedBy, updatedByUserID, address, userAgent, requestID, operationID } = first ?? {};
    expect({ updatedBy, updatedByUserID, address, userAgent, requestID, operationID }).toEqual({
      ...{ updatedBy: "GATEHOUSE", updatedByUserID: "system", operationID: "bootstrap" },
      ...{ address: null, userAgent: null, requestID: null },
    });
  });

  test("numbers entries without gaps, and pages through them in both directions", async () => {
    for (let number = 1; number <= 5; number++) await server.client.createTag({ body: { name: `tag ${number}` } });
    const all = await list({ sortOrder: "asc", limit: 1000 });
    expect(all.map(({ id }) => Number(id))).toEqual(all.map((_, index) => index + 1));
    const { data, pagination } = await server.client.listAuditLogs({ query: { sortOrder: "asc", limit: 3, page: 2 } });
    expect(data).toEqual(all.slice(3, 6));
    expect(pagination).toEqual({
      itemsPerPage: 3,
      pageNumber: 2,
      totalItems: all.length,
      nextPage: `${PATH}?sortOrder=asc&sortKey=time&page=3&limit=3`,
      previousPage: `${PATH}?sortOrder=asc&sortKey=time&page=1&limit=3`,
      all: PATH,
    });
    expect(await list({ limit: 1000 })).toEqual(all.toReversed());
  });

  test("continues after the cursor, which it leaves out", async () => {
    const all = await list({ limit: 1000 });
    const { id: latestID } = all[4] as { id: string };
    expect(await list({ latestID, limit: 1000 })).toEqual(all.slice(5));
    expect(await list({ latestID, sortOrder: "asc", limit: 1000 })).toEqual(all.slice(0, 4).toReversed());
  });

  test("finds entries by id, action type, operation, tags and day", async () => {
    const gate = await list({ tags: ["audited"] });
    expect(gate.map(({ operationID }) => operationID)).toEqual(["patchGate", "patchGate", "createGate"]);
    expect(await list({ id: gate[0]?.id ?? "" })).toEqual([gate[0]]);
    expect(await list({ id: "999999" })).toEqual([]);
    expect(await list({ actionType: "gate_update" })).toEqual(gate.slice(0, 2));
    const ofRequests = await list({ actionTypes: ["gate_update", "gate_create"] });
    expect(ofRequests.map(({ entityType }) => entityType)).toEqual(["gate", "gate", "gate", "target_app", "tag"]);
    expect(await list({ actionType: "createGate" })).toEqual(ofRequests.slice(2));
    expect(await list({ tags: ["audited", "absent"] })).toEqual([]);
    expect(await list({ tags: ["audited"], startDate: "2025-11-21", endDate: "2025-11-21" })).toEqual(gate);
    expect(await list({ tags: ["audited"], startDate: "2025-11-22" })).toEqual([]);
    expect(await list({ tags: ["audited"], endDate: "2025-11-20" })).toEqual([]);
  });

  test.each([
    ["name", "entityID"],
    ["changeLog", "changeLog"],
    ["actionType", "operationID"],
    ["updatedBy", "updatedBy"],
    ["updatedByUserID", "updatedByUserID"],
  ] as const)("sorts by %s", async (sortKey, field) => {
    const sorted = (await list({ limit: 1000, sortOrder: "asc" }))
      .map((entry) => entry[field])
      .toSorted((a, b) => (a < b ? -1 : Number(a > b)));
    const values = async (sortOrder: "asc" | "desc") => (await list({ sortKey, sortOrder, limit: 1000 })).map((entry) => entry[field]);
    const stripped = (texts: string[]) => (field === "changeLog" ? texts.map((text) => text.split(":")[0]) : texts);
    expect(stripped(await values("asc"))).toEqual(stripped(sorted));
    expect(stripped(await values("desc"))).toEqual(stripped(sorted.toReversed()));
  });

  test("refuses a cursor in a list with another order", async () => {
    expect(await refusal(list({ latestID: "3", sortKey: "name" }))).toEqual(
      invalid(["latestID", "cannot be combined with the sortKey name, only with id, date, or time"]),
    );
  });

  test("hides a key's secret and its hash", async () => {
    const { key, id } = await makeKey(server, { type: "CONSOLE" });
    const rotated = (await server.client.rotateKey({ path: { id } })).data.key as string;
    const { text } = await server.send("GET", `${PATH}?limit=1000`);
    const hashes = await server.database.prisma.key.findMany({ select: { hash: true } });
    for (const secret of [key, rotated, server.key, ...hashes.map(({ hash }) => hash)]) expect(text).not.toContain(secret);
  });
});

describe("a stream of the audit log", () => {
  test("has the entries of the list, one on each line, and all of them without a limit", async () => {
    for (let number = 1; number <= 205; number++) await server.client.createTag({ body: { name: `many ${number}` } });
    await stream();
    const all = await list({ limit: 1000 });
    expect(all.length).toBeGreaterThan(210);
    expect(await stream()).toEqual(all);
    expect(await stream("?sortOrder=asc")).toEqual(all.toReversed());
    expect(await stream("?limit=3")).toEqual(all.slice(0, 3));
    expect(await stream(`?sortOrder=asc&latestID=${all[2]?.id}`)).toEqual(all.slice(0, 2).toReversed());
    expect(await stream("?actionType=gate_create")).toEqual(all.filter(({ operationID }) => operationID === "createGate"));
    expect(await stream(`?latestID=1`)).toEqual([]);
  });

  test("has entries whose texts are more than may be in memory together", async () => {
    const { data: config } = await server.client.createDynamicConfig({ body: { name: "large" } });
    for (let number = 1; number <= 4; number++) {
      const defaultValue = { text: `${number}${"x".repeat(900_000)}` };
      await server.client.patchDynamicConfig({ path: { id: config.id }, body: { defaultValue } });
    }
    const found = await stream("?actionType=patchDynamicConfig");
    expect(found.map(({ version }) => version)).toEqual([5, 4, 3, 2]);
    expect(await list({ actionType: "patchDynamicConfig" })).toEqual(found);
  });

  test.each([
    ["sortKey=name", "sortKey", "must be id, date, or time in a stream"],
    ["page=2", "page", "must be 1 in a stream; latestID continues it"],
  ])("refuses %s", async (query, property, errorMessage) => {
    const answer = await server.send("GET", `${PATH}?${query}`, { headers: { Accept: "application/x-ndjson" } });
    expect([answer.status, answer.body.errors]).toEqual([400, [{ property, errorMessage }]]);
  });

  test("is an export, which the audit log has once for many streams in a quarter of an hour", async () => {
    for (let count = 0; count < 3; count++) await stream("?actionType=gate_create");
    const exports = (await list({ limit: 1000 })).filter(({ entityType }) => entityType === "export");
    expect(exports).toHaveLength(1);
    expect(exports[0]).toMatchObject({ operationID: "listAuditLogs", actionType: "listAuditLogs", version: null, address: "127.0.0.1" });
  });

  test("is not sent to a caller who accepts JSON as well", async () => {
    for (const accept of ["*/*", "application/json, application/x-ndjson", "text/html"]) {
      const { headers } = await server.send("GET", `${PATH}?limit=1`, { headers: { Accept: accept } });
      expect(headers.get("Content-Type")).toBe("application/json; charset=utf-8");
    }
  });
});

describe("events of the audit log", () => {
  const events = async (entityType: string) => (await list({ limit: 1000 })).filter((entry) => entry.entityType === entityType);
  const closeWindows = () =>
    closeRepeatedEvents.run({ database: server.database, log: createLog("silent", { write() {} }), now: () => server.clock.now });

  test("a console key's first use from an address adds an entry, and further uses add no more", async () => {
    const { key, id } = await makeKey(server, { type: "CONSOLE" });
    for (let count = 0; count < 3; count++) await server.send("GET", "/console/v1/gates", { key });
    const uses = (await events("console_key_use")).filter(({ entityID }) => entityID === id);
    expect(uses).toHaveLength(1);
    expect(uses[0]).toMatchObject({ updatedByUserID: id, address: "127.0.0.1", operationID: "useKey", changes: {}, version: null });
  });

  test("a refused write is an entry at once, and its repetitions are one when the window has ended", async () => {
    const { key, id } = await makeKey(server, { type: "CONSOLE", scopes: ["omni_read_only"] });
    const before = (await list({ limit: 1000 })).length;
    for (let count = 0; count < 4; count++) {
      expect((await server.send("PATCH", "/console/v1/gates/audited_gate", { key, body: {} })).status).toBe(403);
    }
    const denied = async () => (await events("permission")).filter(({ updatedByUserID }) => updatedByUserID === id);
    expect(await denied()).toEqual([
      expect.objectContaining({
        actionType: "permission_denied",
        operationID: "patchGate",
        entityID: "edit_or_delete_configs",
        changes: { path: { old: null, new: "/console/v1/gates/audited_gate" } },
        address: "127.0.0.1",
        version: null,
      }),
    ]);
    // Beside the first use of the key.
    expect((await list({ limit: 1000 })).length).toBe(before + 2);
    const since = new Date(server.clock.now).toISOString();
    server.clock.now += REPEAT_WINDOW_MS;
    // A further one opens another window, and with it the counts of the first are added to the database.
    expect((await server.send("PATCH", "/console/v1/gates/audited_gate", { key, body: {} })).status).toBe(403);
    await closeWindows();
    const [summary] = await denied();
    expect(summary?.changes).toMatchObject({ since: { old: null, new: since }, repetitions: { old: null, new: expect.any(Number) } });
  });

  test("a refused read adds no entry", async () => {
    const { key, id } = await makeKey(server, { type: "CONSOLE", scopes: ["omni_read_only"] });
    expect((await server.send("GET", "/console/v1/keys", { key })).status).toBe(403);
    expect((await events("permission")).filter(({ updatedByUserID }) => updatedByUserID === id)).toEqual([]);
  });

  test("change neither list results nor the ruleset", async () => {
    const project = () => server.database.prisma.project.findFirstOrThrow({ where: { id: "default" } });
    const { id, key } = await makeKey(server, { type: "CONSOLE", scopes: ["omni_read_only"] });
    const made = await project();
    await server.send("POST", "/console/v1/gates", { key, body: { name: "refused" } });
    const after = await project();
    expect([after.listSeq, after.rulesetTime]).toEqual([made.listSeq, made.rulesetTime]);
    // Events of earlier tests may arrive late.
    expect(await server.database.prisma.change.count({ where: { actorID: id, seq: { gt: made.lastSeq, lte: after.lastSeq } } })).toBe(2);
  });
});
