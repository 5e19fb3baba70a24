import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { conflicting, refusal, startServer, type TestServer } from "./support/server.ts";
import { makeTeam } from "./support/teams.ts";

const PATH = "/console/v1/experiments/qualifying_events";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const orders = {
  sql: "select * from orders",
  timestampColumn: "created_at",
  idTypeMapping: [{ serviceUnitID: "userID", statsigUnitID: "userID", column: "customer_id" }],
};

const create = (name: string, rest: object = {}) => server.client.createQualifyingEvent({ body: { name, ...orders, ...rest } });

function changes(name: string) {
  return server.database.prisma.change.findMany({ where: { entityType: "qualifying_event", entityID: name }, orderBy: { id: "asc" } });
}

describe("createQualifyingEvent", () => {
  test("201: only name, sql, timestampColumn and idTypeMapping are required; the rest has defaults", async () => {
    const { data, message, etag } = await create("orders");
    expect(message).toBe("Qualifying event created successfully.");
    expect(etag).toBe(`"1-${server.clock.now.toString(36)}"`);
    expect(data).toEqual({
      name: "orders",
      ...orders,
      description: "",
      tags: [],
      timestampAsDay: false,
      sourceType: "query",
      tableName: "",
      customFieldMapping: [],
      isReadOnly: false,
      isVerified: false,
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
      ...orders,
      sql: "",
      description: "Every view of a page.",
      tags: ["web"],
      timestampAsDay: true,
      sourceType: "table" as const,
      tableName: "web.page_views",
      datePartitionColumn: "day",
      customFieldMapping: [{ key: "is_long", formula: "seconds > 60" }],
      isReadOnly: true,
      isVerified: true,
      owner: { ownerID: "usr_1", ownerType: "USER" as const, ownerName: "Ada", ownerEmail: "" },
      team: "Web",
      teamID: await makeTeam(server),
    };
    const { data } = await create("page views", given);
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
    expect((await refusal(server.client.getQualifyingEvent({ path: { name: "only tried" } }))).status).toBe(404);
    expect(await changes("only tried")).toEqual([]);
  });

  test("201: with dryRun false stores the source, without the parameter", async () => {
    await create("meant", { dryRun: false });
    const { data } = await server.client.getQualifyingEvent({ path: { name: "meant" } });
    expect(data).not.toHaveProperty("dryRun");
    expect((await changes("meant")).map(({ operationID, after }) => [operationID, JSON.parse(after ?? "")])).toEqual([
      ["createQualifyingEvent", data],
    ]);
  });

  test("400: the name whose path is the preview's, and names that a URL cannot contain", async () => {
    const errors = async (name: string) => (await refusal(create(name))).errors;
    expect(await errors("preview")).toEqual([
      { property: "name", errorMessage: "cannot be preview, because that path previews a qualifying event" },
    ]);
    expect(await errors("..")).toEqual([{ property: "name", errorMessage: "cannot be .., which has a special meaning in URLs" }]);
    expect(await errors("\ud800")).toEqual([{ property: "name", errorMessage: "must be valid Unicode" }]);
  });

  test("400: a table without a name, and unit ids that are missing or contradict each other", async () => {
    const { errors } = await refusal(
      create("wrong", {
        sourceType: "table",
        idTypeMapping: [{ column: "a" }, { serviceUnitID: "userID", statsigUnitID: "stableID", column: "b" }],
      }),
    );
    expect(errors).toEqual([
      { property: "idTypeMapping[0].serviceUnitID", errorMessage: "is required" },
      { property: "idTypeMapping[1].statsigUnitID", errorMessage: "must equal serviceUnitID where both are given" },
      { property: "tableName", errorMessage: "is required with sourceType table" },
    ]);
  });

  test("400: a query that is blank", async () => {
    expect((await refusal(create("blank", { sql: " \n" }))).errors).toEqual([
      { property: "sql", errorMessage: "must not be empty with sourceType query" },
    ]);
  });

  test("409: a source with the same name exists, also with dryRun", async () => {
    await create("taken");
    const taken = conflicting("Qualifying event taken already exists.", "name");
    expect(await refusal(create("taken"))).toEqual(taken);
    expect(await refusal(create("taken", { dryRun: true }))).toEqual(taken);
  });
});

describe("listQualifyingEvents", () => {
  test("200: newest first, in pages", async () => {
    const own = await startServer();
    for (const name of ["first", "second", "third"]) {
      own.clock.now += 1000;
      await own.client.createQualifyingEvent({ body: { name, ...orders } });
    }
    const { message, data, pagination } = await own.client.listQualifyingEvents({ query: { limit: 2 } });
    const last = await own.client.listQualifyingEvents({ query: { limit: 2, page: 2 } });
    await own.close();
    expect(message).toBe("Qualifying events listed successfully.");
    expect(data.map(({ name }) => name)).toEqual(["third", "second"]);
    expect(pagination).toEqual({
      itemsPerPage: 2,
      pageNumber: 1,
      totalItems: 3,
      nextPage: `${PATH}?page=2&limit=2`,
      previousPage: null,
      all: PATH,
    });
    expect(last.data.map(({ name }) => name)).toEqual(["first"]);
    expect(last.pagination).toMatchObject({ nextPage: null, previousPage: `${PATH}?page=1&limit=2` });
  });
});

describe("getQualifyingEvent", () => {
  test("200: by any name, percent-encoded", async () => {
    const name = "Käufe/täglich: 50% ? #1";
    const { data } = await create(name);
    const read = await server.client.getQualifyingEvent({ path: { name } });
    expect(read).toMatchObject({ message: "Qualifying event read successfully.", data });
  });

  test("304: the caller has the current version", async () => {
    const { etag = "" } = await create("held");
    const answer = await server.send("GET", `${PATH}/held`, { headers: { "If-None-Match": etag } });
    expect(answer.status).toBe(304);
  });

  test("404: the source does not exist", async () => {
    expect(await refusal(server.client.getQualifyingEvent({ path: { name: "nope" } }))).toEqual({
      status: 404,
      code: "not_found",
      message: "Qualifying event nope does not exist.",
      errors: [],
    });
  });
});

describe("updateQualifyingEvent", () => {
  test("200: omitted fields keep their value", async () => {
    const { data: source } = await create("partly", { description: "Orders.", tags: ["a"], isVerified: true, datePartitionColumn: "day" });
    server.clock.now += 1000;
    const { data, message } = await server.client.updateQualifyingEvent({ path: { name: "partly" }, body: { ...orders, sql: "select 1" } });
    expect(message).toBe("Qualifying event updated successfully.");
    expect(data).toEqual({ ...source, sql: "select 1", version: 2, lastModifiedTime: server.clock.now });
    expect((await server.client.getQualifyingEvent({ path: { name: "partly" } })).data).toEqual(data);
  });

  test("200: the body of a GET can be edited and sent back without loss", async () => {
    const { data: source } = await create("round trip", { owner: { ownerID: "usr_1" }, sourceType: "table", tableName: "orders" });
    const answer = await server.send("POST", `${PATH}/round%20trip`, { body: { ...source, description: "edited" } });
    expect(answer.body.data).toEqual({ ...source, description: "edited", version: 2, lastModifiedTime: server.clock.now });
  });

  test("200: with dryRun returns the changed source, and stores nothing", async () => {
    const { data: source, etag } = await create("tried");
    const body = { ...orders, description: "tried", dryRun: true };
    const { data } = await server.client.updateQualifyingEvent({ path: { name: "tried" }, body });
    expect(data).toEqual({ ...source, description: "tried", version: 2 });
    expect(await server.client.getQualifyingEvent({ path: { name: "tried" } })).toMatchObject({ data: source, etag });
    expect((await changes("tried")).map(({ operationID }) => operationID)).toEqual(["createQualifyingEvent"]);
  });

  test("400: another name", async () => {
    await create("fixed");
    const { errors } = await refusal(server.client.updateQualifyingEvent({ path: { name: "fixed" }, body: { ...orders, name: "other" } }));
    expect(errors).toEqual([{ property: "name", errorMessage: "cannot be changed" }]);
  });

  test("400: a dry run is validated like a write, with the stored values of omitted fields", async () => {
    await create("a query");
    const body = { ...orders, sql: "", sourceType: "table" as const, name: "other", idTypeMapping: [{ column: "a" }], dryRun: true };
    const { errors } = await refusal(server.client.updateQualifyingEvent({ path: { name: "a query" }, body }));
    expect(errors).toEqual([
      { property: "name", errorMessage: "cannot be changed" },
      { property: "idTypeMapping[0].serviceUnitID", errorMessage: "is required" },
      { property: "tableName", errorMessage: "is required with sourceType table" },
    ]);
  });

  test("404: the source does not exist, also with dryRun", async () => {
    expect((await refusal(server.client.updateQualifyingEvent({ path: { name: "nope" }, body: { ...orders, dryRun: true } }))).status).toBe(
      404,
    );
  });

  test("409: each concurrent writer creates a version or gets a conflict", async () => {
    await create("contended");
    const write = (sql: string) => server.client.updateQualifyingEvent({ path: { name: "contended" }, body: { ...orders, sql } });
    const results = await Promise.allSettled([write("select 1"), write("select 2"), write("select 3"), write("select 4")]);
    const refused = results.filter((result) => result.status === "rejected");
    expect(refused.map(({ reason }) => reason.status)).toEqual(refused.map(() => 409));
    const { data } = await server.client.getQualifyingEvent({ path: { name: "contended" } });
    expect(data.version).toBe(1 + results.length - refused.length);
  });

  test("412: If-Match names another version, also with dryRun", async () => {
    const { etag = "" } = await create("guarded");
    const path = { name: "guarded" };
    await server.client.updateQualifyingEvent({ path, body: orders, ifMatch: etag });
    expect((await refusal(server.client.updateQualifyingEvent({ path, body: orders, ifMatch: etag }))).status).toBe(412);
    expect((await refusal(server.client.updateQualifyingEvent({ path, body: { ...orders, dryRun: true }, ifMatch: etag }))).status).toBe(
      412,
    );
  });
});

describe("deleteQualifyingEvent", () => {
  test("200: deletes the source, and frees its name", async () => {
    await create("brief");
    expect(await server.client.deleteQualifyingEvent({ path: { name: "brief" } })).toEqual({
      message: "Qualifying event deleted successfully.",
    });
    expect((await refusal(server.client.getQualifyingEvent({ path: { name: "brief" } }))).status).toBe(404);
    expect((await create("brief")).data.version).toBe(1);
    expect((await changes("brief")).map(({ operationID, version }) => [operationID, version])).toEqual([
      ["createQualifyingEvent", 1],
      ["deleteQualifyingEvent", 2],
      ["createQualifyingEvent", 1],
    ]);
  });

  test("404: the source does not exist", async () => {
    expect((await refusal(server.client.deleteQualifyingEvent({ path: { name: "nope" } }))).status).toBe(404);
  });

  test("412: If-Match names another version", async () => {
    await create("kept");
    expect((await refusal(server.client.deleteQualifyingEvent({ path: { name: "kept" }, ifMatch: '"9-abc"' }))).status).toBe(412);
    expect((await server.client.getQualifyingEvent({ path: { name: "kept" } })).data.version).toBe(1);
  });
});
