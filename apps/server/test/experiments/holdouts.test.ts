import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { conflicting, invalid, refusal, startServer, type TestServer } from "../support/server.ts";
import { makeTeam } from "../support/teams.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const createHoldout = async (name: string, body: object = {}) => (await server.client.createHoldout({ body: { name, ...body } })).data;

const notThere = { status: 404, code: "not_found", message: "Holdout nope does not exist.", errors: [] };
const whole = {
  isEnabled: true,
  description: "Who sees nothing new.",
  passPercentage: 2.5,
  gateIDs: [],
  experimentIDs: [],
  layerIDs: [],
  isGlobal: false,
  targetingGateID: null,
};

describe("createHoldout", () => {
  test("200: only the name is required; the rest has defaults", async () => {
    const { data, message, etag } = await server.client.createHoldout({ body: { name: "Nothing new" } });
    expect(message).toBe("Holdout created successfully.");
    expect(etag).toBe(`"1-${server.clock.now.toString(36)}"`);
    expect(data).toEqual({
      id: "nothing_new",
      name: "Nothing new",
      description: "",
      idType: "userID",
      isEnabled: true,
      passPercentage: 0,
      gateIDs: [],
      experimentIDs: [],
      layerIDs: [],
      isGlobal: false,
      targetingGateID: null,
      monitoringMetrics: [],
      tags: [],
      targetApps: [],
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

  test("200: stores description, idType and teamID; ignores fields that the server sets", async () => {
    const body = { name: "described", idType: "stableID", description: "x", teamID: await makeTeam(server) };
    const { body: answer } = await server.send("POST", "/console/v1/holdouts", { body: { ...body, creatorID: "me", version: 9 } });
    expect(answer.data).toMatchObject({ ...body, version: 1, creatorID: expect.stringMatching(/^key_/) });
  });

  test("400: a name with an invisible character, a share over 10, a duplicate id in a list", async () => {
    const body = { name: "a\u200Bb", passPercentage: 11, gateIDs: ["a", "a"] };
    const { body: answer } = await server.send("POST", "/console/v1/holdouts", { body });
    expect(answer.errors).toEqual([
      { property: "name", errorMessage: expect.stringMatching(/^must not be blank, and must not have control characters/) },
      { property: "passPercentage", errorMessage: "must be <= 10" },
      { property: "gateIDs", errorMessage: expect.stringContaining("must NOT have duplicate items") },
    ]);
  });

  test("409: a holdout with the same id exists", async () => {
    await createHoldout("twice made");
    expect(await refusal(createHoldout("Twice  Made"))).toEqual(conflicting("Holdout twice_made already exists."));
  });
});

describe("getHoldout", () => {
  test("200: returns the holdout as created", async () => {
    const holdout = await createHoldout("to read");
    const { data, message } = await server.client.getHoldout({ path: { id: holdout.id } });
    expect(message).toBe("Holdout read successfully.");
    expect(data).toEqual(holdout);
  });

  test("404: the holdout does not exist", async () => {
    expect(await refusal(server.client.getHoldout({ path: { id: "nope" } }))).toEqual(notThere);
  });
});

describe("listHoldouts", () => {
  test("200: newest first, in pages, filtered by creator and tags", async () => {
    server.clock.now += 1000;
    const b = await createHoldout("list b", { tags: ["winter", "core"] });
    const a = await createHoldout("list a", { tags: ["winter"] });
    const { data, message, pagination } = await server.client.listHoldouts({ query: { limit: 1, tags: ["winter"] } });
    expect(message).toBe("Holdouts listed successfully.");
    expect(data).toEqual([a]);
    expect(pagination).toEqual({
      itemsPerPage: 1,
      pageNumber: 1,
      totalItems: 2,
      nextPage: "/console/v1/holdouts?tags=winter&page=2&limit=1",
      previousPage: null,
      all: "/console/v1/holdouts",
    });
    const list = async (query: object) => (await server.client.listHoldouts({ query })).data;
    expect(await list({ tags: ["winter", "core"], creatorName: "CONSOLE API", creatorID: b.creatorID })).toEqual([b]);
    expect(await list({ creatorName: "somebody else" })).toEqual([]);
    expect(await list({ creatorID: "key_none" })).toEqual([]);
  });
});

describe("updateHoldout", () => {
  test("200: replaces the whole holdout, in the next version", async () => {
    const holdout = await createHoldout("updated");
    server.clock.now += 1000;
    const { data, message } = await server.client.updateHoldout({ path: { id: holdout.id }, body: whole });
    expect(message).toBe("Holdout updated successfully.");
    expect(data).toEqual({ ...holdout, ...whole, lastModifiedTime: server.clock.now, version: 2 });
  });

  test("200: the body of a GET can be sent back", async () => {
    const { data: gate } = await server.client.createGate({ body: { name: "sent back" } });
    const holdout = await createHoldout("round trip", {
      gateIDs: [gate.id],
      tags: ["t"],
      monitoringMetrics: [{ name: "m", type: "event" }],
    });
    const answer = await server.send("POST", `/console/v1/holdouts/${holdout.id}`, { body: holdout });
    expect(answer.body.data).toEqual({ ...holdout, version: 2 });
  });

  test("400: names each missing required field", async () => {
    const { id } = await createHoldout("incomplete");
    const { body } = await server.send("POST", `/console/v1/holdouts/${id}`, { body: {} });
    expect(body.errors).toEqual(Object.keys(whole).map((property) => ({ property, errorMessage: "is required" })));
  });

  test("400: a share finer than 0.01, and a targeting gate that the holdout itself holds", async () => {
    const { data: gate } = await server.client.createGate({ body: { name: "own target" } });
    const { id } = await createHoldout("refused");
    const body = { ...whole, passPercentage: 0.125, gateIDs: [gate.id], targetingGateID: gate.id };
    expect(await refusal(server.client.updateHoldout({ path: { id }, body }))).toEqual(
      invalid(["passPercentage", "must be in steps of 0.01"], ["gateIDs[0]", "must not be the targeting gate of the holdout"]),
    );
  });

  test("404: the holdout does not exist", async () => {
    expect(await refusal(server.client.updateHoldout({ path: { id: "nope" }, body: whole }))).toEqual(notThere);
  });
});

describe("patchHoldout", () => {
  test("200: only the given fields change", async () => {
    const holdout = await createHoldout("patched", { passPercentage: 1 });
    const { data, message } = await server.client.patchHoldout({ path: { id: holdout.id }, body: { isEnabled: false, isGlobal: true } });
    expect(message).toBe("Holdout updated successfully.");
    expect(data).toEqual({ ...holdout, isEnabled: false, isGlobal: true, version: 2 });
  });

  test("400: names every unknown id with its place, and stores nothing", async () => {
    const { data: gate } = await server.client.createGate({ body: { name: "existing" } });
    const holdout = await createHoldout("dangling");
    const body = { gateIDs: [gate.id, "no_gate"], experimentIDs: ["no_experiment"], layerIDs: ["no_layer"], targetingGateID: "no_target" };
    const { status, errors } = await refusal(server.client.patchHoldout({ path: { id: holdout.id }, body }));
    expect(status).toBe(400);
    expect(errors).toEqual(
      expect.arrayContaining([
        { property: "gateIDs[1]", errorMessage: "references gate no_gate, which does not exist" },
        { property: "experimentIDs[0]", errorMessage: "references experiment no_experiment, which does not exist" },
        { property: "layerIDs[0]", errorMessage: "references layer no_layer, which does not exist" },
        { property: "targetingGateID", errorMessage: "references gate no_target, which does not exist" },
      ]),
    );
    expect(errors).toHaveLength(4);
    expect((await server.client.getHoldout({ path: { id: holdout.id } })).data).toEqual(holdout);
    expect((await server.client.getGate({ path: { id: gate.id } })).data).toEqual(gate);
  });

  test("404: the holdout does not exist", async () => {
    expect(await refusal(server.client.patchHoldout({ path: { id: "nope" }, body: {} }))).toEqual(notThere);
  });
});

describe("deleteHoldout", () => {
  test("200: returns the holdout, deletes it with its overrides, and frees its name", async () => {
    const holdout = await createHoldout("short lived");
    const { data, message } = await server.client.deleteHoldout({ path: { id: holdout.id } });
    expect(message).toBe("Holdout deleted successfully.");
    expect(data).toEqual(holdout);
    expect((await refusal(server.client.getHoldout({ path: { id: holdout.id } }))).status).toBe(404);
    expect((await createHoldout("short lived")).version).toBe(1);
  });

  test("404: the holdout does not exist", async () => {
    expect(await refusal(server.client.deleteHoldout({ path: { id: "nope" } }))).toEqual(notThere);
  });
});

describe("listHoldoutVersions", () => {
  test("200: every version as a complete holdout, newest first", async () => {
    const first = await createHoldout("versioned");
    const { data: second } = await server.client.patchHoldout({ path: { id: first.id }, body: { description: "x" } });
    const { data, message, pagination } = await server.client.listHoldoutVersions({ path: { id: first.id } });
    expect(message).toBe("Holdout versions listed successfully.");
    expect(data).toEqual([second, first]);
    expect(pagination).toMatchObject({ totalItems: 2, all: "/console/v1/holdouts/versioned/versions" });
  });

  test("404: the holdout does not exist", async () => {
    expect(await refusal(server.client.listHoldoutVersions({ path: { id: "nope" } }))).toEqual(notThere);
  });
});

describe("restoreHoldoutVersion", () => {
  test("200: restores the holdout with its members", async () => {
    const { data: gate } = await server.client.createGate({ body: { name: "held again" } });
    const first = await createHoldout("restored", { gateIDs: [gate.id] });
    await server.client.updateHoldout({ path: { id: first.id }, body: whole });
    const { data, message } = await server.client.restoreHoldoutVersion({ path: { id: first.id, version: 1 } });
    expect(message).toBe("Holdout version 1 restored successfully.");
    expect(data).toEqual({ ...first, version: 3 });
    expect((await server.client.getGate({ path: { id: gate.id } })).data.holdoutIDs).toEqual([first.id]);
  });

  test("400: the version references a deleted entity", async () => {
    const { data: gate } = await server.client.createGate({ body: { name: "gone since" } });
    const { id } = await createHoldout("outdated", { gateIDs: [gate.id] });
    await server.client.patchHoldout({ path: { id }, body: { gateIDs: [] } });
    await server.client.deleteGate({ path: { id: gate.id } });
    expect(await refusal(server.client.restoreHoldoutVersion({ path: { id, version: 1 } }))).toEqual(
      invalid(["gateIDs[0]", "references gate gone_since, which does not exist"]),
    );
  });

  test("404: the version does not exist", async () => {
    const { id } = await createHoldout("young");
    const { status, message } = await refusal(server.client.restoreHoldoutVersion({ path: { id, version: 2 } }));
    expect([status, message]).toEqual([404, "Version 2 of holdout young does not exist."]);
  });
});
