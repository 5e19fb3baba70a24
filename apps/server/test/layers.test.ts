import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { refusal, startServer, type TestServer } from "./support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const createLayer = async (name: string) => (await server.client.createLayer({ body: { name, idType: "userID" } })).data;

const notThere = { status: 404, code: "not_found", message: "Layer nope does not exist.", errors: [] };

describe("createLayer", () => {
  test("201: a name and an idType are enough; the id is the name as an id", async () => {
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

  test("201: description, targetApps and team are kept; what the server owns is ignored", async () => {
    const body = { name: "described", idType: "stableID", description: "x", targetApps: ["web"], team: "Payments" };
    const { body: answer } = await server.send("POST", "/console/v1/layers", { body: { ...body, isImplicitLayer: true, version: 9 } });
    expect(answer.data).toMatchObject({ ...body, isImplicitLayer: false, version: 1 });
  });

  test("201: a name without a letter or digit still makes an id that can be read", async () => {
    const layer = await createLayer("---");
    expect((await server.client.getLayer({ path: { id: layer.id } })).data).toEqual(layer);
  });

  test("400: a name that is too short or has other characters, a description that is too long, a missing idType", async () => {
    const answer = await server.send("POST", "/console/v1/layers", { body: { name: "a.", description: "x".repeat(1001) } });
    expect(answer.body.errors).toEqual(
      expect.arrayContaining([
        { property: "name", errorMessage: "must NOT have fewer than 3 characters" },
        { property: "name", errorMessage: expect.stringContaining("must match pattern") },
        { property: "description", errorMessage: "must NOT have more than 1000 characters" },
        { property: "idType", errorMessage: "is required" },
      ]),
    );
    expect(answer.body.errors).toHaveLength(4);
  });

  test("409: a second layer whose name makes the same id", async () => {
    await createLayer("twice made");
    expect(await refusal(createLayer("Twice-Made"))).toEqual({
      status: 409,
      code: "conflict",
      message: "Layer twice_made already exists.",
      errors: [],
    });
  });
});

describe("getLayer", () => {
  test("200: the layer as it was created", async () => {
    const layer = await createLayer("to read");
    const { data, message } = await server.client.getLayer({ path: { id: layer.id } });
    expect(message).toBe("Layer read successfully.");
    expect(data).toEqual(layer);
  });

  test("304: the caller holds the version that stands", async () => {
    const { data, etag } = await server.client.createLayer({ body: { name: "held", idType: "userID" } });
    const answer = await server.send("GET", `/console/v1/layers/${data.id}`, { headers: { "If-None-Match": etag ?? "" } });
    expect(answer.status).toBe(304);
  });

  test("404: no such layer", async () => {
    expect(await refusal(server.client.getLayer({ path: { id: "nope" } }))).toEqual(notThere);
  });
});

describe("listLayers", () => {
  test("200: newest first, page by page", async () => {
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
  test("200: the layer is gone with its overrides, and its name may be used again", async () => {
    const { id } = await createLayer("short lived");
    const staff = { type: "segment", name: "staff", experimentName: "e", groupName: "g" };
    await server.client.patchLayerOverrides({ path: { id }, body: { op: "add", conditionalOverrides: [staff], idOverrides: [] } });
    expect(await server.client.deleteLayer({ path: { id } })).toMatchObject({ message: "Layer deleted successfully." });
    expect((await refusal(server.client.getLayer({ path: { id } }))).status).toBe(404);
    expect((await refusal(server.client.getLayerOverrides({ path: { id } }))).status).toBe(404);
    const changes = await server.database.prisma.change.findMany({
      where: { entityID: id },
      orderBy: { seq: "asc" },
      select: { entityType: true, version: true, operationID: true },
    });
    expect(changes).toEqual([
      { entityType: "layer", version: 1, operationID: "createLayer" },
      { entityType: "layer_overrides", version: 1, operationID: "createLayer" },
      { entityType: "layer_overrides", version: 2, operationID: "patchLayerOverrides" },
      { entityType: "layer", version: 2, operationID: "deleteLayer" },
      { entityType: "layer_overrides", version: 3, operationID: "deleteLayer" },
    ]);
    await createLayer("short lived");
    expect((await server.client.getLayerOverrides({ path: { id } })).data.conditionalOverrides).toEqual([]);
  });

  test("404: no such layer", async () => {
    expect(await refusal(server.client.deleteLayer({ path: { id: "nope" } }))).toEqual(notThere);
  });

  test("409: experiments are still on it, and are named", async () => {
    const layer = await createLayer("busy");
    const { projectID } = await server.database.prisma.layer.findFirstOrThrow({ where: { id: layer.id } });
    const state = { status: "active", experimentType: "BASE", isStale: false };
    const experiment = { projectID, version: 1, createdTime: 1, ...state, idType: "userID", layerID: layer.id, entity: "{}" };
    const insert = (ids: string[]) => server.database.prisma.experiment.createMany({ data: ids.map((id) => ({ ...experiment, id })) });
    const message = async () => (await refusal(server.client.deleteLayer({ path: { id: layer.id } }))).message;
    await insert(["second", "first"]);
    expect(await refusal(server.client.deleteLayer({ path: { id: layer.id } }))).toEqual({
      status: 409,
      code: "conflict",
      message: "Layer busy cannot be deleted with experiments still on it. They are: first, second.",
      errors: [],
    });
    await insert(Array.from({ length: 10 }, (_, index) => `e${index}`));
    expect(await message()).toContain("They are: e0, e1, e2, e3, e4, e5, e6, e7, e8, e9 and 2 more.");
    expect((await server.client.getLayer({ path: { id: layer.id } })).data).toEqual(layer);
  });

  test("412: the layer is another version than If-Match names", async () => {
    const { id } = await createLayer("guarded");
    const stale = await server.send("DELETE", `/console/v1/layers/${id}`, { headers: { "If-Match": '"9-x"' } });
    expect(stale.status).toBe(412);
    const { etag } = await server.client.getLayer({ path: { id } });
    const fresh = await server.send("DELETE", `/console/v1/layers/${id}`, { headers: { "If-Match": etag ?? "" } });
    expect(fresh.status).toBe(200);
  });
});

describe("getLayerOverrides", () => {
  test("200: a new layer has none", async () => {
    const { id } = await createLayer("untouched");
    const { data, message, etag } = await server.client.getLayerOverrides({ path: { id } });
    expect(message).toBe("Layer Overrides read successfully.");
    expect(data).toEqual({ conditionalOverrides: [], idOverrides: [], version: 1 });
    expect(etag).toBe('"1"');
  });

  test("304: the caller holds the version that stands", async () => {
    const { id } = await createLayer("held overrides");
    const answer = await server.send("GET", `/console/v1/layers/${id}/overrides`, { headers: { "If-None-Match": '"1"' } });
    expect(answer.status).toBe(304);
  });

  test("404: no such layer", async () => {
    expect(await refusal(server.client.getLayerOverrides({ path: { id: "nope" } }))).toEqual(notThere);
  });
});

describe("patchLayerOverrides", () => {
  const staff = { type: "segment", name: "staff", experimentName: "checkout", groupName: "Test" };
  const testers = { groupName: "Test", ids: ["user_1"], idType: "userID", environment: "staging", experimentName: "checkout" };
  const addition = { op: "add" as const, conditionalOverrides: [staff], idOverrides: [testers] };

  test("200: adds to what is there, and doubles nothing", async () => {
    const { id } = await createLayer("overridden");
    const first = await server.client.patchLayerOverrides({ path: { id }, body: addition });
    expect(first.message).toBe("Layer Overrides updated successfully.");
    expect(first.data).toEqual({ conditionalOverrides: [staff], idOverrides: [testers], version: 2 });
    const more = { ...testers, ids: ["user_1", "user_2"] };
    const second = await server.client.patchLayerOverrides({ path: { id }, body: { ...addition, idOverrides: [more] } });
    expect(second.data).toEqual({ conditionalOverrides: [staff], idOverrides: [more], version: 3 });
    expect((await server.client.getLayerOverrides({ path: { id } })).data).toEqual(second.data);
  });

  test("200: an id moves out of the group that it was in", async () => {
    const { id } = await createLayer("moving");
    await server.client.patchLayerOverrides({ path: { id }, body: { ...addition, conditionalOverrides: [] } });
    const control = { ...testers, groupName: "Control" };
    const { data } = await server.client.patchLayerOverrides({
      path: { id },
      body: { op: "add", conditionalOverrides: [], idOverrides: [control] },
    });
    expect(data).toEqual({ conditionalOverrides: [], idOverrides: [control], version: 3 });
  });

  test("400: another op, a missing list", async () => {
    const { id } = await createLayer("strict");
    const { body } = await server.send("PATCH", `/console/v1/layers/${id}/overrides`, { body: { op: "remove", idOverrides: [] } });
    expect(body.errors).toEqual(
      expect.arrayContaining([
        { property: "op", errorMessage: "must be equal to one of the allowed values: add" },
        { property: "conditionalOverrides", errorMessage: "is required" },
      ]),
    );
    expect(body.errors).toHaveLength(2);
  });

  test("404: no such layer", async () => {
    expect(await refusal(server.client.patchLayerOverrides({ path: { id: "nope" }, body: addition }))).toEqual(notThere);
  });

  test("409 or 412: of several writers that read the same version one succeeds", async () => {
    const { id } = await createLayer("contended");
    const write = () => server.send("PATCH", `/console/v1/layers/${id}/overrides`, { body: addition, headers: { "If-Match": '"1"' } });
    const statuses = (await Promise.all([write(), write(), write()])).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409 || status === 412)).toHaveLength(2);
    expect((await server.client.getLayerOverrides({ path: { id } })).data.version).toBe(2);
  });

  test("412: the overrides are another version than If-Match names; the tag of the layer names none", async () => {
    const { data: layer, etag } = await server.client.createLayer({ body: { name: "guarded overrides", idType: "userID" } });
    const path = `/console/v1/layers/${layer.id}/overrides`;
    const answer = await server.send("PATCH", path, { body: addition, headers: { "If-Match": etag ?? "" } });
    expect(answer.status).toBe(412);
    expect(answer.body.message).toBe("The layer overrides guarded_overrides is at version 1, which If-Match does not name. Read it again.");
    expect((await server.send("PATCH", path, { body: addition, headers: { "If-Match": '"1"' } })).headers.get("ETag")).toBe('"2"');
  });
});
