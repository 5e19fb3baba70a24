import { createConsoleClient, type Schema } from "@gatehouse/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeKey } from "../support/keys.ts";
import { EVERYONE, HOUR_MS, phase, releasing, toNewZealand, toStaff } from "../support/releasing.ts";
import { refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const { pipelines, gate: makeGate, release, passing, pass, advance } = releasing(() => server);
const read = async (id: string) => (await server.client.getRelease({ path: { id } })).data;
const readGate = async (id: string) => (await server.client.getGate({ path: { id } })).data;
const at = (id: string, phaseID: string) => ({ path: { id }, body: { phaseID } });
const types = ({ actions }: Schema<"Release">) => actions.map(({ type }) => type);

/** A client with a key of its own. */
async function other(given: object = {}) {
  const { key } = await makeKey(server, { type: "CONSOLE", scopes: ["omni_read_write"], ...given });
  return createConsoleClient({ baseUrl: server.url, apiKey: key, retry: { attempts: 1 } });
}

describe("a change of the rules of a gate with a release pipeline", () => {
  test("reaches users phase by phase, and everyone in the end", async () => {
    const id = await makeGate([toStaff(), toNewZealand()]);
    const begun = await release(id);
    const { now } = server.clock;
    expect(begun).toMatchObject({
      ...{ gateID: id, status: "IN_PROGRESS", currentPhase: "staff", currentPhaseID: "staff", currentPhaseEndTime: now + HOUR_MS },
      ...{ remainingMs: null, endedTime: null, breaches: [], phases: [{ phaseID: "staff", name: "staff", startTime: now }] },
      actions: [{ type: "STARTED", timeMs: now, phaseID: "staff", actorID: begun.creatorID, actorName: "CONSOLE API" }],
    });
    expect(await passing(id)).toEqual(["staff"]);
    await pass(HOUR_MS - 1);
    expect(await passing(id)).toEqual(["staff"]);
    await pass(1);
    expect(await passing(id)).toEqual(["staff", "nz"]);
    await pass(HOUR_MS);
    expect(await passing(id)).toEqual(["staff", "nz", "other"]);
    expect(await read(begun.id)).toMatchObject({
      status: "COMPLETED",
      currentPhase: null,
      currentPhaseID: null,
      endedTime: server.clock.now,
    });
    expect(await readGate(id)).not.toHaveProperty("activeRelease");
  });

  test("shows the phases that have begun and what the gate had before, which nobody can set", async () => {
    const id = await makeGate([toStaff()]);
    const { id: releaseID } = await release(id);
    const gate = await readGate(id);
    expect(gate.activeRelease).toEqual({
      releaseID,
      currentPhase: "staff",
      rules: [expect.objectContaining({ name: "staff" })],
      guardrails: [],
      before: { rules: [] },
    });
    const forged = { releaseID, rules: [], guardrails: [], before: { rules: gate.rules } };
    const body = { ...gate, description: "Described.", activeRelease: forged };
    expect((await server.send("POST", `/console/v1/gates/${id}`, { body })).status).toBe(200);
    expect(await readGate(id)).toMatchObject({ description: "Described.", activeRelease: gate.activeRelease });
  });

  test("starts no release if it changes nobody's value", async () => {
    const id = await makeGate([toStaff()]);
    await server.client.patchGate({ path: { id }, body: { rules: [{ ...EVERYONE, isEnabled: false }], description: "Soon." } });
    expect((await server.client.listReleases({ query: { gateID: id } })).data).toEqual([]);
  });

  test("reaches everyone at once without a pipeline, and through a pipeline without phases", async () => {
    const id = await makeGate([]);
    await server.client.patchGate({ path: { id }, body: { rules: [EVERYONE] } });
    expect(await passing(id)).toEqual(["staff", "nz", "other"]);
  });

  test("starts a release with the creation of a gate that has rules, and of a dynamic config that has a default value", async () => {
    const releasePipelineID = await pipelines.create(toStaff());
    await server.client.createGate({ body: { name: "new at once", rules: [EVERYONE], releasePipelineID } });
    expect(await passing("new_at_once")).toEqual(["staff"]);
    await server.client.createDynamicConfig({ body: { name: "new config", defaultValue: { size: 1 }, releasePipelineID } });
    const { data } = await server.client.listReleases({ query: { releasePipelineID } });
    expect(data.map(({ gateID, dynamicConfigID }) => gateID ?? dynamicConfigID).sort()).toEqual(["new_at_once", "new_config"]);
    const { data: config } = await server.client.getDynamicConfig({ path: { id: "new_config" } });
    expect(config.activeRelease?.before).toEqual({ rules: [], defaultValue: {}, defaultValueJson5: "{}" });
  });

  test("lets a phase without a duration be followed by the next at once", async () => {
    const id = await makeGate([toStaff({ timeIntervalMs: 0 }), toNewZealand()]);
    expect(await release(id)).toMatchObject({ currentPhaseID: "nz", status: "IN_PROGRESS" });
    expect(await passing(id)).toEqual(["staff", "nz"]);
  });

  test("reaches only the environments that a phase names", async () => {
    const rules = [{ name: "All", conditions: [{ type: "public" as const }], environments: ["staging"] }];
    const id = await makeGate([phase("staging", [], { rules })]);
    await release(id);
    expect(await passing(id, "staging")).toEqual(["staff", "nz", "other"]);
    expect(await passing(id)).toEqual([]);
  });
});

describe("a phase that requires a review", () => {
  test("begins once someone else approves it, and lasts from then", async () => {
    const id = await makeGate([toStaff(), toNewZealand({ requiredReview: true })]);
    const { id: releaseID } = await release(id);
    const { version } = (await server.client.getGate({ path: { id } })).data;
    await pass(HOUR_MS);
    expect(await read(releaseID)).toMatchObject({ status: "WAITING_FOR_REVIEW", currentPhaseID: "nz", currentPhaseEndTime: null });
    await pass(HOUR_MS);
    expect(await passing(id)).toEqual(["staff"]);
    // The gate gets no new version while the phase waits.
    expect((await server.client.getGate({ path: { id } })).data.version).toBe(version);
    expect(await refusal(server.client.approveRelease(at(releaseID, "nz")))).toMatchObject({
      status: 403,
      message: `Release ${releaseID} is your own change, and you lack the permission self_approve_review. Someone else with the permission approve_required_review_release_pipeline_phase can approve it.`,
    });
    const { data } = await (await other()).approveRelease(at(releaseID, "nz"));
    expect(data).toMatchObject({ status: "IN_PROGRESS", currentPhaseEndTime: server.clock.now + HOUR_MS });
    expect(types(data)).toEqual(["STARTED", "APPROVED_FOR"]);
    expect(await passing(id)).toEqual(["staff", "nz"]);
  });

  test("keeps whoever may not approve it from skipping it, and from completing the release", async () => {
    const id = await makeGate([toStaff(), toNewZealand({ requiredReview: true }), phase("all", [])]);
    const { id: releaseID } = await release(id);
    expect((await refusal(server.client.skipRelease(at(releaseID, "all")))).status).toBe(403);
    expect((await refusal(server.client.completeRelease({ path: { id: releaseID } }))).status).toBe(403);
    await server.client.skipRelease(at(releaseID, "nz"));
    expect(await read(releaseID)).toMatchObject({ status: "WAITING_FOR_REVIEW", currentPhaseID: "nz" });
    expect((await (await other()).skipRelease(at(releaseID, "all"))).data).toMatchObject({ status: "IN_PROGRESS", currentPhaseID: "all" });
    expect(await passing(id)).toEqual(["staff", "nz", "other"]);
  });
});

describe("a release", () => {
  test("keeps the remaining time of a phase while it is paused", async () => {
    const id = await makeGate([toStaff()]);
    const { id: releaseID } = await release(id);
    server.clock.now += 1_000;
    expect((await server.client.pauseRelease(at(releaseID, "staff"))).data).toMatchObject({
      ...{ status: "PAUSED", remainingMs: HOUR_MS - 1_000, currentPhaseEndTime: null },
    });
    await pass(5 * HOUR_MS);
    expect(await passing(id)).toEqual(["staff"]);
    const { data } = await server.client.resumeRelease(at(releaseID, "staff"));
    expect(data).toMatchObject({ status: "IN_PROGRESS", remainingMs: null, currentPhaseEndTime: server.clock.now + HOUR_MS - 1_000 });
    expect(types(data)).toEqual(["STARTED", "PAUSED", "UNPAUSED"]);
  });

  test("that is aborted gives everyone exactly what they got before, and keeps other changes", async () => {
    const before = [{ id: "r", name: "Half", passPercentage: 50, conditions: [] }];
    const id = await makeGate([]);
    await server.client.patchGate({ path: { id }, body: { rules: before } });
    const { rules } = await readGate(id);
    await server.client.patchGate({ path: { id }, body: { releasePipelineID: await pipelines.create(toStaff()) } });
    const { id: releaseID } = await release(id);
    await server.client.patchGate({ path: { id }, body: { description: "Changed meanwhile." } });
    const { data } = await server.client.abortRelease({ path: { id: releaseID } });
    expect(data).toMatchObject({ status: "ABORTED", currentPhaseID: null, endedTime: server.clock.now });
    const gate = await readGate(id);
    expect(gate).toMatchObject({ rules, description: "Changed meanwhile." });
    expect(gate).not.toHaveProperty("activeRelease");
  });

  test("of a dynamic config restores its default value when it is aborted", async () => {
    const { data: config } = await server.client.createDynamicConfig({
      body: { name: "taken back", defaultValueJson5: "{ size: 1 } // small" },
    });
    const path = { id: config.id };
    await server.client.patchDynamicConfig({ path, body: { releasePipelineID: await pipelines.create(toStaff()) } });
    await server.client.patchDynamicConfig({ path, body: { defaultValue: { size: 2 } } });
    const { data } = await server.client.listReleases({ query: { dynamicConfigID: config.id } });
    await server.client.abortRelease({ path: { id: data[0]?.id ?? "" } });
    const { defaultValue, defaultValueJson5 } = (await server.client.getDynamicConfig({ path })).data;
    expect({ defaultValue, defaultValueJson5 }).toEqual({ defaultValue: { size: 1 }, defaultValueJson5: "{ size: 1 } // small" });
  });

  test("that is completed gives everyone the change at once", async () => {
    const id = await makeGate([toStaff(), toNewZealand()]);
    const { id: releaseID } = await release(id);
    const { data } = await server.client.completeRelease({ path: { id: releaseID } });
    expect(data.status).toBe("COMPLETED");
    expect(data.phases.map(({ phaseID }) => phaseID)).toEqual(["staff", "nz"]);
    expect(await passing(id)).toEqual(["staff", "nz", "other"]);
  });

  test("refuses an action that comes too late: of another phase, of another status, and after its end", async () => {
    const id = await makeGate([toStaff(), toNewZealand()]);
    const { id: releaseID } = await release(id);
    const message = async (call: Promise<unknown>) => (await refusal(call)).message;
    expect(await message(server.client.pauseRelease(at(releaseID, "nz")))).toBe(
      `Phase nz is not the current phase of release ${releaseID}, which is staff.`,
    );
    expect(await message(server.client.resumeRelease(at(releaseID, "staff")))).toBe(
      `Release ${releaseID} is IN_PROGRESS, and must be PAUSED.`,
    );
    expect(await message(server.client.skipRelease(at(releaseID, "staff")))).toBe(
      `Phase staff does not come after the current phase of release ${releaseID}.`,
    );
    expect(await message(server.client.skipRelease(at(releaseID, "unknown")))).toBe(
      `Phase unknown does not come after the current phase of release ${releaseID}.`,
    );
    await server.client.abortRelease({ path: { id: releaseID } });
    expect(await message(server.client.completeRelease({ path: { id: releaseID } }))).toBe(
      `Release ${releaseID} has ended: it is ABORTED.`,
    );
  });

  test("keeps its gate from further changes of what it releases, from a launch, an archival and a deletion", async () => {
    const id = await makeGate([toStaff()]);
    const { id: releaseID } = await release(id);
    const path = { id };
    const inProgress = (participle: string) =>
      `Gate ${id} cannot be ${participle} like this while release ${releaseID} is in progress. Complete or abort the release first.`;
    const message = async (call: Promise<unknown>) => (await refusal(call)).message;
    expect(await message(server.client.patchGate({ path, body: { rules: [] } }))).toBe(inProgress("changed"));
    expect(await message(server.client.patchGate({ path, body: { releasePipelineID: null } }))).toBe(inProgress("changed"));
    expect(await message(server.client.restoreGateVersion({ path: { id, version: 1 } }))).toBe(inProgress("changed"));
    expect(await message(server.client.launchGate({ path }))).toBe(inProgress("changed"));
    expect(await message(server.client.archiveGate({ path }))).toBe(inProgress("changed"));
    expect(await message(server.client.deleteGate({ path }))).toBe(inProgress("deleted"));
    await server.client.disableGate({ path });
    expect(await passing(id)).toEqual([]);
  });

  test("keeps its pipeline from changes and from its deletion", async () => {
    const id = await makeGate([toStaff()]);
    const { id: releaseID, releasePipelineID } = await release(id);
    const path = { id: releasePipelineID };
    const message = async (call: Promise<unknown>) => (await refusal(call)).message;
    const inProgress = (participle: string) =>
      `Release pipeline ${releasePipelineID} cannot be ${participle} while a release is in progress. Complete or abort them first.`;
    expect(await message(server.client.updateReleasePipeline({ path, body: { name: "Another" } }))).toBe(inProgress("changed"));
    expect(await message(server.client.deleteReleasePipeline({ path, query: { forceArchive: true } }))).toBe(inProgress("deleted"));
    await server.client.completeRelease({ path: { id: releaseID } });
    const { data } = await server.client.updateReleasePipeline({ path, body: { name: "Another", phases: [toNewZealand()] } });
    expect(data).toMatchObject({ name: "Another", phases: [{ id: "nz" }], version: 2 });
  });

  test("is advanced exactly once, however many replicas try", async () => {
    const id = await makeGate([toStaff(), toNewZealand(), phase("all", [])]);
    const { id: releaseID } = await release(id);
    server.clock.now += HOUR_MS;
    await Promise.all([advance(), advance(), advance(), advance()]);
    expect(await read(releaseID)).toMatchObject({ version: 2, currentPhaseID: "nz" });
    expect((await readGate(id)).version).toBe(3);
  });

  test("goes on with one phase after a long outage, which then lasts its time", async () => {
    const id = await makeGate([toStaff(), toNewZealand(), phase("all", [])]);
    const { id: releaseID } = await release(id);
    await pass(10 * HOUR_MS);
    expect(await read(releaseID)).toMatchObject({ currentPhaseID: "nz", currentPhaseEndTime: server.clock.now + HOUR_MS });
  });

  test("can only be moved by a key without limits", async () => {
    const id = await makeGate([toStaff()]);
    const { id: releaseID } = await release(id);
    const limited = await other({ environments: ["staging"] });
    expect((await refusal(limited.completeRelease({ path: { id: releaseID } }))).status).toBe(403);
  });

  test("is listed by what it changes, its pipeline, its status and its day", async () => {
    const id = await makeGate([toStaff()]);
    const { id: releaseID, releasePipelineID } = await release(id);
    const found = async (query: object) => (await server.client.listReleases({ query })).data.map((one) => one.id).includes(releaseID);
    const day = new Date(server.clock.now).toISOString().slice(0, 10);
    for (const query of [{ gateID: id }, { releasePipelineID }, { status: ["IN_PROGRESS", "PAUSED"] }, { startDate: day, endDate: day }])
      expect([query, await found(query)]).toEqual([query, true]);
    for (const query of [
      { gateID: "nope" },
      { dynamicConfigID: id },
      { status: ["PAUSED"] },
      { startDate: "2999-01-01" },
      { endDate: "2000-01-01" },
    ])
      expect([query, await found(query)]).toEqual([query, false]);
  });
});
