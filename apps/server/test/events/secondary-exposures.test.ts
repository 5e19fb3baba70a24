import { hashName } from "@gatehouse/evaluation";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startServer, type TestServer } from "../support/server.ts";
import { storedRows } from "../support/stored-rows.ts";
import { waitFor } from "../support/wait-for.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const { now } = { now: 1_763_700_000_000 };
const RULE = { id: "half", name: "half", passPercentage: 50, conditions: [] };
let value = 0;
beforeEach(() => {
  value += 1;
});

/** A gate and a holdout that the server's rulesets have. */
async function make(name: string, gate: object = {}) {
  const { client } = server;
  const { id } = (await client.createGate({ body: { name, rules: [RULE], ...gate } })).data;
  const holdout = (await client.createHoldout({ body: { name: `${name} holdout`, passPercentage: 5, gateIDs: [id] } })).data;
  await waitFor(async () => {
    const { body } = await server.send("GET", "/v1/download_config_specs");
    const names = body.feature_gates.map((spec: { name: string }) => spec.name);
    expect(names).toEqual(expect.arrayContaining([id, holdout.id]));
  });
  return { id, holdoutID: holdout.id, share: `${holdout.id}:5.00:1` };
}

const exposure = (gate: string, userID: string, secondaryExposures: unknown, gateValue = "true") => ({
  eventName: "statsig::gate_exposure",
  user: { userID, email: `${userID}@example.com` },
  metadata: { gate, gateValue, ruleID: "half", value },
  secondaryExposures,
});
const log = (...events: object[]) => server.evaluation.logEvent({ body: { events } as never });
const readRows = async (entityID: string) => {
  const rows = await storedRows(server.database, "check_exposure", { entityID });
  const toKey = ({ unitID, passed, environment }: (typeof rows)[number]) => `${unitID} ${passed} ${environment}`;
  return rows.sort((a, b) => toKey(a).localeCompare(toKey(b)));
};
const readChecks = async (gateID: string) => {
  const rows = await server.database.prisma.gateChecks.findMany({ where: { gateID } });
  return rows.map(({ passes, fails, empties }) => [passes, fails, empties].map(Number));
};

describe("secondaryExposures of an event", () => {
  test("count as checks of gates and as exposures of units to gates and holdouts, once each", async () => {
    const { id, holdoutID, share } = await make("depended on");
    const list = [
      { gate: id, gateValue: "false", ruleID: "half" },
      { gate: holdoutID, gateValue: "false", ruleID: share },
      { gate: id, gateValue: "false", ruleID: "half" },
      { gate: "nowhere", gateValue: "true", ruleID: "half" },
    ];
    await log(
      exposure("nowhere", "a", list),
      exposure(id, "b", list, "true"),
      { ...exposure("", "c", list), eventName: "statsig::config_exposure", metadata: { config: "c", ruleID: "r" } },
      { ...exposure("", "d", list), eventName: "purchase" },
    );
    expect(await readChecks(id)).toEqual([[1, 2, 0]]);
    const common = { projectID: "default", firstTime: now, environment: "production" };
    const gate = { ...common, entityType: "gate", entityID: id, ruleID: "half" };
    const fields = (userID: string) => ({ unitID: userID, userFields: JSON.stringify({ email: `${userID}@example.com` }) });
    expect(await readRows(id)).toEqual([
      { ...gate, passed: false, ...fields("a") },
      { ...gate, passed: true, ...fields("b") },
      { ...gate, passed: false, ...fields("c") },
    ]);
    const held = { ...common, entityType: "holdout", entityID: holdoutID, ruleID: share, passed: false };
    expect(await readRows(holdoutID)).toEqual(["a", "b", "c"].map((unit) => ({ ...held, ...fields(unit) })));
    expect(await readRows("nowhere")).toEqual([]);
    const [stored] = await storedRows(server.database, "event", { userID: "a", exposed: "nowhere" });
    expect(JSON.parse(String(stored?.secondaryExposures))).toEqual([list[0], list[1], list[3]]);
  });

  test("count under their names even if client SDKs send hashes", async () => {
    const { id, holdoutID, share } = await make("hashed names");
    await log(
      exposure("nowhere", "a", [
        { gate: hashName(id, "djb2"), gateValue: "true", ruleID: "half" },
        { gate: hashName(holdoutID, "sha256"), gateValue: "true", ruleID: share },
      ]),
    );
    expect((await readRows(id)).map(({ passed }) => passed)).toEqual([true]);
    expect((await readRows(holdoutID)).map(({ passed }) => passed)).toEqual([true]);
  });

  test("count for evaluations on the server", async () => {
    const { id, holdoutID } = await make("evaluated here");
    await server.send("POST", "/v1/check_gate", { body: { gateName: id, user: { userID: "a" } } });
    await server.send("POST", `/ofrep/v1/evaluate/flags/${id}`, { body: { context: { targetingKey: "b", plan: "pro" } } });
    const rows = await waitFor(async () => {
      const found = await readRows(holdoutID);
      expect(found).toHaveLength(2);
      return found;
    });
    expect(rows.map(({ unitID, environment, userFields }) => [unitID, environment, userFields])).toEqual([
      ["a", "production", null],
      ["b", "production", '{"custom":{"plan":"pro"}}'],
    ]);
  });
});

describe("exposures of units to a gate", () => {
  test("keep each rule and outcome that a unit saw in an environment, with the first time and fields", async () => {
    const { id } = await make("seen again");
    const at = (time: number, gateValue: string, tier: string) => ({
      ...exposure(id, "a", null, gateValue),
      user: { userID: "a", custom: { time }, statsigEnvironment: { tier } },
      time: now + time,
    });
    await log(at(-5, "true", "live"), at(-7, "true", "live"), at(-3, "false", "live"), at(-8, "true", "test"));
    await log(at(-9, "true", "live"), at(-1, "true", "live"), at(-2, "false", "live"), at(-6, "true", "test"));
    expect(
      (await readRows(id)).map(({ passed, firstTime, ...row }) => [passed, Number(firstTime) - now, row.environment, row.userFields]),
    ).toEqual([
      [false, -3, "live", '{"custom":{"time":-3}}'],
      [true, -9, "live", '{"custom":{"time":-9}}'],
      [true, -8, "test", '{"custom":{"time":-8}}'],
    ]);
  });

  test("are kept for rules of the gate that measure, and for no rules that clients invent", async () => {
    const { id } = await make("rules that exist");
    const quiet = await make("without results", { measureMetricLifts: false });
    const by = (gate: string, ruleID: string) => ({
      ...exposure(gate, ruleID, null),
      metadata: { gate, gateValue: "true", ruleID, value },
    });
    await log(...["half", "invented", "default", "pass:all:id_override"].map((rule) => by(id, rule)), by(quiet.id, "half"));
    expect((await readRows(id)).map(({ ruleID }) => ruleID)).toEqual(["half"]);
    expect(await readRows(quiet.id)).toEqual([]);
  });

  test("are deleted with the gate or holdout", async () => {
    const { id, holdoutID, share } = await make("deleted soon");
    await log(exposure(id, "a", [{ gate: holdoutID, gateValue: "true", ruleID: share }]));
    expect([(await readRows(id)).length, (await readRows(holdoutID)).length]).toEqual([1, 1]);
    await server.client.deleteHoldout({ path: { id: holdoutID } });
    await server.client.deleteGate({ path: { id } });
    // ClickHouse deletes shortly after the commit.
    await waitFor(async () => expect([await readRows(id), await readRows(holdoutID)]).toEqual([[], []]));
    expect(await server.database.prisma.gateRuleChecks.findMany({ where: { gateID: id } })).toEqual([]);
  });
});

describe("getExperimentCumulativeExposures", () => {
  test("200: counts units whose client SDK knows the experiment by a hash", async () => {
    const groups = [
      { id: "blue", name: "Blue", size: 50 },
      { id: "green", name: "Green", size: 50 },
    ];
    const body = { name: "hashed experiment", groups, allocation: 100, status: "active" as const };
    const { id } = (await server.client.createExperiment({ body })).data;
    const allocatedExperiment = hashName(id, "djb2");
    const metadata = { config: "layer", ruleID: "blue", allocatedExperiment };
    await waitFor(async () => {
      value += 1;
      await log({ eventName: "statsig::layer_exposure", user: { userID: "a" }, metadata: { ...metadata, value } });
      const { data } = await server.client.getExperimentCumulativeExposures({ path: { id } });
      expect(data.map(({ results }) => results.at(-1)?.exposures ?? 0)).toEqual([1, 0]);
    });
  });
});
