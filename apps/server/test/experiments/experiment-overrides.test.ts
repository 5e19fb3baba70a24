import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { invalid, refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await server.client.createSegment({ body: { name: "staff", type: "rule_based" } });
  await server.client.createGate({ body: { name: "beta" } });
});
afterAll(() => server.close());

const groups = [
  { id: "blue", name: "Control", size: 50 },
  { id: "green", name: "Green", size: 50 },
];
const staff = { type: "segment" as const, id: "staff", groupID: "green", environment: null };
const testers = { groupID: "green", ids: ["user_1", "user_2"], environment: "staging", unitType: null };
const given = { overrides: [staff], userIDOverrides: [testers] };

async function create(name: string) {
  return (await server.client.createExperiment({ body: { name, groups } })).data.id;
}

const read = async (id: string) => (await server.client.getExperimentOverrides({ path: { id } })).data;
const replace = async (id: string, body: Parameters<TestServer["client"]["updateExperimentOverrides"]>[0]["body"] = given) =>
  (await server.client.updateExperimentOverrides({ path: { id }, body })).data;
const missing = { status: 404, code: "not_found", message: "Experiment nope does not exist.", errors: [] };

describe("getExperimentOverrides", () => {
  test("200: a new experiment has no overrides", async () => {
    const id = await create("bare");
    const { data, message } = await server.client.getExperimentOverrides({ path: { id } });
    expect(message).toBe("Experiment Overrides read successfully.");
    expect(data).toMatchObject({ overrides: [], userIDOverrides: [] });
  });

  test("404: the experiment does not exist", async () => {
    expect(await refusal(server.client.getExperimentOverrides({ path: { id: "nope" } }))).toEqual(missing);
  });

  test("200: an experiment that was deleted and recreated has no overrides", async () => {
    const id = await create("again");
    await replace(id);
    await server.client.deleteExperiment({ path: { id } });
    await create("again");
    expect(await read(id)).toMatchObject({ overrides: [], userIDOverrides: [] });
  });
});

describe("updateExperimentOverrides", () => {
  test("200: replaces the overrides, and returns groups by their ids", async () => {
    const id = await create("replaced");
    const first = await replace(id, { ...given, userIDOverrides: [{ groupID: "Control", ids: ["user_9"] }] });
    expect(first).toMatchObject({
      overrides: [staff],
      userIDOverrides: [{ groupID: "blue", ids: ["user_9"], environment: null, unitType: null }],
    });
    const { data, message } = await server.client.updateExperimentOverrides({ path: { id }, body: given });
    expect(message).toBe("Experiment Overrides updated successfully.");
    expect(data).toMatchObject(given);
    expect(data.version).toBe(first.version + 1);
    expect(await read(id)).toEqual(data);
  });

  test("200: the body of a GET can be sent back without loss", async () => {
    const id = await create("round trip");
    const kept = await replace(id);
    const answer = await server.send("POST", `/console/v1/experiments/${id}/overrides`, { body: kept });
    expect(answer.body.data).toEqual({ ...kept, version: kept.version + 1 });
  });

  test("400: an unknown gate, segment or group", async () => {
    const id = await create("to nowhere");
    const overrides = [staff, { ...staff, id: "nobody" }, { ...staff, type: "gate" as const, id: "nothing" }];
    expect(await refusal(server.client.updateExperimentOverrides({ path: { id }, body: { overrides, userIDOverrides: [] } }))).toEqual(
      invalid(
        ["overrides[1].id", "references segment nobody, which does not exist"],
        ["overrides[2].id", "references gate nothing, which does not exist"],
      ),
    );
    const body = { overrides: [], userIDOverrides: [{ ...testers, groupID: "Red" }] };
    expect(await refusal(server.client.updateExperimentOverrides({ path: { id }, body }))).toEqual(
      invalid(["userIDOverrides[0].groupID", "must be the id or the name of a group, but there is no group Red"]),
    );
  });

  test("409: an archived experiment", async () => {
    const id = await create("archived");
    await server.client.archiveExperiment({ path: { id } });
    expect((await refusal(server.client.updateExperimentOverrides({ path: { id }, body: given }))).message).toBe(
      "Experiment archived is archived. Unarchive it first.",
    );
  });

  test("409: a segment that an override references cannot be deleted", async () => {
    const id = await create("names a gate");
    await replace(id, { overrides: [{ type: "gate", id: "beta", groupID: "blue" }], userIDOverrides: [] });
    const { status, message } = await refusal(server.client.deleteGate({ path: { id: "beta" } }));
    expect([status, message]).toEqual([409, expect.stringContaining(id)]);
  });
});

describe("archiveExperiment", () => {
  test("200: entities that the overrides reference can be deleted while the experiment is archived", async () => {
    await server.client.createGate({ body: { name: "named" } });
    const id = await create("archived with overrides");
    await replace(id, { overrides: [{ type: "gate", id: "named", groupID: "blue" }], userIDOverrides: [] });
    await server.client.archiveExperiment({ path: { id } });
    await server.client.deleteGate({ path: { id: "named" }, query: { dryRun: true } });
    await server.client.unarchiveExperiment({ path: { id } });
    expect((await refusal(server.client.deleteGate({ path: { id: "named" } }))).status).toBe(409);
  });
});

describe("addExperimentOverrides", () => {
  test("200: adds to the existing overrides; a unit leaves its former group", async () => {
    const id = await create("added to");
    await replace(id);
    const body = {
      overrides: [{ ...staff, environment: "staging" }],
      userIDOverrides: [{ ...testers, groupID: "Control", ids: ["user_2", "user_3"] }],
    };
    const { data } = await server.client.addExperimentOverrides({ path: { id }, body });
    expect(data).toMatchObject({
      overrides: [staff, { ...staff, environment: "staging" }],
      userIDOverrides: [
        { ...testers, ids: ["user_1"] },
        { ...testers, groupID: "blue", ids: ["user_2", "user_3"] },
      ],
    });
  });

  test("404: the experiment does not exist", async () => {
    expect(await refusal(server.client.addExperimentOverrides({ path: { id: "nope" }, body: given }))).toEqual(missing);
  });
});

describe("removeExperimentOverrides", () => {
  test("200: removes the given overrides and keeps the rest", async () => {
    const id = await create("taken from");
    await replace(id);
    const { data } = await server.client.removeExperimentOverrides({
      path: { id },
      body: { overrides: [staff], userIDOverrides: [{ ...testers, ids: ["user_1", "user_7"] }] },
    });
    expect(data).toMatchObject({ overrides: [], userIDOverrides: [{ ...testers, ids: ["user_2"] }] });
  });

  test("412: If-Match names another version", async () => {
    const id = await create("guarded");
    await replace(id);
    const answer = await server.send("DELETE", `/console/v1/experiments/${id}/overrides`, {
      body: given,
      headers: { "If-Match": '"9-x"' },
    });
    expect(answer.status).toBe(412);
    expect(await read(id)).toMatchObject(given);
  });
});
