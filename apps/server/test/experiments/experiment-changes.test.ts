import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fullExperiment, makeSourcesOfFull } from "../support/full-experiment.ts";
import { conflicting, invalid, refusal, startServer, type TestServer } from "../support/server.ts";

const PATH = "/console/v1/experiments";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await server.client.createGate({ body: { name: "gate" } });
  await makeSourcesOfFull(server);
});
afterAll(() => server.close());

type Given = Parameters<TestServer["client"]["createExperiment"]>[0]["body"];
type Patch = Parameters<TestServer["client"]["patchExperiment"]>[0]["body"];

async function create(given: Given) {
  return (await server.client.createExperiment({ body: given })).data;
}

async function patch(id: string, body: Patch) {
  server.clock.now += 1000;
  return (await server.client.patchExperiment({ path: { id }, body })).data;
}

const missing = { status: 404, code: "not_found", message: "Experiment nope does not exist.", errors: [] };
const anID = expect.stringMatching(/^\w{22}$/);

describe("patchExperiment", () => {
  test("200: changes only the given fields and creates the next version", async () => {
    const created = await create({ name: "patched", tags: ["kept"] });
    const changed = await patch(created.id, { hypothesis: "It works.", analyticsType: "bayesian" });
    const lastModifiedTime = server.clock.now;
    expect(changed).toEqual({ ...created, hypothesis: "It works.", analyticsType: "bayesian", version: 2, lastModifiedTime });
  });

  test("200: the body of a GET can be edited and sent back without loss", async () => {
    await server.send("POST", PATH, { body: fullExperiment });
    const { data } = await server.client.getExperiment({ path: { id: "full" } });
    server.clock.now += 1000;
    const answer = await server.send("PATCH", `${PATH}/full`, { body: { ...data, description: "edited" } });
    expect(answer.body).toEqual({
      message: "Experiment updated successfully.",
      data: { ...data, description: "edited", version: 2, lastModifiedTime: server.clock.now },
    });
  });

  test("200: accepts and ignores the fields that the server sets", async () => {
    const created = await create({ name: "owned" });
    const healthChecks = [{ name: "n", description: "d", status: "FAILED", metadata: { type: "t", primary_id_type: "userID" } }];
    const body = {
      id: "x",
      layerID: "x",
      version: 9,
      startTime: 1,
      salt: "x",
      userBuckets: [1],
      scheduledStartTime: 1,
      isStale: true,
      holdoutIDs: ["x"],
      healthChecks,
    };
    const answer = await server.send("PATCH", `${PATH}/owned`, { body });
    expect(answer.body.data).toEqual({ ...created, version: 2, lastModifiedTime: server.clock.now });
  });

  test("200: a group is matched by id, else by name, and keeps omitted fields", async () => {
    const { id, groups } = await create({ name: "grouped" });
    const [control, treatment] = groups;
    const changed = await patch(id, {
      groups: [
        { name: "Control", size: 20 },
        { id: treatment?.id ?? "", name: "Green", size: 30 },
        { name: "Red", size: 50 },
      ],
    });
    expect(changed.groups).toEqual([
      { ...control, size: 20 },
      { ...treatment, name: "Green", size: 30 },
      { id: anID, name: "Red", size: 50, parameterValues: {}, description: "" },
    ]);
  });

  test("200: moves from setup to active, decided and archived", async () => {
    const { id, groups } = await create({ name: "whole life" });
    const launchedGroupID = groups[1]?.id ?? "";
    const started = await patch(id, { status: "active" });
    expect(started).toMatchObject({ status: "active", startTime: server.clock.now, endTime: null });
    const decided = await patch(id, { status: "decision_made", launchedGroupID, decisionReason: "Better." });
    const [decisionTime, endTime] = [server.clock.now, server.clock.now];
    expect(decided).toMatchObject({ status: "decision_made", launchedGroupID, decisionReason: "Better.", decisionTime, endTime });
    expect(decided.startTime).toBe(started.startTime);
    const archived = await patch(id, { status: "archived" });
    expect(archived).toEqual({
      ...decided,
      status: "archived",
      statusBeforeArchive: "decision_made",
      version: 4,
      lastModifiedTime: server.clock.now,
    });
  });

  test("400: an illegal status transition and invalid groups", async () => {
    const { id } = await create({ name: "stays in setup" });
    const body: Patch = { status: "abandoned", launchedGroupID: "none", groups: [{ name: "Control", size: 99 }] };
    expect(await refusal(server.client.patchExperiment({ path: { id }, body }))).toEqual(
      invalid(
        ["groups", "must have sizes that sum to 100, not 99"],
        ["launchedGroupID", "must be the id of a group"],
        ["status", "abandon is not possible in status setup, only in active, assignment_stopped, or experiment_stopped"],
      ),
    );
  });

  test("400: a decision without a launched group", async () => {
    const { id } = await create({ name: "undecided", status: "active" });
    expect(await refusal(server.client.patchExperiment({ path: { id }, body: { status: "decision_made" } }))).toEqual(
      invalid(["launchedGroupID", "is required with status decision_made"]),
    );
  });

  test("400: an outdated body does not undo later status transitions", async () => {
    const { id } = await create({ name: "not undone", status: "active" });
    expect(await refusal(server.client.patchExperiment({ path: { id }, body: { status: "setup" } }))).toEqual(
      invalid(["status", "cannot change from active to setup. Use resetExperiment instead"]),
    );
    const archived = await create({ name: "archived at once", status: "archived" });
    expect(await refusal(server.client.patchExperiment({ path: { id: archived.id }, body: { status: "setup" } }))).toEqual(
      invalid(["status", "cannot change from archived to setup. Use unarchiveExperiment instead"]),
    );
  });

  test("400: idType, group sizes and the set of groups are fixed while the experiment is active", async () => {
    const { id, groups } = await create({ name: "fixed", status: "active", allocation: 1 });
    const [control, treatment] = groups;
    const body = {
      idType: "stableID",
      groups: [
        { ...control, size: 40 },
        { name: "New", size: 60 },
      ],
    } as Patch;
    expect(await refusal(server.client.patchExperiment({ path: { id }, body }))).toEqual(
      invalid(
        ["idType", "cannot change from userID to stableID while the experiment is active"],
        ["groups[0].size", "cannot change from 50 to 40 while the experiment is active"],
        ["groups[1]", "cannot be added while the experiment is active"],
        ["groups", "must keep Test while the experiment is active"],
      ),
    );
    const renamed = { ...treatment, name: "Renamed", parameterValues: { a: 1 }, disabled: true, size: 50 };
    expect((await patch(id, { groups: [{ name: "Control", size: 50 }, renamed] as Patch["groups"] })).groups[1]).toEqual({
      ...renamed,
      disabledTime: server.clock.now,
    });
  });

  test("400: a group cannot be removed while overrides assign units to it", async () => {
    const { id } = await create({ name: "overridden" });
    const overrides = { overrides: [], userIDOverrides: [{ groupID: "Test", ids: ["user_1"] }] };
    await server.client.updateExperimentOverrides({ path: { id }, body: overrides });
    expect(await refusal(server.client.patchExperiment({ path: { id }, body: { groups: [{ name: "Control", size: 100 }] } }))).toEqual(
      invalid(["groups", "must keep Test, which overrides reference"]),
    );
  });

  test("404: the experiment does not exist", async () => {
    expect(await refusal(server.client.patchExperiment({ path: { id: "nope" }, body: {} }))).toEqual(missing);
  });

  test("409: an archived experiment", async () => {
    const { id } = await create({ name: "closed", status: "archived" });
    expect(await refusal(server.client.patchExperiment({ path: { id }, body: { description: "x" } }))).toEqual(
      conflicting("Experiment closed is archived. Unarchive it first.", "status"),
    );
  });

  test("412: If-Match names another version", async () => {
    const { data, etag } = await server.client.createExperiment({ body: { name: "guarded" } });
    await patch(data.id, { description: "meanwhile" });
    const answer = await server.send("PATCH", `${PATH}/${data.id}`, { body: { description: "x" }, headers: { "If-Match": etag ?? "" } });
    expect(answer.status).toBe(412);
    expect((await server.client.getExperiment({ path: { id: data.id } })).data.description).toBe("meanwhile");
  });
});

describe("updateExperiment", () => {
  const whole = {
    description: "The button on the product page.",
    idType: "stableID",
    hypothesis: "A green button is pressed more often.",
    groups: [
      { name: "Control", size: 40 },
      { name: "Test", size: 60 },
    ],
    allocation: 20,
    targetingGateID: null,
    bonferroniCorrection: true,
    defaultConfidenceInterval: "90" as const,
    status: "setup" as const,
  };

  test("200: replaces the given fields; optional fields that are omitted keep their value", async () => {
    const created = await create({ name: "updated", tags: ["kept"] });
    const { data, message } = await server.client.updateExperiment({ path: { id: created.id }, body: whole });
    expect(message).toBe("Experiment updated successfully.");
    const groups = created.groups.map((group, index) => ({ ...group, size: index === 0 ? 40 : 60 }));
    expect(data).toEqual({ ...created, ...whole, groups, version: 2, lastModifiedTime: server.clock.now });
  });

  test("200: the body of a GET can be edited and sent back without loss", async () => {
    await server.send("POST", PATH, { body: { ...fullExperiment, id: "full-again" } });
    const { data } = await server.client.getExperiment({ path: { id: "full-again" } });
    const answer = await server.send("POST", `${PATH}/full-again`, { body: { ...data, status: "active" } });
    expect(answer.body.data).toEqual({
      ...data,
      status: "active",
      startTime: server.clock.now,
      userBuckets: expect.objectContaining({ length: 800 }),
      version: 2,
      lastModifiedTime: server.clock.now,
    });
  });

  test("400: a body without the required fields", async () => {
    const { id } = await create({ name: "not whole" });
    const answer = await server.send("POST", `${PATH}/${id}`, { body: {} });
    expect(answer.body.errors.map(({ property }: any) => property).sort()).toEqual(Object.keys(whole).sort());
  });

  test("409: an archived experiment", async () => {
    const { id } = await create({ name: "archived whole", status: "archived" });
    const body = { ...whole, status: "archived" as const };
    expect((await refusal(server.client.updateExperiment({ path: { id }, body }))).message).toBe(
      "Experiment archived_whole is archived. Unarchive it first.",
    );
  });
});

describe("enableExperimentGroups, disableExperimentGroups", () => {
  test("201: disables the given groups, and enables them again", async () => {
    const { id, groups } = await create({ name: "toggled", status: "active", allocation: 1 });
    const [control, treatment] = groups;
    const disabled = await server.send("POST", `${PATH}/${id}/disable_groups`, { body: { group_names: ["Test"] } });
    expect(disabled.status).toBe(201);
    expect(disabled.body.message).toBe("Experiment updated successfully.");
    expect(disabled.body.data.groups).toEqual([control, { ...treatment, disabled: true, disabledTime: server.clock.now }]);
    const enabled = await server.client.enableExperimentGroups({ path: { id }, body: { group_names: ["Test", "Control"] } });
    expect(enabled.message).toBe("Experiment updated successfully.");
    expect(enabled.data).toMatchObject({ version: 3, groups: [{ disabled: false }, { disabled: false }] });
  });

  test("400: an unknown group, and a status that does not allow the call", async () => {
    const { id } = await create({ name: "not toggled" });
    const body = { group_names: ["Control", "Tset"] };
    expect(await refusal(server.client.disableExperimentGroups({ path: { id }, body }))).toEqual(
      invalid(["group_names[1]", "must be the name of a group, but there is no group Tset"]),
    );
    await patch(id, { status: "archived" });
    expect(await refusal(server.client.enableExperimentGroups({ path: { id }, body: { group_names: ["Test"] } }))).toEqual(
      invalid(["status", "enable_groups is not possible in status archived, only in setup, active, or assignment_stopped"]),
    );
  });
});
