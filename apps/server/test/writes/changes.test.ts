import { routes } from "@gatehouse/contract/console";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { entitySlices } from "../../src/console/kinds.ts";
import { makeFixture, makeNamed } from "../support/fixtures.ts";
import { makeKey } from "../support/keys.ts";
import { startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const list = async (query = "", key?: string) => {
  const { status, body } = await server.send("GET", `/console/v1/changes${query}`, key === undefined ? {} : { key });
  expect([status, body.message]).toEqual([200, "Changes listed successfully."]);
  return body.data as any[];
};

describe("listChanges", () => {
  test("returns the author, entity, time and operation of each change, with the changed fields", async () => {
    const { client, clock } = server;
    await client.createGate({ body: { name: "Told Of", description: "old" } });
    clock.now += 7;
    await client.patchGate({ path: { id: "told_of" }, body: { description: "new", isEnabled: true } });
    clock.now += 7;
    await client.deleteGate({ path: { id: "told_of" } });
    const [deletion, patch, creation] = await list("?entityID=told_of");
    const { data: entries } = await client.listAuditLogs({ query: { limit: 3 } });
    const { data: project } = await client.listKeys();
    const shared = {
      actorID: project.at(-1)?.id,
      actorName: "CONSOLE API",
      entityType: "gate",
      entityID: "told_of",
      entityName: "Told Of",
    };
    expect(patch).toEqual({
      ...shared,
      seq: creation.seq + 1,
      time: clock.now - 7,
      operationID: "patchGate",
      version: 2,
      isDeletion: false,
      reason: null,
      requestID: entries[1]?.requestID,
      fields: [{ field: "description", before: "old", after: "new", isCut: false }],
      fieldCount: 1,
    });
    expect(deletion).toMatchObject({ ...shared, seq: patch.seq + 1, operationID: "deleteGate", version: 3, isDeletion: true });
    expect(creation).toMatchObject({ ...shared, operationID: "createGate", version: 1, isDeletion: false });
    expect(creation.fields[0]).toEqual({ field: "id", before: null, after: "told_of", isCut: false });
  });

  test("is read on from the last number, without gaps and repetitions", async () => {
    const all = await list("?limit=100");
    const inParts: any[] = [];
    for (let before = ""; ; ) {
      const part = await list(`?limit=3${before}`);
      inParts.push(...part);
      if (part.length < 3) break;
      before = `&before=${part.at(-1).seq}`;
    }
    expect(inParts).toEqual(all);
    expect(await list("?limit=3&page=2")).toEqual(all.slice(3, 6));
    expect(all.map(({ seq }) => seq)).toEqual(all.map(({ seq }) => seq).sort((a, b) => b - a));
  });

  test("filters by type, actor and time", async () => {
    const { client, clock } = server;
    clock.now += 1_000;
    const since = clock.now;
    const { key, id } = await makeKey(server, { type: "CONSOLE", scopes: ["omni_read_write"] });
    await server.send("POST", "/console/v1/tags", { body: { name: "by another" }, key });
    clock.now += 1_000;
    await client.createTag({ body: { name: "later" } });
    const named = async (query: string) => (await list(query)).map(({ entityName, entityType }) => entityName ?? entityType);
    expect(await named(`?startTime=${since}`)).toEqual(["later", "by another", "key"]);
    expect(await named(`?startTime=${since}&endTime=${since + 1_000}`)).toEqual(["by another", "key"]);
    expect(await named(`?startTime=${since}&entityType=tag`)).toEqual(["later", "by another"]);
    expect(await named(`?actorID=${id}`)).toEqual(["by another"]);
    expect(await named("?entityType=nothing_such")).toEqual([]);
    expect(await named(`?entityType=key&entityID=${id}`)).toEqual(["key"]);
  });

  test("has no refused writes and other events, and no addresses", async () => {
    const { key } = await makeKey(server, { type: "CONSOLE", scopes: ["omni_read_only"] });
    expect((await server.send("POST", "/console/v1/gates", { body: { name: "refused" }, key })).status).toBe(403);
    const text = JSON.stringify(await list("?limit=100"));
    expect(text).not.toContain("127.0.0.1");
    expect(text).not.toContain('"permission"');
  });

  test.each([
    ["?limit=0", "limit", "must be >= 1"],
    ["?limit=101", "limit", "must be <= 100"],
    ["?entityType=Gate!", "entityType", "must have only lower-case letters from a to z and underscores"],
    ["?before=-1", "before", "must be >= 0"],
  ])("refuses %s", async (query, property, errorMessage) => {
    const { status, body } = await server.send("GET", `/console/v1/changes${query}`);
    expect([status, body.errors]).toEqual([400, [{ property, errorMessage }]]);
  });
});

describe("the kinds whose changes a caller sees", () => {
  test("are those whose entities it may read", async () => {
    await makeNamed(server);
    for (const [index, { operations, kind }] of entitySlices.entries()) {
      await makeFixture(server, routes[operations.read].path, `seen ${index} ${kind.type}`);
    }
    await server.client.inviteUsers({ body: { role: "Member", emails: ["seen@example.com"] } });
    await server.client.updateGateOverrides({
      path: { id: "new_checkout" },
      body: { passingUserIDs: ["ada"], failingUserIDs: [], passingCustomIDs: [], failingCustomIDs: [], environmentOverrides: [] },
    });
    const seenBy = async (key?: string) => {
      const types = new Set<string>();
      for (let before = ""; ; ) {
        const part = await list(`?limit=100${before}`, key);
        for (const { entityType } of part) types.add(entityType);
        if (part.length < 100) return types;
        before = `&before=${part.at(-1).seq}`;
      }
    };
    const reader = await makeKey(server, { type: "CONSOLE", scopes: ["omni_read_only"] });
    const manager = await makeKey(server, { type: "CONSOLE", scopes: ["omni_read_write", "can_access_keys"] });
    const [all, read] = [await seenBy(manager.key), await seenBy(reader.key)];
    expect([...all].filter((type) => !read.has(type))).toEqual(["key", "webhook"]);
    expect(["gate", "gate_overrides", "member", "role", "tag", "environment_set"].filter((type) => !read.has(type))).toEqual([]);
    // People, projects and tokens belong to the instance: their changes are in no project's list.
    expect(["person", "project", "project_entry", "invitation", "password_reset", "session"].filter((type) => all.has(type))).toEqual([]);
    expect(await list("?entityType=key", reader.key)).toEqual([]);
  });
});
