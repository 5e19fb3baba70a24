import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  createSource,
  everyField,
  patchableKinds,
  type RowSourceKind,
  rowSourceKinds,
  tableSourceKinds,
  updateSource,
} from "../support/row-source-kinds.ts";
import { refusal, startServer, type TestServer } from "../support/server.ts";

// Behavior that all kinds of row sources share when they are changed, deleted and restored.

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const create = (kind: RowSourceKind, name: string, given?: object) => createSource(server, kind, name, given);
const get = (kind: RowSourceKind, name: string) => server.client[kind.get]({ path: { name } });
const update = (kind: RowSourceKind, name: string, given?: object, ifMatch?: string) => updateSource(server, kind, name, given, ifMatch);
const remove = (kind: RowSourceKind, name: string, ifMatch?: string) => server.client[kind.delete]({ path: { name }, ifMatch });

/** The operations that changed a source, with its versions. */
async function changes({ entityType }: RowSourceKind, entityID: string) {
  const rows = await server.database.prisma.change.findMany({ where: { entityType, entityID }, orderBy: { id: "asc" } });
  return rows.map(({ operationID, version }) => [operationID, version]);
}

/** Creates a source whose fields all differ from their defaults. */
async function createFull(kind: RowSourceKind, name: string) {
  return (await create(kind, name, await everyField(server, kind))).data;
}

describe.each(rowSourceKinds)("$update", (kind) => {
  test("200: omitted fields keep their value", async () => {
    const source = await createFull(kind, "partly");
    server.clock.now += 1000;
    const { data, message } = await update(kind, "partly", { sql: "select 1" });
    expect(message).toBe(`${kind.title} updated successfully.`);
    expect(data).toEqual({ ...source, sql: "select 1", version: 2, lastModifiedTime: server.clock.now });
    expect((await get(kind, "partly")).data).toEqual(data);
  });

  test("200: the body of a GET can be edited and sent back without loss", async () => {
    const source = await createFull(kind, "round trip");
    const answer = await server.send("POST", `${kind.path}/round%20trip`, { body: { ...source, description: "edited" } });
    expect(answer.body.data).toEqual({ ...source, description: "edited", version: 2, lastModifiedTime: server.clock.now });
  });

  test("200: with dryRun returns the changed source, and stores nothing", async () => {
    const { data: source, etag } = await create(kind, "tried");
    const { data } = await update(kind, "tried", { description: "tried", dryRun: true });
    expect(data).toEqual({ ...source, description: "tried", version: 2 });
    expect(await get(kind, "tried")).toMatchObject({ data: source, etag });
    expect(await changes(kind, "tried")).toEqual([[kind.create, 1]]);
  });

  test("400: another name", async () => {
    await create(kind, "fixed");
    expect((await refusal(update(kind, "fixed", { name: "other" }))).errors).toEqual([
      { property: "name", errorMessage: "cannot be changed" },
    ]);
  });

  test("400: a dry run is validated like a write", async () => {
    await create(kind, "a query");
    const body = { sql: " ", name: "other", idTypeMapping: [{ column: "a" }], dryRun: true };
    expect((await refusal(update(kind, "a query", body))).errors).toEqual([
      { property: "name", errorMessage: "cannot be changed" },
      { property: "idTypeMapping[0].serviceUnitID", errorMessage: "is required" },
      { property: "sql", errorMessage: kind.blankQuery },
    ]);
  });

  test("404: the source does not exist, even with dryRun", async () => {
    for (const dryRun of [false, true]) expect((await refusal(update(kind, "nope", { dryRun }))).status).toBe(404);
  });

  test("409: each concurrent writer creates a version or gets a conflict", async () => {
    await create(kind, "contended");
    const queries = ["select 1", "select 2", "select 3", "select 4"];
    const results = await Promise.allSettled(queries.map((sql) => update(kind, "contended", { sql })));
    const refused = results.filter((result) => result.status === "rejected");
    expect(refused.map(({ reason }) => reason.status)).toEqual(refused.map(() => 409));
    expect((await get(kind, "contended")).data.version).toBe(1 + results.length - refused.length);
  });

  test("412: If-Match names another version, even with dryRun", async () => {
    const { etag = "" } = await create(kind, "guarded");
    await update(kind, "guarded", {}, etag);
    for (const dryRun of [false, true]) expect((await refusal(update(kind, "guarded", { dryRun }, etag))).status).toBe(412);
    expect((await get(kind, "guarded")).data.version).toBe(2);
  });
});

describe.each(tableSourceKinds)("$update", (kind) => {
  test("400: a dry run is validated with the stored values of omitted fields", async () => {
    await create(kind, "without a table");
    const body = { sql: "", sourceType: "table", name: "other", idTypeMapping: [{ column: "a" }], dryRun: true };
    expect((await refusal(update(kind, "without a table", body))).errors).toEqual([
      { property: "name", errorMessage: "cannot be changed" },
      { property: "idTypeMapping[0].serviceUnitID", errorMessage: "is required" },
      { property: "tableName", errorMessage: "is required with sourceType table" },
    ]);
  });
});

describe.each(patchableKinds)("$patch", (kind) => {
  const patch = (name: string, body: object) => server.client[kind.patch]({ path: { name }, body });

  test("200: changes the given fields alone", async () => {
    const source = await createFull(kind, "patched");
    server.clock.now += 1000;
    const { data, message } = await patch("patched", kind.patched);
    expect(message).toBe(`${kind.title} updated successfully.`);
    expect(data).toEqual({ ...source, ...kind.patched, version: 2, lastModifiedTime: server.clock.now });
    expect((await get(kind, "patched")).data).toEqual(data);
    const { data: mapped } = await patch("patched", { idTypeMapping: [{ statsigUnitID: "stableID", column: "device" }] });
    const idTypeMapping = [{ serviceUnitID: "stableID", statsigUnitID: "stableID", column: "device" }];
    expect(mapped).toEqual({ ...data, idTypeMapping, version: 3 });
  });

  test("400: another name and a blank query", async () => {
    await create(kind, "not patched");
    expect((await refusal(patch("not patched", { name: "other", sql: " " }))).errors).toEqual([
      { property: "name", errorMessage: "cannot be changed" },
      { property: "sql", errorMessage: kind.blankQuery },
    ]);
  });

  test("404: the source does not exist", async () => {
    expect((await refusal(patch("nope", {}))).status).toBe(404);
  });
});

describe.each(rowSourceKinds)("$delete", (kind) => {
  test("200: deletes the source, and frees its name", async () => {
    await create(kind, "brief");
    expect(await remove(kind, "brief")).toEqual({ message: `${kind.title} deleted successfully.` });
    expect((await refusal(get(kind, "brief"))).status).toBe(404);
    expect((await create(kind, "brief")).data.version).toBe(1);
    expect(await changes(kind, "brief")).toEqual([
      [kind.create, 1],
      [kind.delete, 2],
      [kind.create, 1],
    ]);
  });

  test("404: the source does not exist", async () => {
    expect((await refusal(remove(kind, "nope"))).status).toBe(404);
  });

  test("412: If-Match names another version", async () => {
    await create(kind, "kept");
    expect((await refusal(remove(kind, "kept", '"9-abc"'))).status).toBe(412);
    expect((await get(kind, "kept")).data.version).toBe(1);
  });
});

describe.each(rowSourceKinds)("$restore", (kind) => {
  test("200: restores the version in the path, even for a deleted source", async () => {
    const { data: first } = await create(kind, "restored");
    const { data: second } = await update(kind, "restored", { sql: "select 2" });
    const restore = async (version: number) => (await server.client[kind.restore]({ path: { name: "restored", version } })).data;
    expect(await restore(1)).toEqual({ ...first, version: 3 });
    await remove(kind, "restored");
    expect(await restore(2)).toEqual({ ...second, version: 5 });
  });
});
