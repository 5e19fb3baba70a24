import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fullExperiment } from "./support/full-experiment.ts";
import { invalid, refusal, startServer, type TestServer } from "./support/server.ts";

const PATH = "/console/v1/experiments";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
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
  test("200: changes what is given, leaves the rest and makes the next version", async () => {
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

  test("200: what the server owns is accepted and ignored", async () => {
    const created = await create({ name: "owned" });
    const healthChecks = [{ name: "n", description: "d", status: "FAILED", metadata: { type: "t", primary_id_type: "userID" } }];
    const body = {
      id: "x",
      layerID: "x",
      version: 9,
      startTime: 1,
      isStale: true,
      holdoutIDs: ["x"],
      healthChecks,
      owner: { ownerID: "x" },
    };
    const answer = await server.send("PATCH", `${PATH}/owned`, { body });
    expect(answer.body.data).toEqual({ ...created, version: 2, lastModifiedTime: server.clock.now });
  });

  test("200: a group is found by its id or else by its name, and keeps what is left out", async () => {
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

  test("200: from setup over active to a decision and into the archive", async () => {
    const { id, groups } = await create({ name: "whole life" });
    const launchedGroupID = groups[1]?.id ?? "";
    const started = await patch(id, { status: "active" });
    expect(started).toMatchObject({ status: "active", startTime: server.clock.now, endTime: null });
    const decided = await patch(id, { status: "decision_made", launchedGroupID, decisionReason: "Better." });
    const [decisionTime, endTime] = [server.clock.now, server.clock.now];
    expect(decided).toMatchObject({ status: "decision_made", launchedGroupID, decisionReason: "Better.", decisionTime, endTime });
    expect(decided.startTime).toBe(started.startTime);
    const archived = await patch(id, { status: "archived" });
    expect(archived).toEqual({ ...decided, status: "archived", version: 4, lastModifiedTime: server.clock.now });
  });

  test("400: a step that is not allowed and groups that do not fit", async () => {
    const { id } = await create({ name: "stays in setup" });
    const body: Patch = { status: "abandoned", launchedGroupID: "none", groups: [{ name: "Control", size: 99 }] };
    expect(await refusal(server.client.patchExperiment({ path: { id }, body }))).toEqual(
      invalid(
        ["groups", "must have sizes that sum to 100, not 99"],
        ["launchedGroupID", "must be the id of a group"],
        ["status", "cannot go from setup to abandoned, only to active or archived"],
      ),
    );
  });

  test("400: a decision without a launched group", async () => {
    const { id } = await create({ name: "undecided", status: "active" });
    expect(await refusal(server.client.patchExperiment({ path: { id }, body: { status: "decision_made" } }))).toEqual(
      invalid(["launchedGroupID", "is required with status decision_made"]),
    );
  });

  test("400: an archived experiment takes no further step", async () => {
    const { id } = await create({ name: "archived at once", status: "archived" });
    expect(await refusal(server.client.patchExperiment({ path: { id }, body: { status: "setup" } }))).toEqual(
      invalid(["status", "cannot go from archived to setup, nor to any other state"]),
    );
  });

  test("404: no such experiment", async () => {
    expect(await refusal(server.client.patchExperiment({ path: { id: "nope" }, body: {} }))).toEqual(missing);
  });

  test("409: an archived experiment", async () => {
    const { id } = await create({ name: "closed", status: "archived" });
    expect(await refusal(server.client.patchExperiment({ path: { id }, body: { description: "x" } }))).toEqual({
      status: 409,
      code: "conflict",
      message: "Experiment closed is archived for good.",
      errors: [],
    });
  });

  test("412: another version than the one that stands", async () => {
    const { data, etag } = await server.client.createExperiment({ body: { name: "guarded" } });
    await patch(data.id, { description: "meanwhile" });
    const answer = await server.send("PATCH", `${PATH}/${data.id}`, { body: { description: "x" }, headers: { "If-Match": etag ?? "" } });
    expect(answer.status).toBe(412);
    expect((await server.client.getExperiment({ path: { id: data.id } })).data.description).toBe("meanwhile");
  });
});
