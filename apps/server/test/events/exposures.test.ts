import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createEventIntake, type EventIntake } from "../../src/evaluation/events/event-intake.ts";
import { EMPTY_ORIGIN as origin } from "../support/event-origin.ts";
import { refusal, startServer, type TestServer } from "../support/server.ts";
import { storedRows } from "../support/stored-rows.ts";
import { waitFor } from "../support/wait-for.ts";

let server: TestServer;
let intake: EventIntake;
beforeAll(async () => {
  server = await startServer();
  intake = createEventIntake({ database: server.database, log: server.log, now: () => server.clock.now });
});
afterAll(async () => {
  await intake.close();
  await server.close();
});

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const GROUPS = [
  { id: "blue", name: "Control", size: 50 },
  { id: "green", name: "Green", size: 50 },
];

let value = 0;
/** Logs exposures that all differ, so that none counts as a repeat of another. */
async function log(...events: object[]) {
  value += 1;
  await server.evaluation.logEvent({ body: { events: events.map((event) => ({ value, ...event })) } });
}
const gateExposure = (gate: string, gateValue: string, time = server.clock.now) => ({
  eventName: "statsig::gate_exposure",
  user: { userID: "a" },
  metadata: { gate, gateValue, ruleID: "r" },
  time,
});
const configExposure = (config: string, ruleID: string, user: object, time = server.clock.now) => ({
  eventName: "statsig::config_exposure",
  user,
  metadata: { config, ruleID },
  time,
});

async function makeGate(name: string) {
  const { id } = (await server.client.createGate({ body: { name } })).data;
  const path = { id };
  return { id, path, rate: async () => (await server.client.getGate({ path })).data.checksPerHour };
}

async function makeExperiment(name: string, more: object = {}) {
  const { data } = await server.client.createExperiment({ body: { name, groups: GROUPS, allocation: 100, status: "active", ...more } });
  const path = { id: data.id };
  const exposures = async () => (await server.client.getExperimentCumulativeExposures({ path })).data;
  return { id: data.id, path, exposures, units: async () => (await exposures()).map(({ results }) => results.at(-1)?.exposures ?? 0) };
}

describe("checksPerHour", () => {
  test("is the number of checks within the sliding last hour", async () => {
    server.clock.now = Math.ceil(server.clock.now / HOUR_MS) * HOUR_MS;
    const gate = await makeGate("checked often");
    expect(await gate.rate()).toBe(0);
    await log(...["true", "true", "false", ""].map((result) => gateExposure(gate.id, result)));
    expect(await gate.rate()).toBe(4);
    server.clock.now += HOUR_MS - 1;
    expect(await gate.rate()).toBe(4);
    server.clock.now += 1;
    await log(gateExposure(gate.id, "true"));
    expect(await gate.rate()).toBe(5);
    server.clock.now += HOUR_MS / 2;
    expect(await gate.rate()).toBe(3);
    server.clock.now += HOUR_MS;
    expect(await gate.rate()).toBe(1);
    server.clock.now += 2 * HOUR_MS;
    expect(await gate.rate()).toBe(0);
  });

  test("is part of every response with the gate, and creates no version", async () => {
    const gate = await makeGate("shown everywhere");
    const conditions = [{ type: "passes_gate" as const, targetValue: gate.id }];
    const { data: referrer } = await server.client.createGate({
      body: { name: "its referrer", rules: [{ name: "r", passPercentage: 5, conditions }] },
    });
    await log(gateExposure(gate.id, "true"), gateExposure(gate.id, "false"), gateExposure(referrer.id, "true"));
    const listed = (await server.client.listGates({ query: { limit: 100 } })).data;
    expect(
      listed.filter(({ checksPerHour }) => checksPerHour > 0).map(({ id, checksPerHour, version }) => [id, checksPerHour, version]),
    ).toEqual([
      [referrer.id, 1, 1],
      [gate.id, 2, 1],
    ]);
    const { data: referring } = await server.client.listGateGateReferences({ path: gate.path });
    expect(referring.map(({ checksPerHour }) => checksPerHour)).toEqual([1]);
    const { data: changed } = await server.client.patchGate({ path: gate.path, body: { description: "changed" } });
    expect([changed.checksPerHour, changed.version]).toEqual([2, 2]);
    const { body } = await server.send("PATCH", `/console/v1/gates/${gate.id}?dryRun=true`, { body: { description: "dry" } });
    expect(body.changes).toEqual([
      { entityType: "gate", entityID: gate.id, fields: [{ field: "description", before: "changed", after: "dry" }] },
    ]);
    server.clock.now += 3 * HOUR_MS;
    expect(await gate.rate()).toBe(0);
  });

  test("of a dynamic config is the number of recent reads, and starts at zero if it is recreated under its id", async () => {
    server.clock.now = Math.ceil(server.clock.now / HOUR_MS) * HOUR_MS;
    const make = async () => (await server.client.createDynamicConfig({ body: { name: "read often" } })).data;
    const { id, version } = await make();
    const path = { id };
    const read = async () => (await server.client.getDynamicConfig({ path })).data;
    expect((await read()).checksPerHour).toBe(0);
    const see = (userID: string) => configExposure(id, "default", { userID });
    await log(see("a"), see("b"), see("b"), configExposure("nowhere", "default", { userID: "a" }));
    await log(see("c"));
    expect([(await read()).checksPerHour, (await read()).version]).toEqual([4, version]);
    expect((await server.client.listDynamicConfigs()).data.find((config) => config.id === id)?.checksPerHour).toBe(4);
    server.clock.now += HOUR_MS + HOUR_MS / 2;
    expect((await read()).checksPerHour).toBe(2);
    await server.client.deleteDynamicConfig({ path });
    await make();
    expect((await read()).checksPerHour).toBe(0);
    const rows = await server.database.prisma.dynamicConfigChecks.findMany({ where: { configID: { in: [id, "nowhere"] } } });
    expect(rows).toEqual([]);
  });

  test("counts passes and fails of existing gates, and a check from the future as one of now", async () => {
    const gate = await makeGate("passes and fails");
    await log(
      gateExposure(gate.id, "true"),
      gateExposure(gate.id, "true", server.clock.now + DAY_MS),
      gateExposure(gate.id, "false"),
      gateExposure("nowhere", "true"),
    );
    const rows = await server.database.prisma.gateChecks.findMany({ where: { gateID: { in: [gate.id, "nowhere"] } } });
    expect(rows.map(({ gateID, passes, fails, empties }) => [gateID, passes, fails, empties])).toEqual([[gate.id, 2n, 1n, 0n]]);
  });
});

describe("getExperimentCumulativeExposures", () => {
  test("200: each unit once per group, by day of the first exposure", async () => {
    server.clock.now = Math.ceil(server.clock.now / DAY_MS) * DAY_MS;
    const today = new Date(server.clock.now).toISOString().slice(0, 10);
    const tomorrow = new Date(server.clock.now + DAY_MS).toISOString().slice(0, 10);
    const experiment = await makeExperiment("seen by some");
    const see = (group: string, userID: string) => configExposure(experiment.id, group, { userID });
    expect(await experiment.exposures()).toEqual([
      { groupID: "blue", groupName: "Control", results: [] },
      { groupID: "green", groupName: "Green", results: [] },
    ]);
    await log(see("blue", "a"), see("blue", "b"), see("blue", "a"), see("green", "c"));
    await log(see("blue", "a"));
    server.clock.now += DAY_MS;
    await log(see("blue", "b"), see("blue", "d"), see("green", "a"));
    const { message, data } = await server.client.getExperimentCumulativeExposures({ path: experiment.path });
    expect(message).toBe("Successfully loaded Cumulative Exposures");
    expect(data).toEqual([
      {
        groupID: "blue",
        groupName: "Control",
        results: [
          { date: today, exposures: 2 },
          { date: tomorrow, exposures: 3 },
        ],
      },
      {
        groupID: "green",
        groupName: "Green",
        results: [
          { date: today, exposures: 1 },
          { date: tomorrow, exposures: 2 },
        ],
      },
    ]);
  });

  test("200: lists the days without a first exposure since the start", async () => {
    server.clock.now = Math.ceil(server.clock.now / DAY_MS) * DAY_MS;
    const start = server.clock.now;
    const date = (days: number) => new Date(start + days * DAY_MS).toISOString().slice(0, 10);
    const experiment = await makeExperiment("seen now and then");
    server.clock.now = start + 3 * DAY_MS;
    const see = (userID: string, days: number) => configExposure(experiment.id, "blue", { userID }, start + days * DAY_MS);
    await log(see("a", 0), see("b", 3));
    const [blue] = await experiment.exposures();
    expect(blue?.results).toEqual([
      { date: date(0), exposures: 1 },
      { date: date(1), exposures: 1 },
      { date: date(2), exposures: 1 },
      { date: date(3), exposures: 2 },
    ]);
  });

  test("200: counts only units that the allocation assigned: no overrides, no other rules, no units without an id", async () => {
    const experiment = await makeExperiment("seen by few");
    const see = (ruleID: string, user: object) => configExposure(experiment.id, ruleID, user);
    await log(
      see("blue", { userID: "a" }),
      see("blue:userID:id_override", { userID: "b" }),
      see("layerAssignment", { userID: "c" }),
      see("", { userID: "d" }),
      see("blue", { userID: "" }),
      see("blue", { customIDs: { companyID: "acme" } }),
      see("blue", { userID: "ü".repeat(513) }),
      configExposure("nowhere", "blue", { userID: "e" }),
    );
    expect(await experiment.units()).toEqual([1, 0]);
  });

  test("200: counts units of the experiment's idType in any spelling", async () => {
    const experiment = await makeExperiment("seen by companies", { idType: "companyID" });
    const see = (userID: string, customIDs: object) => configExposure(experiment.id, "green", { userID, customIDs });
    await log(see("a", { companyID: "acme" }), see("b", { companyid: "acme" }), see("c", { COMPANYID: 7 }), see("d", { orgID: "acme" }));
    expect(await experiment.units()).toEqual([0, 2]);
  });

  test("200: counts units that a layer allocates to the experiment", async () => {
    const experiment = await makeExperiment("seen in a layer");
    const see = (userID: string, allocatedExperiment: string) => ({
      eventName: "statsig::layer_exposure",
      user: { userID },
      metadata: { config: "layer", ruleID: "blue", allocatedExperiment, parameterName: "p" },
    });
    await log(see("a", experiment.id), see("b", ""));
    expect(await experiment.units()).toEqual([1, 0]);
  });

  test("200: counts a unit once if two replicas log it concurrently, and keeps the time and fields of the first", async () => {
    const experiment = await makeExperiment("seen twice");
    server.clock.now += 10;
    const { now } = server.clock;
    const seen = (time: number) => {
      const user = { userID: "a", custom: { time } };
      return { events: [configExposure(experiment.id, "blue", user, time)] };
    };
    await Promise.all([
      intake.log("default", seen(now - 5), origin),
      intake.log("default", seen(now - 9), origin),
      intake.log("default", seen(now - 7), origin),
    ]);
    expect(await experiment.units()).toEqual([1, 0]);
    const rows = await storedRows(server.database, "experiment_exposure", { experimentID: experiment.id });
    const first = { firstTime: now - 9, environment: "", userFields: JSON.stringify({ custom: { time: now - 9 } }) };
    expect(rows).toEqual([{ projectID: "default", experimentID: experiment.id, groupID: "blue", unitID: "a", ...first }]);
  });

  test("200: includes exposures from evaluations on the server", async () => {
    const experiment = await makeExperiment("seen by the server");
    const user = { userID: "a" };
    const own = createEventIntake({ database: server.database, log: server.log, now: () => server.clock.now });
    for (let count = 0; count < 3; count++) {
      own.expose("default", {
        kind: "config",
        name: experiment.id,
        user,
        source: "ofrep",
        origin,
        evaluation: { ruleID: "green", secondaryExposures: [] },
      });
    }
    await own.close();
    expect(await experiment.units()).toEqual([0, 1]);
  });

  test("200: starts at zero after a reset, and if the experiment is recreated under its id", async () => {
    const experiment = await makeExperiment("reset once");
    const see = (userID: string) => log(configExposure(experiment.id, "blue", { userID }));
    await see("a");
    await server.client.patchExperiment({ path: experiment.path, body: { description: "changed" } });
    expect(await experiment.units()).toEqual([1, 0]);
    await server.client.resetExperiment({ path: experiment.path });
    // ClickHouse deletes shortly after the commit.
    await waitFor(async () => expect(await experiment.units()).toEqual([0, 0]));
    await server.client.startExperiment({ path: experiment.path, body: {} });
    await see("a");
    expect(await experiment.units()).toEqual([1, 0]);
    await server.client.deleteExperiment({ path: experiment.path, query: { forceArchive: true } });
    expect((await refusal(experiment.exposures())).status).toBe(404);
    const again = await makeExperiment("reset once");
    await waitFor(async () => expect([again.id, await again.units()]).toEqual([experiment.id, [0, 0]]));
  });
});
