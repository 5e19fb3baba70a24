import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { staleGates } from "../../src/jobs/stale-gates.ts";
import { startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const DAY_MS = 24 * 60 * 60 * 1000;
const detect = () => staleGates.run({ database: server.database, log: pino({ level: "silent" }), now: () => server.clock.now });

async function check(gate: string, gateValue: string, environment = "production") {
  const user = { userID: "a", statsigEnvironment: { tier: environment } };
  await server.evaluation.logEvent({ body: { events: [{ eventName: "statsig::gate_exposure", user, metadata: { gate, gateValue } }] } });
}

const readState = async (id: string) => {
  const { data } = await server.client.getGate({ path: { id } });
  return [data.type, data.typeReason, data.version];
};

describe("the detection of stale gates", () => {
  test("finds a gate that was unchanged for 30 days, makes no version of it, keeps its type, and ends when it changes", async () => {
    const { data } = await server.client.createGate({ body: { name: "left alone" } });
    server.clock.now += 30 * DAY_MS - 1;
    await detect();
    expect(await readState(data.id)).toEqual(["TEMPORARY", "NONE", 1]);
    server.clock.now += 1;
    await detect();
    expect(await readState(data.id)).toEqual(["TEMPORARY", "STALE_PROBABLY_DEAD_CHECK", 1]);
    await detect();
    expect(await readState(data.id)).toEqual(["TEMPORARY", "STALE_PROBABLY_DEAD_CHECK", 1]);
    expect((await server.client.listGateVersions({ path: { id: data.id } })).data).toMatchObject([{ version: 1, typeReason: "NONE" }]);
    const found = async (query: NonNullable<NonNullable<Parameters<typeof server.client.listGates>[0]>["query"]>) => {
      const { data: gates, pagination } = await server.client.listGates({ query });
      return [gates.map(({ id }) => id), pagination.totalItems];
    };
    const reasons = ["STALE_PROBABLY_DEAD_CHECK" as const];
    expect(await found({ type: ["STALE"], typeReason: reasons })).toEqual([[data.id], 1]);
    expect(await found({ type: ["TEMPORARY"], typeReason: reasons })).toEqual([[data.id], 1]);
    expect(await found({ type: ["PERMANENT"], typeReason: reasons })).toEqual([[], 0]);
    await server.client.patchGate({ path: { id: data.id }, body: { description: "needed" } });
    expect(await readState(data.id)).toEqual(["TEMPORARY", "NONE", 2]);
    expect(await found({ type: ["STALE"] })).toEqual([[], 0]);
    const { data: changes } = await server.client.listChanges({ query: { entityType: "gate", entityID: data.id } });
    expect(changes[0]?.fields.map(({ field }) => field)).toEqual(["description"]);
  });

  test("is undone by another entity's write that changes the gate, such as the assignment of a target app", async () => {
    const { data } = await server.client.createGate({ body: { name: "given an app" } });
    server.clock.now += 30 * DAY_MS;
    await detect();
    await server.client.createTargetApp({ body: { name: "an app", gates: [data.id] } });
    expect(await readState(data.id)).toEqual(["TEMPORARY", "NONE", 2]);
  });

  test("ignores permanent, archived and referenced gates, and marks a gate once nothing references it", async () => {
    const make = async (name: string, more: object = {}) => (await server.client.createGate({ body: { name, ...more } })).data.id;
    const permanent = await make("permanent one", { type: "PERMANENT" });
    const archived = await make("archived one");
    await server.client.archiveGate({ path: { id: archived } });
    const targeted = await make("targeted one");
    const conditions = [{ type: "passes_gate", targetValue: targeted }];
    const referrer = await make("referrer", { rules: [{ name: "r", passPercentage: 5, conditions }] });
    server.clock.now += 31 * DAY_MS;
    await detect();
    expect([await readState(permanent), await readState(archived), await readState(targeted)]).toEqual([
      ["PERMANENT", "NONE", 1],
      ["TEMPORARY", "NONE", 2],
      ["TEMPORARY", "NONE", 1],
    ]);
    await server.client.deleteGate({ path: { id: referrer } });
    await detect();
    expect(await readState(targeted)).toEqual(["TEMPORARY", "STALE_PROBABLY_DEAD_CHECK", 1]);
  });

  test("derives the reason of a stale gate that is still checked from its checks and rules", async () => {
    const make = async (name: string, more: object) => (await server.client.createGate({ body: { name, ...more } })).data.id;
    const half = [{ name: "half", passPercentage: 50, conditions: [] }];
    const all = { name: "all", passPercentage: 100, conditions: [] };
    const none = { name: "none", passPercentage: 0, conditions: [] };
    const cases: [string, object, string[], string][] = [
      ["launched rule", { rules: [all] }, ["true"], "STALE_PROBABLY_LAUNCHED"],
      ["launched but in staging", { rules: [all], disabledEnvironments: ["staging"] }, ["true"], "STALE_ALL_TRUE"],
      ["unlaunched rule", { rules: [none] }, ["false"], "STALE_PROBABLY_UNLAUNCHED"],
      ["switched off", { isEnabled: false, rules: half }, ["false"], "STALE_PROBABLY_UNLAUNCHED"],
      ["switched off before launched", { isEnabled: false, rules: [all] }, ["false"], "STALE_PROBABLY_UNLAUNCHED"],
      ["without rules", { rules: [] }, ["false"], "STALE_NO_RULES"],
      ["with disabled rules", { rules: [{ ...all, isEnabled: false }] }, ["false"], "STALE_NO_RULES"],
      ["disabled before launched", { rules: [{ ...none, isEnabled: false }, all] }, ["true"], "STALE_PROBABLY_LAUNCHED"],
      ["always true", { rules: half }, ["true", "true"], "STALE_ALL_TRUE"],
      ["always false", { rules: half }, ["false"], "STALE_ALL_FALSE"],
      ["always empty", { rules: half }, [""], "STALE_EMPTY_CHECKS"],
      ["forgotten", { rules: half }, ["true", "false"], "STALE_PROBABLY_FORGOTTEN"],
    ];
    const ids = [];
    for (const [name, more, values] of cases) {
      const id = await make(name, more);
      ids.push(id);
      for (const value of values) await check(id, value);
    }
    server.clock.now += 22 * DAY_MS;
    for (const [index, [, , values]] of cases.entries()) for (const value of values) await check(ids[index] ?? "", value);
    server.clock.now += 9 * DAY_MS;
    await detect();
    const reasons = [];
    for (const id of ids) reasons.push((await readState(id))[1]);
    expect(reasons).toEqual(cases.map(([, , , reason]) => reason));
  });

  test("ignores a gate whose checks had several outcomes in the last 7 days, and finds it once they had one", async () => {
    const rules = [{ name: "all", passPercentage: 100, conditions: [] }];
    const { data } = await server.client.createGate({ body: { name: "in use", rules } });
    await check(data.id, "true");
    server.clock.now += 31 * DAY_MS;
    for (const value of ["true", "false"]) await check(data.id, value);
    await detect();
    expect(await readState(data.id)).toEqual(["TEMPORARY", "NONE", 1]);
    server.clock.now += 8 * DAY_MS;
    await check(data.id, "true");
    await detect();
    expect(await readState(data.id)).toEqual(["TEMPORARY", "STALE_PROBABLY_LAUNCHED", 1]);
    await check(data.id, "false");
    await detect();
    expect(await readState(data.id)).toEqual(["TEMPORARY", "NONE", 1]);
  });

  test("ignores a gate that was first checked less than 30 days ago", async () => {
    const { data } = await server.client.createGate({ body: { name: "recently used" } });
    server.clock.now += 29 * DAY_MS;
    await check(data.id, "true");
    server.clock.now += 2 * DAY_MS;
    await detect();
    expect(await readState(data.id)).toEqual(["TEMPORARY", "NONE", 1]);
  });
});

describe("getGateChecks", () => {
  test("200: whether production checked the gate within 7 days; null for an unchecked new gate", async () => {
    const { data: gate } = await server.client.createGate({ body: { name: "checked" } });
    const path = { id: gate.id };
    const lately = async () => (await server.client.getGateChecks({ path })).data.has_production_checks_in_last_7_days;
    expect(await lately()).toBeNull();
    await check(gate.id, "true", "staging");
    expect(await lately()).toBeNull();
    await check(gate.id, "true", "Production");
    expect(await lately()).toBe(true);
    server.clock.now += 8 * DAY_MS;
    expect(await lately()).toBe(false);
    await check(gate.id, "true", "");
    expect(await lately()).toBe(true);
  });
});

describe("deleteGate", () => {
  test("200: deletes the gate's checks, so that a gate recreated under its id has none", async () => {
    const make = async () => (await server.client.createGate({ body: { name: "checked before", tags: ["reborn"] } })).data.id;
    const id = await make();
    await check(id, "true");
    await server.client.deleteGate({ path: { id } });
    await make();
    expect((await server.client.getGateChecks({ path: { id } })).data.has_production_checks_in_last_7_days).toBeNull();
    expect((await server.client.listGates({ query: { tags: ["reborn"], passRate: ["100"] } })).data).toEqual([]);
  });
});

describe("listGates", () => {
  test("200: by the rate of checks that passed within 30 days", async () => {
    const make = async (name: string, ...values: string[]) => {
      const { data } = await server.client.createGate({ body: { name, tags: ["rated"] } });
      for (const value of values) await check(data.id, value);
    };
    await make("never checked");
    await make("all passed", "true", "true");
    await make("none passed", "false", "");
    await make("some passed", "true", "false");
    const list = async (...passRate: ("0" | "100" | "INBETWEEN")[]) =>
      (await server.client.listGates({ query: { tags: ["rated"], passRate } })).data.map(({ name }) => name);
    expect([await list("0"), await list("100"), await list("INBETWEEN")]).toEqual([["none passed"], ["all passed"], ["some passed"]]);
    expect(await list("0", "100")).toEqual(["all passed", "none passed"]);
  });
});
