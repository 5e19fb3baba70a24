import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeOtherProject } from "../support/other-project.ts";
import { invalid, refusal, startServer, type TestServer } from "../support/server.ts";
import { waitFor } from "../support/wait-for.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  server.clock.now = Math.ceil(server.clock.now / DAY_MS) * DAY_MS;
});
afterAll(() => server.close());

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
let value = 0;

async function makeGate(name: string, rules: number) {
  const body = {
    name,
    rules: Array.from({ length: rules }, (_, index) => ({ id: `r${index}`, name: `Rule ${index}`, passPercentage: 50, conditions: [] })),
  };
  const { id } = (await server.client.createGate({ body })).data;
  await waitFor(async () => {
    const { body } = await server.send("GET", "/v1/download_config_specs");
    expect(body.feature_gates.map((spec: { name: string }) => spec.name)).toContain(id);
  });
  return id;
}

async function check(gate: string, ...given: [ruleID: string, gateValue: string, tier?: string][]) {
  value += 1;
  const events = given.map(([ruleID, gateValue, tier], index) => ({
    eventName: "statsig::gate_exposure",
    user: { userID: `user ${index}`, ...(tier && { statsigEnvironment: { tier } }) },
    metadata: { gate, ruleID, gateValue, value },
    time: server.clock.now,
  }));
  await server.evaluation.logEvent({ body: { events } });
}
const read = async (id: string, query: object = {}) => (await server.client.getGateChecksByRule({ path: { id }, query })).data;

describe("getGateChecksByRule", () => {
  test("200: passes and fails of each rule by hour, of rules that exist, the most checked first", async () => {
    const id = await makeGate("by rule", 2);
    const start = server.clock.now;
    await check(
      id,
      ["r0", "true"],
      ["r0", "false"],
      ["r0", "false"],
      ["r1", "true"],
      ["invented", "true"],
      ["default", "false"],
      ["r1", ""],
    );
    server.clock.now += HOUR_MS;
    await check(id, ["r1", "true"], ["r1", "true"], ["r1", "false"]);
    const data = await read(id, { start });
    expect([data.start, data.end, data.interval]).toEqual([start, start + HOUR_MS, "hour"]);
    expect((await read(id, { start, end: server.clock.now + 1 })).rules.filter(({ ruleID }) => ruleID !== "default")).toEqual([
      {
        ruleID: "r1",
        ruleName: "Rule 1",
        passes: 3,
        fails: 1,
        points: [
          { time: start, passes: 1, fails: 0 },
          { time: start + HOUR_MS, passes: 2, fails: 1 },
        ],
      },
      { ruleID: "r0", ruleName: "Rule 0", passes: 1, fails: 2, points: [{ time: start, passes: 1, fails: 2 }] },
    ]);
    server.clock.now += HOUR_MS;
    const [byDay] = (await read(id, { interval: "day" })).rules;
    expect(byDay?.points).toEqual([{ time: Math.floor(start / DAY_MS) * DAY_MS, passes: 3, fails: 1 }]);
  });

  test("200: only checks in an environment, in any case; without one, users have that of the key", async () => {
    const id = await makeGate("by environment", 1);
    await check(id, ["r0", "true", "Staging"], ["r0", "true", "staging"], ["r0", "false"]);
    server.clock.now += HOUR_MS;
    const counts = async (environment: string) =>
      (await read(id, { environment })).rules.filter(({ ruleID }) => ruleID === "r0").map(({ passes, fails }) => [passes, fails]);
    expect([await counts("STAGING"), await counts("production"), await counts("nowhere")]).toEqual([[[2, 0]], [[0, 1]], []]);
  });

  test("200: shows the 100 rules with the most checks", async () => {
    const id = await makeGate("many rules", 120);
    await check(id, ...Array.from({ length: 120 }, (_, index): [string, string] => [`r${index}`, "true"]), ["r119", "true"]);
    server.clock.now += HOUR_MS;
    const { rules } = await read(id);
    expect([rules.length, rules[0]?.ruleID, rules[0]?.passes]).toEqual([100, "r119", 2]);
  });

  test("400: a range that is reversed or too long", async () => {
    const id = await makeGate("ranges", 1);
    const end = server.clock.now;
    const refused = (query: object) => refusal(server.client.getGateChecksByRule({ path: { id }, query }));
    expect(await refused({ start: end + 1, end })).toEqual(invalid(["start", "must not be later than end"]));
    expect(await refused({ start: end - 9 * DAY_MS })).toEqual(
      invalid(["start", "must be at most 8 days before end for intervals of one hour"]),
    );
  });

  test("404: an unknown gate", async () => {
    expect((await refusal(read("nowhere"))).status).toBe(404);
  });
});

describe("getChecksByEnvironment", () => {
  test("200: the checks of all gates in the current hour and the 23 before it, the environment with the most first", async () => {
    const [one, other] = [await makeGate("one of all", 1), await makeGate("other of all", 1)];
    // Further back than what other tests have counted.
    server.clock.now += 3 * DAY_MS;
    await check(one, ["r0", "true", "staging"]);
    server.clock.now += HOUR_MS;
    await check(one, ["r0", "true", "Staging"], ["r0", ""]);
    await check(other, ["r0", "true"], ["r0", "false"]);
    server.clock.now += 23 * HOUR_MS + 1;
    await check(other, ["r0", "true"]);
    const hours = (first: number, last: number) => [first, ...Array.from({ length: 22 }, () => 0), last];
    expect((await server.client.getChecksByEnvironment()).data).toEqual({
      start: server.clock.now - 1 - 23 * HOUR_MS,
      end: server.clock.now - 1 + HOUR_MS,
      environments: [
        { environment: "production", checks: 4, hours: hours(3, 1) },
        { environment: "staging", checks: 1, hours: hours(1, 0) },
      ],
    });
    const headers = { "SERVICE-API-KEY": await makeOtherProject(server) };
    expect((await server.send("GET", "/console/v1/gate_checks", { headers })).body.data.environments).toEqual([]);
  });
});
