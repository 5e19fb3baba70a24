import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSource, everyField, type RowSourceKind, rowSourceKinds, tableSourceKinds } from "../support/row-source-kinds.ts";
import { conflicting, refusal, startServer, type TestServer } from "../support/server.ts";

// Behavior that all kinds of row sources share when they are created, listed and read.

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const create = (kind: RowSourceKind, name: string, given?: object) => createSource(server, kind, name, given);
const get = (kind: RowSourceKind, name: string) => server.client[kind.get]({ path: { name } });

function changes({ entityType }: RowSourceKind, entityID: string) {
  return server.database.prisma.change.findMany({ where: { entityType, entityID }, orderBy: { id: "asc" } });
}

describe.each(rowSourceKinds)("$create", (kind) => {
  test("201: only the name, the query and its columns are required; the rest has defaults", async () => {
    const { data, message, etag } = await create(kind, "minimal");
    expect(message).toBe(`${kind.title} created successfully.`);
    expect(etag).toBe(`"1-${server.clock.now.toString(36)}"`);
    expect(data).toEqual({
      name: "minimal",
      ...kind.required,
      ...kind.defaults,
      description: "",
      tags: [],
      isReadOnly: false,
      team: null,
      teamID: null,
      creatorID: expect.stringMatching(/^key_/),
      creatorName: "CONSOLE API",
      creatorEmail: null,
      createdTime: server.clock.now,
      lastModifierID: expect.stringMatching(/^key_/),
      lastModifierName: "CONSOLE API",
      lastModifierEmail: null,
      lastModifiedTime: server.clock.now,
      version: 1,
    });
  });

  test("201: stores every field as given", async () => {
    const given = { ...kind.required, ...(await everyField(server, kind)) };
    const { data } = await create(kind, "all fields", given);
    expect(data).toMatchObject(given);
    expect((await get(kind, "all fields")).data).toEqual(data);
  });

  test("201: accepts a unit id under either of its names, and returns both", async () => {
    const { data } = await create(kind, "aliased", {
      idTypeMapping: [
        { statsigUnitID: "userID", column: "a" },
        { statsigUnitID: "stableID", serviceUnitID: "stableID", column: "b" },
      ],
    });
    expect(data.idTypeMapping).toEqual([
      { serviceUnitID: "userID", statsigUnitID: "userID", column: "a" },
      { serviceUnitID: "stableID", statsigUnitID: "stableID", column: "b" },
    ]);
  });

  test("201: with dryRun returns the source, and stores nothing", async () => {
    const { data } = await create(kind, "only tried", { dryRun: true });
    expect(data).toMatchObject({ name: "only tried", version: 1 });
    expect(data).not.toHaveProperty("dryRun");
    expect((await refusal(get(kind, "only tried"))).status).toBe(404);
    expect(await changes(kind, "only tried")).toEqual([]);
  });

  test("201: with dryRun false stores the source, without the parameter", async () => {
    await create(kind, "meant", { dryRun: false });
    const { data } = await get(kind, "meant");
    expect(data).not.toHaveProperty("dryRun");
    expect((await changes(kind, "meant")).map(({ operationID, after }) => [operationID, JSON.parse(after ?? "")])).toEqual([
      [kind.create, data],
    ]);
  });

  test("400: a required field is missing", async () => {
    for (const property of Object.keys(kind.required)) {
      expect((await refusal(create(kind, "incomplete", { [property]: undefined }))).errors).toEqual([
        { property, errorMessage: "is required" },
      ]);
    }
  });

  test("400: names that a URL cannot contain", async () => {
    const errors = async (name: string) => (await refusal(create(kind, name))).errors;
    expect(await errors("..")).toEqual([{ property: "name", errorMessage: "cannot be .., which has a special meaning in URLs" }]);
    expect(await errors("\ud800")).toEqual([{ property: "name", errorMessage: "must be valid Unicode" }]);
  });

  test("400: a query that is blank, and unit ids that are missing or contradict each other", async () => {
    const idTypeMapping = [{ column: "a" }, { serviceUnitID: "userID", statsigUnitID: "stableID", column: "b" }];
    expect((await refusal(create(kind, "wrong", { sql: " \n", idTypeMapping }))).errors).toEqual([
      { property: "idTypeMapping[0].serviceUnitID", errorMessage: "is required" },
      { property: "idTypeMapping[1].statsigUnitID", errorMessage: "must equal serviceUnitID where both are given" },
      { property: "sql", errorMessage: kind.blankQuery },
    ]);
  });

  test("409: a source with the same name exists, even with dryRun", async () => {
    await create(kind, "taken");
    const taken = conflicting(`${kind.title} taken already exists.`, "name");
    expect(await refusal(create(kind, "taken"))).toEqual(taken);
    expect(await refusal(create(kind, "taken", { dryRun: true }))).toEqual(taken);
  });
});

describe.each(tableSourceKinds)("$create", (kind) => {
  test("400: a table without a name, together with wrong unit ids", async () => {
    const { errors } = await refusal(create(kind, "no table", { sourceType: "table", idTypeMapping: [{ column: "a" }] }));
    expect(errors).toEqual([
      { property: "idTypeMapping[0].serviceUnitID", errorMessage: "is required" },
      { property: "tableName", errorMessage: "is required with sourceType table" },
    ]);
  });
});

describe.each(rowSourceKinds)("$list", (kind) => {
  test("200: newest first, in pages", async () => {
    const own = await startServer();
    for (const name of ["first", "second", "third"]) {
      own.clock.now += 1000;
      await createSource(own, kind, name);
    }
    const { message, data, pagination } = await own.client[kind.list]({ query: { limit: 2 } });
    const last = await own.client[kind.list]({ query: { limit: 2, page: 2 } });
    await own.close();
    expect(message).toBe(`${kind.title}s listed successfully.`);
    expect(data.map(({ name }) => name)).toEqual(["third", "second"]);
    expect(pagination).toEqual({
      itemsPerPage: 2,
      pageNumber: 1,
      totalItems: 3,
      nextPage: `${kind.listPath}?page=2&limit=2`,
      previousPage: null,
      all: kind.listPath,
    });
    expect(last.data.map(({ name }) => name)).toEqual(["first"]);
    expect(last.pagination).toMatchObject({ nextPage: null, previousPage: `${kind.listPath}?page=1&limit=2` });
  });
});

describe.each(rowSourceKinds)("$get", (kind) => {
  test("200: by any name, percent-encoded", async () => {
    const name = "Käufe/täglich: 50% ? #1";
    const { data } = await create(kind, name);
    expect(await get(kind, name)).toMatchObject({ message: `${kind.title} read successfully.`, data });
  });

  test("304: the caller has the current version", async () => {
    const { etag = "" } = await create(kind, "held");
    const answer = await server.send("GET", `${kind.path}/held`, { headers: { "If-None-Match": etag } });
    expect(answer.status).toBe(304);
  });

  test("404: the source does not exist", async () => {
    expect(await refusal(get(kind, "nope"))).toEqual({
      status: 404,
      code: "not_found",
      message: `${kind.title} nope does not exist.`,
      errors: [],
    });
  });
});
