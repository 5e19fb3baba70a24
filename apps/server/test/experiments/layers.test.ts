import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { conflicting, refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const createLayer = async (name: string) => (await server.client.createLayer({ body: { name, idType: "userID" } })).data;

const notThere = { status: 404, code: "not_found", message: "Layer nope does not exist.", errors: [] };

describe("createLayer", () => {
  test("201: only name and idType are required; the id is derived from the name", async () => {
    const { data, message, etag } = await server.client.createLayer({ body: { name: "The best layer", idType: "userID" } });
    expect(message).toBe("Layer created successfully.");
    expect(etag).toBe(`"1-${server.clock.now.toString(36)}"`);
    expect(data).toEqual({
      id: "the_best_layer",
      name: "The best layer",
      description: "",
      idType: "userID",
      targetApps: [],
      holdoutIDs: [],
      tags: [],
      team: null,
      teamID: null,
      isImplicitLayer: false,
      parameters: [],
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

  test("201: stores description, targetApps and team; ignores fields that the server sets", async () => {
    const body = { name: "described", idType: "stableID", description: "x", targetApps: ["web"], team: "Payments" };
    const { body: answer } = await server.send("POST", "/console/v1/layers", { body: { ...body, isImplicitLayer: true, version: 9 } });
    expect(answer.data).toMatchObject({ ...body, isImplicitLayer: false, version: 1 });
  });

  test("201: derives a readable id from a name without letters or digits", async () => {
    const layer = await createLayer("---");
    expect((await server.client.getLayer({ path: { id: layer.id } })).data).toEqual(layer);
  });

  test("400: a name that is too short or has illegal characters, a description that is too long, a missing idType", async () => {
    const answer = await server.send("POST", "/console/v1/layers", { body: { name: "a\n", description: "x".repeat(1001) } });
    expect(answer.body.errors).toEqual(
      expect.arrayContaining([
        { property: "name", errorMessage: "must NOT have fewer than 3 characters" },
        { property: "name", errorMessage: expect.stringMatching(/^must not be blank, and must not have control characters/) },
        { property: "description", errorMessage: "must NOT have more than 1000 characters" },
        { property: "idType", errorMessage: "is required" },
      ]),
    );
    expect(answer.body.errors).toHaveLength(4);
  });

  test("409: a layer with the same id exists", async () => {
    await createLayer("twice made");
    expect(await refusal(createLayer("Twice-Made"))).toEqual(conflicting("Layer twice_made already exists."));
  });
});

describe("getLayer", () => {
  test("200: returns the layer as created", async () => {
    const layer = await createLayer("to read");
    const { data, message } = await server.client.getLayer({ path: { id: layer.id } });
    expect(message).toBe("Layer read successfully.");
    expect(data).toEqual(layer);
  });

  test("304: the caller has the current version", async () => {
    const { data, etag } = await server.client.createLayer({ body: { name: "held", idType: "userID" } });
    const answer = await server.send("GET", `/console/v1/layers/${data.id}`, { headers: { "If-None-Match": etag ?? "" } });
    expect(answer.status).toBe(304);
  });

  test("404: the layer does not exist", async () => {
    expect(await refusal(server.client.getLayer({ path: { id: "nope" } }))).toEqual(notThere);
  });
});

describe("listLayers", () => {
  test("200: newest first, in pages", async () => {
    server.clock.now += 1000;
    const b = await createLayer("list b");
    const a = await createLayer("list a");
    server.clock.now += 1000;
    const c = await createLayer("list c");
    const { data, message, pagination } = await server.client.listLayers({ query: { limit: 2 } });
    expect(message).toBe("Layers listed successfully.");
    expect(data).toEqual([c, a]);
    const total = await server.database.prisma.layer.count();
    expect(pagination).toEqual({
      itemsPerPage: 2,
      pageNumber: 1,
      totalItems: total,
      nextPage: "/console/v1/layers?page=2&limit=2",
      previousPage: null,
      all: "/console/v1/layers",
    });
    expect((await server.client.listLayers({ query: { limit: 2, page: 2 } })).data[0]).toEqual(b);
  });
});

describe("deleteLayer", () => {
  test("200: deletes the layer with its overrides, and frees its name", async () => {
    const { id } = await createLayer("short lived");
    const testers = { groupName: "Test", ids: ["user_1"], idType: "companyID" };
    const { data: experiment } = await server.client.createExperiment({ body: { name: "short lived", layerID: id } });
    await server.client.patchLayerOverrides({ path: { id }, body: { op: "add", conditionalOverrides: [], idOverrides: [testers] } });
    await server.client.deleteExperiment({ path: { id: experiment.id } });
    expect(await server.client.deleteLayer({ path: { id } })).toMatchObject({ message: "Layer deleted successfully." });
    expect((await refusal(server.client.getLayer({ path: { id } }))).status).toBe(404);
    expect((await refusal(server.client.getLayerOverrides({ path: { id } }))).status).toBe(404);
    const changes = await server.database.prisma.change.findMany({
      where: { entityID: id, entityType: { in: ["layer", "layer_overrides"] } },
      orderBy: { seq: "asc" },
      select: { entityType: true, version: true, operationID: true },
    });
    expect(changes).toEqual([
      { entityType: "layer", version: 1, operationID: "createLayer" },
      { entityType: "layer_overrides", version: 1, operationID: "patchLayerOverrides" },
      { entityType: "layer", version: 2, operationID: "deleteLayer" },
      { entityType: "layer_overrides", version: 2, operationID: "deleteLayer" },
    ]);
    await createLayer("short lived");
    expect((await server.client.getLayerOverrides({ path: { id } })).data.conditionalOverrides).toEqual([]);
  });

  test("404: the layer does not exist", async () => {
    expect(await refusal(server.client.deleteLayer({ path: { id: "nope" } }))).toEqual(notThere);
  });

  test("409: experiments are on the layer; the message names them", async () => {
    const layer = await createLayer("busy");
    const put = (names: string[]) =>
      Promise.all(names.map((name) => server.client.createExperiment({ body: { name, layerID: layer.id } })));
    await put(["second", "first"]);
    await server.client.patchExperiment({ path: { id: "first" }, body: { status: "archived" } });
    const refused = conflicting("Layer busy cannot be deleted because it contains experiments: first, second.");
    expect(await refusal(server.client.deleteLayer({ path: { id: layer.id } }))).toEqual(refused);
    expect(await refusal(server.client.deleteLayer({ path: { id: layer.id }, query: { forceArchive: true } }))).toEqual(refused);
    await put(Array.from({ length: 10 }, (_, index) => `put ${index}`));
    const { message } = await refusal(server.client.deleteLayer({ path: { id: layer.id } }));
    expect(message).toMatch(/contains experiments: first, put_0, .*, put_8, and 2 more\.$/);
  });

  test("409: a holdout holds the layer, unless forced", async () => {
    const layer = await createLayer("held and deleted");
    await server.client.createHoldout({ body: { name: "layer holder", layerIDs: [layer.id] } });
    expect((await refusal(server.client.deleteLayer({ path: { id: layer.id } }))).message).toContain(
      "it is referenced by holdout layer_holder.",
    );
    await server.client.deleteLayer({ path: { id: layer.id }, query: { forceArchive: true } });
    expect((await refusal(server.client.getLayer({ path: { id: layer.id } }))).status).toBe(404);
  });

  test("412: If-Match names another version", async () => {
    const { id } = await createLayer("guarded");
    const stale = await server.send("DELETE", `/console/v1/layers/${id}`, { headers: { "If-Match": '"9-x"' } });
    expect(stale.status).toBe(412);
    const { etag } = await server.client.getLayer({ path: { id } });
    const fresh = await server.send("DELETE", `/console/v1/layers/${id}`, { headers: { "If-Match": etag ?? "" } });
    expect(fresh.status).toBe(200);
  });
});
