import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { conflicting, refusal, startServer, type TestServer } from "./support/server.ts";
import { makeTeam } from "./support/teams.ts";

const PATH = "/console/v1/experiments/entity_property";
const LIST = "/console/v1/experiments/entity_properties";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const customers = {
  sql: "select * from customers",
  idTypeMapping: [{ serviceUnitID: "userID", statsigUnitID: "userID", column: "customer_id" }],
};

const create = (name: string, rest: object = {}) => server.client.createEntityPropertySource({ body: { name, ...customers, ...rest } });

function changes(name: string) {
  return server.database.prisma.change.findMany({
    where: { entityType: "entity_property_source", entityID: name },
    orderBy: { id: "asc" },
  });
}

describe("createEntityPropertySource", () => {
  test("201: only the name, the query and its columns are required; the rest has defaults", async () => {
    const { data, message, etag } = await create("customers");
    expect(message).toBe("Entity property source created successfully.");
    expect(etag).toBe(`"1-${server.clock.now.toString(36)}"`);
    expect(data).toEqual({
      name: "customers",
      ...customers,
      description: "",
      tags: [],
      timestampColumn: "",
      timestampAsDay: false,
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
    const given = {
      ...customers,
      description: "Who the customers are.",
      tags: ["web"],
      timestampColumn: "since",
      timestampAsDay: true,
      isReadOnly: true,
      owner: { ownerID: "usr_1", ownerType: "USER" as const, ownerName: "Ada", ownerEmail: "" },
      team: "Web",
      teamID: await makeTeam(server),
    };
    const { data } = await create("all fields", given);
    expect(data).toMatchObject(given);
  });

  test("201: accepts a unit id under either of its names, and returns both", async () => {
    const { data } = await create("aliased", {
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
    const { data } = await create("only tried", { dryRun: true });
    expect(data).toMatchObject({ name: "only tried", version: 1 });
    expect(data).not.toHaveProperty("dryRun");
    expect((await refusal(server.client.getEntityPropertySource({ path: { name: "only tried" } }))).status).toBe(404);
    expect(await changes("only tried")).toEqual([]);
  });

  test("201: with dryRun false stores the source, without the parameter", async () => {
    await create("meant", { dryRun: false });
    const { data } = await server.client.getEntityPropertySource({ path: { name: "meant" } });
    expect(data).not.toHaveProperty("dryRun");
    expect((await changes("meant")).map(({ operationID, after }) => [operationID, JSON.parse(after ?? "")])).toEqual([
      ["createEntityPropertySource", data],
    ]);
  });

  test("400: names that a URL cannot contain", async () => {
    const errors = async (name: string) => (await refusal(create(name))).errors;
    expect(await errors("..")).toEqual([{ property: "name", errorMessage: "cannot be .., which has a special meaning in URLs" }]);
    expect(await errors("\ud800")).toEqual([{ property: "name", errorMessage: "must be valid Unicode" }]);
  });

  test("400: a query that is blank, and unit ids that are missing or contradict each other", async () => {
    const idTypeMapping = [{ column: "a" }, { serviceUnitID: "userID", statsigUnitID: "stableID", column: "b" }];
    expect((await refusal(create("wrong", { sql: " \n", idTypeMapping }))).errors).toEqual([
      { property: "idTypeMapping[0].serviceUnitID", errorMessage: "is required" },
      { property: "idTypeMapping[1].statsigUnitID", errorMessage: "must equal serviceUnitID where both are given" },
      { property: "sql", errorMessage: "must not be empty" },
    ]);
  });

  test("409: a source with the same name exists, also with dryRun", async () => {
    await create("taken");
    const taken = conflicting("Entity property source taken already exists.", "name");
    expect(await refusal(create("taken"))).toEqual(taken);
    expect(await refusal(create("taken", { dryRun: true }))).toEqual(taken);
  });
});

describe("listEntityPropertySources", () => {
  test("200: newest first, in pages", async () => {
    const own = await startServer();
    for (const name of ["first", "second", "third"]) {
      own.clock.now += 1000;
      await own.client.createEntityPropertySource({ body: { name, ...customers } });
    }
    const { message, data, pagination } = await own.client.listEntityPropertySources({ query: { limit: 2 } });
    const last = await own.client.listEntityPropertySources({ query: { limit: 2, page: 2 } });
    await own.close();
    expect(message).toBe("Entity property sources listed successfully.");
    expect(data.map(({ name }) => name)).toEqual(["third", "second"]);
    expect(pagination).toEqual({
      itemsPerPage: 2,
      pageNumber: 1,
      totalItems: 3,
      nextPage: `${LIST}?page=2&limit=2`,
      previousPage: null,
      all: LIST,
    });
    expect(last.data.map(({ name }) => name)).toEqual(["first"]);
    expect(last.pagination).toMatchObject({ nextPage: null, previousPage: `${LIST}?page=1&limit=2` });
  });
});

describe("getEntityPropertySource", () => {
  test("200: by any name, percent-encoded", async () => {
    const name = "Käufe/täglich: 50% ? #1";
    const { data } = await create(name);
    const read = await server.client.getEntityPropertySource({ path: { name } });
    expect(read).toMatchObject({ message: "Entity property source read successfully.", data });
  });

  test("304: the caller has the current version", async () => {
    const { etag = "" } = await create("held");
    const answer = await server.send("GET", `${PATH}/held`, { headers: { "If-None-Match": etag } });
    expect(answer.status).toBe(304);
  });

  test("404: the source does not exist", async () => {
    expect(await refusal(server.client.getEntityPropertySource({ path: { name: "nope" } }))).toEqual({
      status: 404,
      code: "not_found",
      message: "Entity property source nope does not exist.",
      errors: [],
    });
  });
});

describe("updateEntityPropertySource", () => {
  test("200: omitted fields keep their value", async () => {
    const { data: source } = await create("partly", {
      description: "Who they are.",
      tags: ["a"],
      timestampColumn: "since",
    });
    server.clock.now += 1000;
    const { data, message } = await server.client.updateEntityPropertySource({
      path: { name: "partly" },
      body: { ...customers, sql: "select 1" },
    });
    expect(message).toBe("Entity property source updated successfully.");
    expect(data).toEqual({ ...source, sql: "select 1", version: 2, lastModifiedTime: server.clock.now });
    expect((await server.client.getEntityPropertySource({ path: { name: "partly" } })).data).toEqual(data);
  });

  test("200: the body of a GET can be edited and sent back without loss", async () => {
    const { data: source } = await create("round trip", { owner: { ownerID: "usr_1" }, timestampColumn: "since" });
    const answer = await server.send("POST", `${PATH}/round%20trip`, { body: { ...source, description: "edited" } });
    expect(answer.body.data).toEqual({ ...source, description: "edited", version: 2, lastModifiedTime: server.clock.now });
  });

  test("200: with dryRun returns the changed source, and stores nothing", async () => {
    const { data: source, etag } = await create("tried");
    const body = { ...customers, description: "tried", dryRun: true };
    const { data } = await server.client.updateEntityPropertySource({ path: { name: "tried" }, body });
    expect(data).toEqual({ ...source, description: "tried", version: 2 });
    expect(await server.client.getEntityPropertySource({ path: { name: "tried" } })).toMatchObject({ data: source, etag });
    expect((await changes("tried")).map(({ operationID }) => operationID)).toEqual(["createEntityPropertySource"]);
  });

  test("400: another name", async () => {
    await create("fixed");
    const { errors } = await refusal(
      server.client.updateEntityPropertySource({ path: { name: "fixed" }, body: { ...customers, name: "other" } }),
    );
    expect(errors).toEqual([{ property: "name", errorMessage: "cannot be changed" }]);
  });

  test("400: a dry run is validated like a write", async () => {
    await create("a query");
    const body = { ...customers, sql: " ", name: "other", idTypeMapping: [{ column: "a" }], dryRun: true };
    const { errors } = await refusal(server.client.updateEntityPropertySource({ path: { name: "a query" }, body }));
    expect(errors).toEqual([
      { property: "name", errorMessage: "cannot be changed" },
      { property: "idTypeMapping[0].serviceUnitID", errorMessage: "is required" },
      { property: "sql", errorMessage: "must not be empty" },
    ]);
  });

  test("404: the source does not exist, also with dryRun", async () => {
    expect(
      (await refusal(server.client.updateEntityPropertySource({ path: { name: "nope" }, body: { ...customers, dryRun: true } }))).status,
    ).toBe(404);
  });

  test("409: each concurrent writer creates a version or gets a conflict", async () => {
    await create("contended");
    const write = (sql: string) => server.client.updateEntityPropertySource({ path: { name: "contended" }, body: { ...customers, sql } });
    const results = await Promise.allSettled([write("select 1"), write("select 2"), write("select 3"), write("select 4")]);
    const refused = results.filter((result) => result.status === "rejected");
    expect(refused.map(({ reason }) => reason.status)).toEqual(refused.map(() => 409));
    const { data } = await server.client.getEntityPropertySource({ path: { name: "contended" } });
    expect(data.version).toBe(1 + results.length - refused.length);
  });

  test("412: If-Match names another version, also with dryRun", async () => {
    const { etag = "" } = await create("guarded");
    const path = { name: "guarded" };
    await server.client.updateEntityPropertySource({ path, body: customers, ifMatch: etag });
    expect((await refusal(server.client.updateEntityPropertySource({ path, body: customers, ifMatch: etag }))).status).toBe(412);
    expect(
      (await refusal(server.client.updateEntityPropertySource({ path, body: { ...customers, dryRun: true }, ifMatch: etag }))).status,
    ).toBe(412);
  });
});

describe("deleteEntityPropertySource", () => {
  test("200: deletes the source, and frees its name", async () => {
    await create("brief");
    expect(await server.client.deleteEntityPropertySource({ path: { name: "brief" } })).toEqual({
      message: "Entity property source deleted successfully.",
    });
    expect((await refusal(server.client.getEntityPropertySource({ path: { name: "brief" } }))).status).toBe(404);
    expect((await create("brief")).data.version).toBe(1);
    expect((await changes("brief")).map(({ operationID, version }) => [operationID, version])).toEqual([
      ["createEntityPropertySource", 1],
      ["deleteEntityPropertySource", 2],
      ["createEntityPropertySource", 1],
    ]);
  });

  test("404: the source does not exist", async () => {
    expect((await refusal(server.client.deleteEntityPropertySource({ path: { name: "nope" } }))).status).toBe(404);
  });

  test("412: If-Match names another version", async () => {
    await create("kept");
    expect((await refusal(server.client.deleteEntityPropertySource({ path: { name: "kept" }, ifMatch: '"9-abc"' }))).status).toBe(412);
    expect((await server.client.getEntityPropertySource({ path: { name: "kept" } })).data.version).toBe(1);
  });
});
