import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { invalid, refusal, startServer, type TestServer } from "../support/server.ts";
import { waitFor } from "../support/wait-for.ts";

// Behavior specific to a kind. versions.test.ts covers the behavior that all kinds share.

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const rules = [{ name: "Everyone", passPercentage: 100, conditions: [] }];

async function passes(gate: string, userID: string): Promise<unknown> {
  const body = { user: { userID }, gateName: gate };
  return (await server.send("POST", "/v1/check_gate", { body })).body.value;
}

describe("restoreGateVersion of a deleted gate", () => {
  test("200: it decides as it did, with the overrides that it had", async () => {
    const { data: gate } = await server.client.createGate({ body: { name: "missed", rules } });
    const path = { id: gate.id };
    const { data: overrides } = await server.client.updateGateOverrides({ path, body: { failingUserIDs: ["ada"] } });
    await server.client.deleteGate({ path });
    expect(await passes("missed", "bob")).toBe(false);
    const { data } = await server.client.restoreGateVersion({ path: { ...path, version: 1 } });
    expect(data).toEqual({ ...gate, version: 3 });
    expect((await server.client.getGateOverrides({ path })).data).toEqual({ ...overrides, version: 3 });
    await waitFor(async () => expect(await passes("missed", "bob")).toBe(true));
    expect(await passes("missed", "ada")).toBe(false);
  });

  test("200: overrides that were cleared before, or belonged to another gate with its id, do not come back", async () => {
    const path = { id: "cleared" };
    const none = { passingUserIDs: [], failingUserIDs: [] };
    await server.client.createGate({ body: { name: "cleared" } });
    await server.client.updateGateOverrides({ path, body: { passingUserIDs: ["of the first"] } });
    await server.client.deleteGate({ path });
    await server.client.createGate({ body: { name: "cleared" } });
    await server.client.deleteGate({ path });
    await server.client.restoreGateVersion({ path: { ...path, version: 1 } });
    expect((await server.client.getGateOverrides({ path })).data).toMatchObject({ ...none, version: 0 });
    await server.client.updateGateOverrides({ path, body: { passingUserIDs: ["of the second"] } });
    await server.client.updateGateOverrides({ path, body: {} });
    await server.client.deleteGate({ path });
    await server.client.restoreGateVersion({ path: { ...path, version: 3 } });
    expect((await server.client.getGateOverrides({ path })).data).toMatchObject(none);
  });

  test("200: a dry run answers the gate and stores nothing", async () => {
    const { data: gate } = await server.client.createGate({ body: { name: "rehearsed" } });
    const path = { id: gate.id };
    await server.client.deleteGate({ path });
    const { data } = await server.client.restoreGateVersion({ path: { ...path, version: 1 }, query: { dryRun: true } });
    expect(data).toEqual({ ...gate, version: 3 });
    expect((await refusal(server.client.getGate({ path }))).status).toBe(404);
  });

  test("400: the version references what does not exist any more", async () => {
    const conditions = [{ type: "passes_gate" as const, targetValue: "needed" }];
    await server.client.createGate({ body: { name: "needed" } });
    await server.client.createGate({ body: { name: "needy", rules: [{ name: "r", passPercentage: 5, conditions }] } });
    await server.client.deleteGate({ path: { id: "needy" } });
    await server.client.deleteGate({ path: { id: "needed" } });
    expect(await refusal(server.client.restoreGateVersion({ path: { id: "needy", version: 1 } }))).toEqual(
      invalid(["rules[0].conditions[0].targetValue", "references gate needed, which does not exist"]),
    );
  });

  test("409: of two at once, one finds that it exists", async () => {
    const path = { id: "twice", version: 1 };
    await server.client.createGate({ body: { name: "twice" } });
    await server.client.deleteGate({ path });
    const restore = () => server.send("POST", "/console/v1/gates/twice/versions/1/restore");
    const answers = await Promise.all([restore(), restore()]);
    const versions = (await server.client.listGateVersions({ path })).data.map(({ version }) => version);
    const statuses = answers.map(({ status }) => status).toSorted();
    // The second may also come after the first, and then restores a gate that exists.
    expect([
      [
        [200, 200],
        [4, 3, 1],
      ],
      [
        [200, 409],
        [3, 1],
      ],
    ]).toContainEqual([statuses, versions]);
  });

  test("412: If-Match, since there is nothing to match", async () => {
    const { data, etag } = await server.client.createGate({ body: { name: "unmatched" } });
    await server.client.deleteGate({ path: { id: data.id } });
    const restored = server.client.restoreGateVersion({ path: { id: data.id, version: 1 }, ifMatch: etag ?? "" });
    expect((await refusal(restored)).status).toBe(412);
  });
});

describe("restoreExperimentVersion of a deleted experiment", () => {
  const groups = [
    { id: "control", name: "Control", size: 50 },
    { id: "test", name: "Test", size: 50 },
  ];
  const userIDOverrides = [{ groupID: "test", ids: ["ada"], environment: null, unitType: "userID" }];

  test("200: it is in setup again, with its overrides and a new salt", async () => {
    const { data: experiment } = await server.client.createExperiment({ body: { name: "missed test", groups } });
    const path = { id: experiment.id };
    await server.client.updateExperimentOverrides({ path, body: { overrides: [], userIDOverrides } });
    await server.client.startExperiment({ path });
    await server.client.deleteExperiment({ path });
    const { data } = await server.client.restoreExperimentVersion({ path: { ...path, version: 2 } });
    const again = { version: 4, salt: expect.not.stringMatching(experiment.salt), resetTime: server.clock.now };
    expect(data).toEqual({ ...experiment, ...again });
    expect((await server.client.getExperimentOverrides({ path })).data).toMatchObject({ userIDOverrides });
  });

  test("400: the version lacks a group that the overrides reference", async () => {
    const alone = [{ id: "control", name: "Control", size: 100 }];
    const { data: experiment } = await server.client.createExperiment({ body: { name: "grown test", groups: alone } });
    const path = { id: experiment.id };
    await server.client.patchExperiment({ path, body: { groups } });
    await server.client.updateExperimentOverrides({ path, body: { overrides: [], userIDOverrides } });
    await server.client.deleteExperiment({ path });
    expect(await refusal(server.client.restoreExperimentVersion({ path: { ...path, version: 1 } }))).toEqual(
      invalid(["groups", "must keep Test, which overrides reference"]),
    );
    expect((await server.client.restoreExperimentVersion({ path: { ...path, version: 2 } })).data.groups).toHaveLength(2);
  });

  test("400: its layer does not exist any more", async () => {
    const { data: layer } = await server.client.createLayer({ body: { name: "gone layer", idType: "userID" } });
    const { data: experiment } = await server.client.createExperiment({ body: { name: "homeless", layerID: layer.id } });
    const path = { id: experiment.id };
    await server.client.deleteExperiment({ path });
    await server.client.deleteLayer({ path: { id: layer.id } });
    expect(await refusal(server.client.restoreExperimentVersion({ path: { ...path, version: 1 } }))).toEqual(
      invalid(["layerID", "references layer gone_layer, which does not exist"]),
    );
    await server.client.restoreLayerVersion({ path: { id: layer.id, version: 1 } });
    expect((await server.client.restoreExperimentVersion({ path: { ...path, version: 1 } })).data.layerID).toBe(layer.id);
  });

  test("409: a dynamic config has its id by now", async () => {
    const { data: experiment } = await server.client.createExperiment({ body: { name: "succeeded" } });
    await server.client.deleteExperiment({ path: { id: experiment.id } });
    await server.client.createDynamicConfig({ body: { name: "succeeded" } });
    const { status, message } = await refusal(server.client.restoreExperimentVersion({ path: { id: experiment.id, version: 1 } }));
    expect([status, message]).toEqual([409, expect.stringContaining("Dynamic config succeeded already exists")]);
  });
});

test("restoreHoldoutVersion, 200: a deleted holdout holds its gates again, with the overrides that it had", async () => {
  const { data: gate } = await server.client.createGate({ body: { name: "held" } });
  const { data: holdout } = await server.client.createHoldout({ body: { name: "holding", gateIDs: [gate.id] } });
  const path = { id: holdout.id };
  await server.client.updateHoldoutOverrides({ path, body: { passingUserIDs: ["ada"] } });
  await server.client.deleteHoldout({ path });
  const holdouts = async () => (await server.client.getGate({ path: { id: gate.id } })).data.holdoutIDs;
  expect(await holdouts()).toEqual([]);
  await server.client.restoreHoldoutVersion({ path: { ...path, version: 1 } });
  expect(await holdouts()).toEqual([holdout.id]);
  expect((await server.client.getHoldoutOverrides({ path })).data.passingUserIDs).toEqual(["ada"]);
});

test("restoreSegmentVersion, 200: a deleted segment exists again without its ids", async () => {
  const { data: segment } = await server.client.createSegment({ body: { name: "listed", type: "id_list" } });
  const path = { id: segment.id };
  await server.client.addSegmentIDs({ path, body: { ids: ["ada", "bob"] } });
  await server.client.deleteSegment({ path });
  const { data } = await server.client.restoreSegmentVersion({ path: { ...path, version: 1 } });
  expect(data).toMatchObject({ id: segment.id, count: 0 });
  expect((await server.client.getSegmentIDList({ path })).data.ids).toEqual([]);
});

test("restoreTargetAppVersion, 409: another target app has the name by now", async () => {
  const { data: app } = await server.client.createTargetApp({ body: { name: "web" } });
  await server.client.deleteTargetApp({ path: { id: app.id } });
  await server.client.createTargetApp({ body: { name: "web" } });
  const { status, message } = await refusal(server.client.restoreTargetAppVersion({ path: { id: app.id, version: 1 } }));
  expect([status, message]).toEqual([409, "Target app web already exists."]);
});
