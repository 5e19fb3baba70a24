import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { invalid, refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const groups = [
  { id: "blue", name: "Control", size: 50 },
  { id: "green", name: "Green", size: 50 },
];

type Given = Partial<Parameters<TestServer["client"]["createExperiment"]>[0]["body"]>;

async function create(name: string, given: Given = {}) {
  return (await server.client.createExperiment({ body: { name, groups, allocation: 1, ...given } })).data;
}

async function get(id: string) {
  return (await server.client.getExperiment({ path: { id } })).data;
}

/** Creates an active experiment, and moves the clock past its start. */
async function createActive(name: string, given: Given = {}) {
  const { id } = await create(name, { ...given, status: "active" });
  server.clock.now += 1000;
  return get(id);
}

describe("startExperiment", () => {
  test("200: returns only a message; the experiment is active and has its buckets", async () => {
    const created = await create("started");
    server.clock.now += 1000;
    const answer = await server.send("PUT", "/console/v1/experiments/started/start", {
      body: { analysisEndTime: "2025-12-06", turboMode: true },
    });
    expect(answer.body).toEqual({ message: "Experiment successfully started." });
    const started = await get("started");
    expect(started).toEqual({
      ...created,
      status: "active",
      startTime: server.clock.now,
      userBuckets: expect.objectContaining({ length: 10 }),
      analysisEndTime: "2025-12-06",
      turboMode: true,
      version: 2,
      lastModifiedTime: server.clock.now,
    });
    expect(new Set(started.userBuckets).size).toBe(10);
  });

  test("400: an active experiment, and one that has ended", async () => {
    const { id } = await createActive("starts once");
    const refused = (state: string) => invalid(["status", `start is not possible in status ${state}, only in setup`]);
    expect(await refusal(server.client.startExperiment({ path: { id } }))).toEqual(refused("active"));
    await server.client.abandonExperiment({ path: { id } });
    expect(await refusal(server.client.startExperiment({ path: { id } }))).toEqual(refused("abandoned"));
  });
});

describe("makeExperimentDecision", () => {
  const decision = { id: "green", decisionReason: "Purchases rose." };

  test("200: ships the group and frees the buckets", async () => {
    const active = await createActive("decided", { targetingGateID: null });
    const answer = await server.client.makeExperimentDecision({ path: { id: active.id }, body: decision });
    expect(answer).toMatchObject({ message: "Decision made for Experiment." });
    expect(await get(active.id)).toEqual({
      ...active,
      status: "decision_made",
      launchedGroupID: "green",
      decisionReason: "Purchases rose.",
      decisionTime: server.clock.now,
      endTime: server.clock.now,
      userBuckets: [],
      version: 2,
      lastModifiedTime: server.clock.now,
    });
  });

  test("200: removes the targeting if requested", async () => {
    const { id } = await server.client.createGate({ body: { name: "targeting" } }).then(({ data }) => data);
    const inlineTargetingRules = [{ name: "all", passPercentage: 100, conditions: [{ type: "public" as const }] }];
    const targeted = await createActive("untargeted", { targetingGateID: id, inlineTargetingRules });
    await server.client.makeExperimentDecision({ path: { id: targeted.id }, body: { ...decision, removeTargeting: true } });
    expect(await get(targeted.id)).toMatchObject({ targetingGateID: null, inlineTargetingRules: [], inlineTargetingRulesJSON: "{}" });
  });

  test("200: decides a stopped experiment later, with the stop as its end time", async () => {
    const { id } = await createActive("deferred");
    const stopped = (await server.client.patchExperiment({ path: { id }, body: { status: "experiment_stopped" } })).data;
    expect(stopped).toMatchObject({ endTime: server.clock.now, userBuckets: [] });
    server.clock.now += 1000;
    await server.client.makeExperimentDecision({ path: { id }, body: decision });
    expect(await get(id)).toMatchObject({ status: "decision_made", endTime: stopped.endTime, decisionTime: server.clock.now });
  });

  test("400: an experiment that has not started, and an unknown group", async () => {
    const { id } = await create("not decided");
    expect(await refusal(server.client.makeExperimentDecision({ path: { id }, body: { ...decision, id: "Green" } }))).toEqual(
      invalid(
        ["id", "must be the id of a group"],
        ["status", "make_decision is not possible in status setup, only in active, assignment_stopped, or experiment_stopped"],
      ),
    );
  });
});

describe("abandonExperiment", () => {
  test("200: ends without a launched group and frees the buckets", async () => {
    const active = await createActive("abandoned");
    const { message } = await server.client.abandonExperiment({ path: { id: active.id }, body: { decisionReason: "It broke." } });
    expect(message).toBe("Experiment successfully abandoned.");
    expect(await get(active.id)).toMatchObject({
      status: "abandoned",
      decisionReason: "It broke.",
      launchedGroupID: null,
      endTime: server.clock.now,
      decisionTime: null,
      userBuckets: [],
    });
  });

  test("200: removes the targeting only if requested", async () => {
    const inlineTargetingRules = [{ name: "all", passPercentage: 100, conditions: [{ type: "public" as const }] }];
    const kept = await createActive("abandoned as targeted", { inlineTargetingRules });
    await server.client.abandonExperiment({ path: { id: kept.id }, body: { removeTargeting: false } });
    expect(await get(kept.id)).toMatchObject({ inlineTargetingRules: kept.inlineTargetingRules });
    const untargeted = await createActive("abandoned untargeted", { inlineTargetingRules });
    await server.client.abandonExperiment({ path: { id: untargeted.id }, body: { decisionReason: "No.", removeTargeting: true } });
    const { data } = await server.client.getExperiment({ path: { id: untargeted.id } });
    expect(data).toMatchObject({ targetingGateID: null, inlineTargetingRules: [], inlineTargetingRulesJSON: "{}", decisionReason: "No." });
    expect(data).not.toHaveProperty("removeTargeting");
  });

  test("400: an experiment that has not started", async () => {
    const { id } = await create("not abandoned");
    expect((await refusal(server.client.abandonExperiment({ path: { id } }))).errors).toEqual([
      {
        property: "status",
        errorMessage: "abandon is not possible in status setup, only in active, assignment_stopped, or experiment_stopped",
      },
    ]);
  });
});

describe("resetExperiment", () => {
  test("200: returns to setup with a new salt, so that the next start assigns units again", async () => {
    const active = await createActive("reset");
    await server.client.makeExperimentDecision({ path: { id: active.id }, body: { id: "green", decisionReason: "r" } });
    const { message } = await server.client.resetExperiment({ path: { id: active.id } });
    expect(message).toBe("Experiment successfully restarted.");
    const { salt, ...reset } = await get(active.id);
    expect({ ...reset, salt: active.salt }).toEqual({
      ...active,
      resetTime: server.clock.now,
      status: "setup",
      startTime: null,
      userBuckets: [],
      version: 3,
      lastModifiedTime: server.clock.now,
    });
    expect(salt).not.toBe(active.salt);
    await server.client.startExperiment({ path: { id: active.id } });
    expect((await get(active.id)).userBuckets).not.toEqual(active.userBuckets);
  });

  test("400: an experiment in setup", async () => {
    const { id } = await create("not reset");
    expect(await refusal(server.client.resetExperiment({ path: { id } }))).toEqual(
      invalid([
        "status",
        "reset is not possible in status setup, only in active, assignment_stopped, experiment_stopped, decision_made, or abandoned",
      ]),
    );
  });
});

describe("archiveExperiment, unarchiveExperiment", () => {
  test("200: makes the experiment read-only, and restores its previous status", async () => {
    const { id } = await createActive("archived");
    await server.client.abandonExperiment({ path: { id } });
    const abandoned = await get(id);
    const { message } = await server.client.archiveExperiment({ path: { id }, body: { archiveReason: "Nobody needs it." } });
    expect(message).toBe("Experiment successfully archived.");
    expect(await get(id)).toEqual({ ...abandoned, status: "archived", statusBeforeArchive: "abandoned", version: 3 });
    const change = await server.database.prisma.change.findFirst({ where: { entityID: id }, orderBy: { id: "desc" } });
    expect(change?.reason).toBe("Nobody needs it.");
    expect((await server.client.unarchiveExperiment({ path: { id } })).message).toBe("Experiment successfully unarchived.");
    expect(await get(id)).toEqual({ ...abandoned, version: 4 });
  });

  test("200: unarchives an experiment with stopped assignment as stopped, since its buckets are free", async () => {
    const { id } = await createActive("assignment stopped");
    const stopped = (await server.client.patchExperiment({ path: { id }, body: { status: "assignment_stopped" } })).data;
    expect(stopped.userBuckets).toHaveLength(10);
    await server.client.archiveExperiment({ path: { id } });
    await server.client.unarchiveExperiment({ path: { id } });
    expect(await get(id)).toMatchObject({ status: "experiment_stopped", userBuckets: [] });
  });

  test("400: an active experiment cannot be archived, and one that is not archived cannot be unarchived", async () => {
    const { id } = await createActive("in use");
    expect((await refusal(server.client.archiveExperiment({ path: { id } }))).errors).toEqual([
      {
        property: "status",
        errorMessage:
          "archive is not possible in status active, only in setup, assignment_stopped, experiment_stopped, decision_made, or abandoned",
      },
    ]);
    expect((await refusal(server.client.unarchiveExperiment({ path: { id } }))).errors).toEqual([
      { property: "status", errorMessage: "unarchive is not possible in status active, only in archived" },
    ]);
  });
});
