import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { invalid, refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const color = { name: "color", type: "string" as const, defaultValue: "blue" };
const limits = { name: "limits", type: "object" as const, defaultValue: { items: 20 }, description: "Of a page." };

const createLayer = async (name: string) =>
  (await server.client.createLayer({ body: { name, idType: "userID", parameters: [color, limits] } })).data;

/** Creates an experiment on the layer whose groups set the color. */
async function createExperiment(name: string, layerID: string) {
  const groups = ["blue", "green"].map((value) => ({ name: value, size: 50, parameterValues: { color: value } }));
  return (await server.client.createExperiment({ body: { name, layerID, groups } })).data;
}

const notThere = { status: 404, code: "not_found", message: "Layer nope does not exist.", errors: [] };

describe("updateLayer", () => {
  test("200: replaces the parameters and keeps omitted fields, in the next version", async () => {
    const layer = await createLayer("updated");
    server.clock.now += 1000;
    const body = { description: "Shared.", parameters: [limits, { ...color, defaultValue: "red" }] };
    const { data, message, etag } = await server.client.updateLayer({ path: { id: layer.id }, body });
    expect(message).toBe("Layer updated successfully.");
    expect(data).toEqual({ ...layer, ...body, lastModifiedTime: server.clock.now, version: 2 });
    expect((await server.client.getLayer({ path: { id: layer.id } })).etag).toBe(etag);
  });

  test("200: the body of a GET can be sent back; fields that the server sets are ignored", async () => {
    const layer = await createLayer("round trip");
    const body = { ...layer, holdoutIDs: ["h"], tags: ["t"], isImplicitLayer: true };
    const answer = await server.send("POST", `/console/v1/layers/${layer.id}`, { body });
    expect(answer.body.data).toEqual({ ...layer, version: 2 });
  });

  test("400: the description and the parameters are required", async () => {
    const { id } = await createLayer("incomplete");
    const { body } = await server.send("POST", `/console/v1/layers/${id}`, { body: {} });
    expect(body.errors).toEqual([
      { property: "description", errorMessage: "is required" },
      { property: "parameters", errorMessage: "is required" },
    ]);
  });

  test("400: a duplicate parameter, an unknown type, a default of another type", async () => {
    const { id } = await createLayer("wrong");
    const parameters = [color, { ...color, defaultValue: 1 }];
    expect(await refusal(server.client.updateLayer({ path: { id }, body: { description: "", parameters } }))).toEqual(
      invalid(
        ["parameters[1].name", "must be unique in parameters, but color is given twice"],
        ["parameters[1].defaultValue", "must be of the parameter's type, string, not number"],
      ),
    );
    const odd = await server.send("POST", `/console/v1/layers/${id}`, {
      body: { description: "", parameters: [{ ...color, type: "date" }] },
    });
    expect(odd.body.errors).toEqual([{ property: "parameters[0].type", errorMessage: expect.stringContaining("string, number") }]);
  });

  test("400: a missing or retyped parameter that an experiment uses, until it is archived", async () => {
    const { id } = await createLayer("in use");
    const experiment = await createExperiment("using color", id);
    const drop = () => server.client.updateLayer({ path: { id }, body: { description: "", parameters: [limits] } });
    const retype = () =>
      server.client.patchLayer({ path: { id }, body: { parameters: [{ ...color, type: "number", defaultValue: 1 }, limits] } });
    expect(await refusal(drop())).toEqual(
      invalid(["parameters", "Parameter(s) missing: [color]. They are used by experiments in the layer: using_color"]),
    );
    expect(await refusal(retype())).toEqual(
      invalid(["parameters[0].type", "must stay string, as the parameter is used by experiments in the layer: using_color"]),
    );
    await server.client.patchExperiment({ path: { id: experiment.id }, body: { status: "archived" } });
    expect((await retype()).data.parameters[0]?.type).toBe("number");
    expect((await drop()).data.parameters).toEqual([limits]);
  });

  test("400: another idType while experiments are on the layer", async () => {
    const { id } = await createLayer("divided");
    expect((await server.client.patchLayer({ path: { id }, body: { idType: "stableID" } })).data.idType).toBe("stableID");
    await createExperiment("dividing", id);
    expect(await refusal(server.client.patchLayer({ path: { id }, body: { idType: "userID" } }))).toEqual(
      invalid(["idType", "must stay stableID while the layer contains experiments: dividing"]),
    );
  });

  test("404: the layer does not exist", async () => {
    const call = server.client.updateLayer({ path: { id: "nope" }, body: { description: "", parameters: [] } });
    expect(await refusal(call)).toEqual(notThere);
  });
});

describe("patchLayer", () => {
  test("200: only the given fields change", async () => {
    const layer = await createLayer("patched");
    const body = { name: "Patched again", description: "x", targetApps: ["web"], team: "Payments" };
    const { data, message } = await server.client.patchLayer({ path: { id: layer.id }, body });
    expect(message).toBe("Layer updated successfully.");
    expect(data).toEqual({ ...layer, ...body, version: 2 });
  });

  test("404: the layer does not exist", async () => {
    expect(await refusal(server.client.patchLayer({ path: { id: "nope" }, body: {} }))).toEqual(notThere);
  });
});

describe("listLayerExperiments", () => {
  test("200: experiments on the layer in any status, newest first, in pages", async () => {
    const { id } = await createLayer("shared");
    const { id: other } = await createLayer("other");
    const first = await createExperiment("first", id);
    await createExperiment("elsewhere", other);
    server.clock.now += 1000;
    const second = await createExperiment("second", id);
    const { data: archived } = await server.client.patchExperiment({ path: { id: first.id }, body: { status: "archived" } });
    const page = async (page: number) => server.client.listLayerExperiments({ path: { id }, query: { limit: 1, page } });
    const { data, message, pagination } = await page(1);
    expect(message).toBe("Layer experiments listed successfully");
    expect(data).toEqual([second]);
    expect(pagination).toEqual({
      itemsPerPage: 1,
      pageNumber: 1,
      totalItems: 2,
      nextPage: "/console/v1/layers/shared/experiments?page=2&limit=1",
      previousPage: null,
      all: "/console/v1/layers/shared/experiments",
    });
    expect((await page(2)).data).toEqual([archived]);
  });

  test("404: the layer does not exist", async () => {
    expect(await refusal(server.client.listLayerExperiments({ path: { id: "nope" } }))).toEqual(notThere);
  });
});

describe("restoreLayerVersion", () => {
  test("200: restores the parameters, and keeps the current holdouts", async () => {
    const layer = await createLayer("restored");
    await server.client.patchLayer({ path: { id: layer.id }, body: { parameters: [], description: "x" } });
    const { data: holdout } = await server.client.createHoldout({ body: { name: "restored holder", layerIDs: [layer.id] } });
    const { data } = await server.client.restoreLayerVersion({ path: { id: layer.id, version: 1 } });
    expect(data).toEqual({ ...layer, holdoutIDs: [holdout.id], version: 4 });
  });

  test("400: an experiment uses a parameter that the version lacks", async () => {
    const { data: layer } = await server.client.createLayer({ body: { name: "outgrown", idType: "userID" } });
    await server.client.patchLayer({ path: { id: layer.id }, body: { parameters: [color] } });
    await createExperiment("growing", layer.id);
    expect(await refusal(server.client.restoreLayerVersion({ path: { id: layer.id, version: 1 } }))).toEqual(
      invalid(["parameters", "Parameter(s) missing: [color]. They are used by experiments in the layer: growing"]),
    );
  });
});
