import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { invalid, refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const createUnitIDType = async (name: string) => (await server.client.createUnitIDType({ body: { name } })).data;
const notThere = { status: 404, code: "not_found", message: "Unit ID type nope does not exist.", errors: [] };

describe("createUnitIDType", () => {
  test("201: only the name is required, and is the id", async () => {
    const { data, message, etag } = await server.client.createUnitIDType({ body: { name: "companyID" } });
    expect(message).toBe("Unit ID Type created successfully.");
    expect(etag).toBe(`"1-${server.clock.now.toString(36)}"`);
    expect(data).toEqual({
      id: "companyID",
      name: "companyID",
      description: "",
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

  test("400: a name that a URL cannot contain", async () => {
    expect(await refusal(createUnitIDType(".."))).toEqual(invalid(["name", "cannot be .., which has a special meaning in URLs"]));
  });

  test("409: the name is taken by another type or a core type", async () => {
    await createUnitIDType("Twice");
    expect((await refusal(createUnitIDType("Twice"))).message).toBe("Unit ID type Twice already exists.");
    expect((await refusal(createUnitIDType("userID"))).message).toBe("Unit ID type userID already exists.");
  });
});

describe("an id type that a body names for the first time", () => {
  test("is created", async () => {
    await server.client.createGate({ body: { name: "By account", idType: "accountID" } });
    const { data } = await server.client.getUnitIDType({ path: { id: "accountID" } });
    expect(data).toMatchObject({ id: "accountID", name: "accountID", description: "", creatorName: "CONSOLE API", version: 1 });
  });

  test("is created for the columns of a metric source too", async () => {
    const idTypeMapping = [{ serviceUnitID: "orgID", column: "org" }];
    await server.client.createMetricSource({ body: { name: "orders", sql: "select 1", timestampColumn: "time", idTypeMapping } });
    expect((await server.client.getUnitIDType({ path: { id: "orgID" } })).data.name).toBe("orgID");
  });

  test("400 at its place if a URL cannot contain it", async () => {
    const refused = refusal(server.client.createGate({ body: { name: "By nothing", idType: ".." } }));
    expect(await refused).toEqual(invalid(["idType", "cannot be .., which has a special meaning in URLs"]));
  });
});

describe("getUnitIDType", () => {
  test.each(["userID", "stableID"])("200: every project has %s", async (id) => {
    const { data, message } = await server.client.getUnitIDType({ path: { id } });
    expect(message).toBe("Unit ID Type read successfully.");
    expect(data).toMatchObject({ id, name: id, creatorName: "GATEHOUSE", version: 1 });
  });

  test("404: the type does not exist", async () => {
    expect(await refusal(server.client.getUnitIDType({ path: { id: "nope" } }))).toEqual(notThere);
  });
});

describe("listUnitIDTypes", () => {
  test("200: newest first, in pages", async () => {
    server.clock.now += 1000;
    await createUnitIDType("older");
    server.clock.now += 1000;
    const newer = await createUnitIDType("newer");
    const { data, message, pagination } = await server.client.listUnitIDTypes({ query: { limit: 1 } });
    expect(message).toBe("Unit ID Types listed successfully.");
    expect(data).toEqual([newer]);
    expect(pagination).toEqual({
      itemsPerPage: 1,
      pageNumber: 1,
      totalItems: await server.database.prisma.unitIDType.count(),
      nextPage: "/console/v1/unit_id_types?page=2&limit=1",
      previousPage: null,
      all: "/console/v1/unit_id_types",
    });
    expect((await server.client.listUnitIDTypes({ query: { limit: 1, page: 2 } })).data[0]?.name).toBe("older");
  });
});

describe("patchUnitIDType", () => {
  test("200: changes the description, even with the whole body of a GET", async () => {
    const type = await createUnitIDType("described");
    server.clock.now += 1000;
    const body = { ...type, description: "New." } as object;
    const { data, message } = await server.client.patchUnitIDType({ path: { id: "described" }, body });
    expect(message).toBe("Unit ID Type updated successfully.");
    expect(data).toEqual({ ...type, description: "New.", lastModifiedTime: server.clock.now, version: 2 });
  });

  test("400: another name", async () => {
    await createUnitIDType("fixed");
    const refused = refusal(server.client.patchUnitIDType({ path: { id: "fixed" }, body: { name: "moved" } }));
    expect(await refused).toEqual(invalid(["name", "cannot be changed"]));
  });

  test("404: the type does not exist", async () => {
    expect(await refusal(server.client.patchUnitIDType({ path: { id: "nope" }, body: {} }))).toEqual(notThere);
  });
});

describe("deleteUnitIDType", () => {
  test("200: deletes the type, and frees its name", async () => {
    await createUnitIDType("leaving");
    const { message } = await server.client.deleteUnitIDType({ path: { id: "leaving" } });
    expect(message).toBe("Unit ID Type deleted successfully.");
    expect((await refusal(server.client.getUnitIDType({ path: { id: "leaving" } }))).status).toBe(404);
    expect((await createUnitIDType("leaving")).version).toBe(1);
  });

  test("409: entities have it as their id type; with forceArchive it is deleted", async () => {
    await server.client.createGate({ body: { name: "By device", idType: "deviceID" } });
    const path = { id: "deviceID" };
    const refused = await refusal(server.client.deleteUnitIDType({ path }));
    expect(refused).toMatchObject({ status: 409, message: expect.stringContaining("gate by_device") });
    await server.client.deleteUnitIDType({ path, query: { forceArchive: true } });
    expect((await refusal(server.client.getUnitIDType({ path }))).status).toBe(404);
  });

  test.each(["userID", "stableID"])("409: %s stays, with forceArchive too", async (id) => {
    const refused = await refusal(server.client.deleteUnitIDType({ path: { id }, query: { forceArchive: true } }));
    expect(refused).toMatchObject({ status: 409, message: `Every project has the unit ID type ${id}: it cannot be deleted.` });
  });

  test("404: the type does not exist", async () => {
    expect(await refusal(server.client.deleteUnitIDType({ path: { id: "nope" } }))).toEqual(notThere);
  });
});

describe("the versions of a unit ID type", () => {
  test("200: are listed newest first, and each can be restored", async () => {
    const first = await createUnitIDType("versioned");
    const path = { id: "versioned" };
    server.clock.now += 1000;
    const { data: second } = await server.client.patchUnitIDType({ path, body: { description: "Second." } });
    const { data } = await server.client.restoreUnitIDTypeVersion({ path: { ...path, version: 1 } });
    expect(data).toEqual({ ...first, lastModifiedTime: server.clock.now, version: 3 });
    expect((await server.client.listUnitIDTypeVersions({ path })).data).toEqual([data, second, first]);
  });
});
