import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { invalid, refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await server.client.createSegment({ body: { name: "staff", type: "id_list" } });
  await server.client.createGate({ body: { name: "beta" } });
});
afterAll(() => server.close());

/** Creates a layer with an experiment of the same name. */
async function createLayer(name: string) {
  const { id } = (await server.client.createLayer({ body: { name, idType: "userID" } })).data;
  const { data } = await server.client.createExperiment({ body: { name: `On ${name}`, layerID: id } });
  const staff = { type: "segment" as const, name: "staff", experimentName: data.id, groupName: "Test" };
  const testers = { groupName: "Test", ids: ["user_1"], idType: "userID", environment: "staging", experimentName: data.id };
  return { id, experiment: data, staff, testers };
}

const add = (id: string, lists: object) =>
  server.client.patchLayerOverrides({ path: { id }, body: { op: "add", conditionalOverrides: [], idOverrides: [], ...lists } });
const replace = (id: string, lists: object) =>
  server.client.updateLayerOverrides({ path: { id }, body: { conditionalOverrides: [], idOverrides: [], ...lists } });
const remove = (id: string, lists: object) =>
  server.client.removeLayerOverrides({ path: { id }, body: { conditionalOverrides: [], idOverrides: [], ...lists } });

const notThere = { status: 404, code: "not_found", message: "Layer nope does not exist.", errors: [] };

describe("getLayerOverrides", () => {
  test("200: a new layer has no overrides", async () => {
    const { id } = await createLayer("untouched");
    const { data, message, etag } = await server.client.getLayerOverrides({ path: { id } });
    expect(message).toBe("Layer Overrides read successfully.");
    expect(data).toEqual({ conditionalOverrides: [], idOverrides: [], version: 0, createdTime: 0 });
    expect(etag).toBe('"0-0"');
  });

  test("304: the caller has the current version", async () => {
    const { id } = await createLayer("held overrides");
    const answer = await server.send("GET", `/console/v1/layers/${id}/overrides`, { headers: { "If-None-Match": '"0-0"' } });
    expect(answer.status).toBe(304);
  });

  test("404: the layer does not exist", async () => {
    expect(await refusal(server.client.getLayerOverrides({ path: { id: "nope" } }))).toEqual(notThere);
  });
});

describe("patchLayerOverrides", () => {
  test("200: adds to the existing overrides without duplicates", async () => {
    const { id, staff, testers } = await createLayer("overridden");
    const first = await add(id, { conditionalOverrides: [staff], idOverrides: [testers] });
    expect(first.message).toBe("Layer Overrides updated successfully.");
    expect(first.data).toEqual({ conditionalOverrides: [staff], idOverrides: [testers], version: 1, createdTime: server.clock.now });
    const more = { ...testers, ids: ["user_1", "user_2"] };
    const second = await add(id, { conditionalOverrides: [staff], idOverrides: [more] });
    expect(second.data).toEqual({ conditionalOverrides: [staff], idOverrides: [more], version: 2, createdTime: server.clock.now });
    expect((await server.client.getLayerOverrides({ path: { id } })).data).toEqual(second.data);
  });

  test("200: an id leaves its former group", async () => {
    const { id, testers } = await createLayer("moving");
    await add(id, { idOverrides: [testers] });
    const control = { ...testers, groupName: "Control" };
    const { data } = await add(id, { idOverrides: [control] });
    expect(data).toEqual({ conditionalOverrides: [], idOverrides: [control], version: 2, createdTime: server.clock.now });
  });

  test("200: an experiment given by name is stored by id", async () => {
    const { id, experiment, testers } = await createLayer("by name");
    const { data } = await add(id, { idOverrides: [{ ...testers, experimentName: experiment.name }] });
    expect(data.idOverrides).toEqual([testers]);
  });

  test("400: an unknown op, a missing list, a condition on anything but a gate or a segment", async () => {
    const { id, staff } = await createLayer("strict");
    const { body } = await server.send("PATCH", `/console/v1/layers/${id}/overrides`, { body: { op: "remove", idOverrides: [] } });
    expect(body.errors).toEqual(
      expect.arrayContaining([
        { property: "op", errorMessage: "must be equal to one of the allowed values: add" },
        { property: "conditionalOverrides", errorMessage: "is required" },
      ]),
    );
    expect(body.errors).toHaveLength(2);
    expect(await refusal(add(id, { conditionalOverrides: [{ ...staff, type: "cohort" }] }))).toEqual(
      invalid(["conditionalOverrides[0].type", "must be equal to one of the allowed values: gate, segment"]),
    );
  });

  test("400: an experiment on another layer, and an unknown group", async () => {
    const { id, staff, testers } = await createLayer("particular");
    const { experiment: foreign } = await createLayer("foreign");
    const conditionalOverrides = [staff, { ...staff, experimentName: foreign.id }];
    const idOverrides = [{ ...testers, groupName: "Nobody" }];
    expect(await refusal(add(id, { conditionalOverrides, idOverrides }))).toEqual(
      invalid(
        ["conditionalOverrides[1].experimentName", "must be the id or the unique name of an experiment in the layer"],
        ["idOverrides[0].groupName", "must be the name of a group of experiment on_particular"],
      ),
    );
  });

  test("400: an unknown gate and segment, each with its place in the body", async () => {
    const { id, staff } = await createLayer("conditional");
    await add(id, { conditionalOverrides: [staff] });
    const conditionalOverrides = [
      { ...staff, type: "gate", name: "beta" },
      { ...staff, type: "gate", name: "staff" },
      { ...staff, name: "beta" },
    ];
    const { status, errors } = await refusal(add(id, { conditionalOverrides }));
    expect([status, errors]).toEqual([
      400,
      [
        { property: "conditionalOverrides[1].name", errorMessage: "references gate staff, which does not exist" },
        { property: "conditionalOverrides[2].name", errorMessage: "references segment beta, which does not exist" },
      ],
    ]);
  });

  test("404: the layer does not exist", async () => {
    expect(await refusal(add("nope", {}))).toEqual(notThere);
  });

  test("409 or 412: one of several writers that read the same version succeeds", async () => {
    const { id, testers } = await createLayer("contended");
    const body = { op: "add", conditionalOverrides: [], idOverrides: [testers] };
    const write = () => server.send("PATCH", `/console/v1/layers/${id}/overrides`, { body, headers: { "If-Match": '"0-0"' } });
    const statuses = (await Promise.all([write(), write(), write()])).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409 || status === 412)).toHaveLength(2);
    expect((await server.client.getLayerOverrides({ path: { id } })).data.version).toBe(1);
  });

  test("412: If-Match names another version of the overrides, or the layer's ETag", async () => {
    const { id, testers } = await createLayer("guarded overrides");
    const { etag } = await server.client.getLayer({ path: { id } });
    const path = `/console/v1/layers/${id}/overrides`;
    const body = { op: "add", conditionalOverrides: [], idOverrides: [testers] };
    const answer = await server.send("PATCH", path, { body, headers: { "If-Match": etag ?? "" } });
    expect(answer.status).toBe(412);
    expect(answer.body.message).toBe(
      "The layer overrides guarded_overrides is at version 0, which does not match If-Match. Read it again.",
    );
    expect((await server.send("PATCH", path, { body, headers: { "If-Match": '"0-0"' } })).headers.get("ETag")).toBe(
      `"1-${server.clock.now.toString(36)}"`,
    );
  });
});

describe("updateLayerOverrides", () => {
  test("200: replaces the overrides; the body of a GET can be sent back", async () => {
    const { id, staff, testers } = await createLayer("replaced");
    await add(id, { conditionalOverrides: [staff], idOverrides: [testers] });
    const beta = { ...staff, type: "gate", name: "beta" };
    const { data, message } = await replace(id, { conditionalOverrides: [beta] });
    expect(message).toBe("Layer Overrides updated successfully.");
    expect(data).toEqual({ conditionalOverrides: [beta], idOverrides: [], version: 2, createdTime: server.clock.now });
    expect((await replace(id, data)).data).toEqual({ ...data, version: 3 });
  });

  test("400: names unknown references", async () => {
    const { id, staff, testers } = await createLayer("replaced in vain");
    const idOverrides = [{ ...testers, experimentName: "elsewhere" }];
    expect(await refusal(replace(id, { conditionalOverrides: [staff], idOverrides }))).toEqual(
      invalid(["idOverrides[0].experimentName", "must be the id or the unique name of an experiment in the layer"]),
    );
  });

  test("404: the layer does not exist", async () => {
    expect(await refusal(replace("nope", {}))).toEqual(notThere);
  });
});

describe("removeLayerOverrides", () => {
  test("200: removes only the given overrides", async () => {
    const { id, staff, testers } = await createLayer("thinned out");
    const beta = { ...staff, type: "gate", name: "beta" };
    await add(id, { conditionalOverrides: [staff, beta], idOverrides: [{ ...testers, ids: ["user_1", "user_2"] }] });
    const { data, message } = await remove(id, { conditionalOverrides: [staff], idOverrides: [testers] });
    expect(message).toBe("Layer Overrides updated successfully.");
    expect(data).toEqual({
      conditionalOverrides: [beta],
      idOverrides: [{ ...testers, ids: ["user_2"] }],
      version: 2,
      createdTime: server.clock.now,
    });
  });

  test("200: ignores overrides that do not exist or have unknown references", async () => {
    const { id, testers } = await createLayer("thinned in vain");
    await add(id, { idOverrides: [testers] });
    const { data } = await remove(id, { idOverrides: [{ ...testers, experimentName: "elsewhere" }] });
    expect(data).toEqual({ conditionalOverrides: [], idOverrides: [testers], version: 2, createdTime: server.clock.now });
  });

  test("404: the layer does not exist", async () => {
    expect(await refusal(remove("nope", {}))).toEqual(notThere);
  });
});
