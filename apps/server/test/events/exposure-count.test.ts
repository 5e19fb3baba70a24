import { createConsoleClient } from "@gatehouse/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventRetention } from "../../src/jobs/event-retention.ts";
import { makeOtherProject } from "../support/other-project.ts";
import { pulseOn } from "../support/pulse.ts";
import { invalid, refusal, startServer, type TestServer } from "../support/server.ts";

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  server.clock.now = Math.ceil(server.clock.now / HOUR_MS) * HOUR_MS + 20 * 60_000;
});
afterAll(() => server.close());

type Query = NonNullable<Parameters<TestServer["client"]["getExposureCount"]>[0]>["query"];
const count = async (query: Query) => (await server.client.getExposureCount({ query })).data;

let value = 0;
/** Logs events that all differ, so that none counts as a repeat of another. */
async function log(...events: object[]) {
  value += 1;
  const time = server.clock.now;
  await server.evaluation.logEvent({ body: { events: events.map((event) => ({ user: { userID: "a" }, value, time, ...event })) } });
}
const shown = (config: string, ruleID = "", more: object = {}) => ({
  eventName: "statsig::config_exposure",
  metadata: { config, ruleID },
  ...more,
});
const inLayer = (allocatedExperiment: string) => ({
  eventName: "statsig::layer_exposure",
  metadata: { config: "layer", ruleID: "blue", allocatedExperiment },
});
const checked = (gate: string, gateValue: string, environment = "production") => ({
  eventName: "statsig::gate_exposure",
  user: { userID: "a", statsigEnvironment: { tier: environment } },
  metadata: { gate, gateValue, ruleID: "r" },
});

/** Exposures of the current hour alone. */
const now = (exposures: number) => ({ pastDay: exposures, past7Days: exposures, hours: [...Array(23).fill(0), exposures] });

const makeExperiment = (name: string) => pulseOn(server).experiment(name);
const makeGate = async (name: string) => (await server.client.createGate({ body: { name } })).data.id;
const makeConfig = async (name: string) => (await server.client.createDynamicConfig({ body: { name } })).data.id;

describe("getExposureCount", () => {
  test("counts every exposure of an experiment, gate and dynamic config, in the order of the request", async () => {
    const [first, second] = [await makeExperiment("first"), await makeExperiment("second")];
    const [gate, config] = [await makeGate("a gate"), await makeConfig("a config")];
    // A user in no group also sees the experiment, and a repeated event is the same one.
    await log(shown(first, "control"), shown(first, "test"), shown(first), inLayer(first), shown(config), shown("nothing"));
    await log(checked(gate, "true"), checked(gate, "false", "staging"), checked(gate, ""), shown(second, "control"));
    const time = server.clock.now;
    const once = {
      events: [{ eventName: "statsig::config_exposure", user: { userID: "b" }, metadata: { config, statsigMetadata: "x" }, time }],
    };
    await server.evaluation.logEvent({ body: once });
    await server.evaluation.logEvent({ body: once });
    expect(await count({ experiments: [second, first, second], gates: [gate], dynamicConfigs: [config] })).toEqual({
      experiments: [
        { id: second, ...now(1) },
        { id: first, ...now(4) },
      ],
      gates: [{ id: gate, ...now(3) }],
      dynamicConfigs: [{ id: config, ...now(2) }],
    });
  });

  test("takes one id as it takes several, and none at all", async () => {
    const id = await makeGate("alone");
    const { body } = await server.send("GET", `/console/v1/exposure_count?gates=${id}`);
    expect(body).toEqual({
      message: "Exposure count fetched successfully.",
      data: { experiments: [], gates: [{ id, ...now(0) }], dynamicConfigs: [] },
    });
    expect(await count({})).toEqual({ experiments: [], gates: [], dynamicConfigs: [] });
  });

  test("counts the exposures of the current hour and of each of the 23 hours before it", async () => {
    const experiment = await makeExperiment("by hour");
    await log(shown(experiment, "control"), shown(experiment, "test"));
    server.clock.now += HOUR_MS;
    await log(shown(experiment, "control"));
    const hours = async () => (await count({ experiments: [experiment] })).experiments[0]?.hours;
    expect(await hours()).toEqual([...Array(22).fill(0), 2, 1]);
    server.clock.now += 22 * HOUR_MS;
    expect(await hours()).toEqual([2, 1, ...Array(22).fill(0)]);
    server.clock.now += HOUR_MS;
    expect(await hours()).toEqual([1, ...Array(23).fill(0)]);
  });

  test("leaves out an exposure once the hour is over that was 24 hours or 7 days ago when it happened", async () => {
    const [experiment, gate, config] = [await makeExperiment("old"), await makeGate("old gate"), await makeConfig("old config")];
    await log(shown(experiment, "control"), checked(gate, "true"), shown(config));
    const start = server.clock.now;
    const at = async (time: number) => {
      server.clock.now = time;
      const { experiments, gates, dynamicConfigs } = await count({ experiments: [experiment], gates: [gate], dynamicConfigs: [config] });
      return [...experiments, ...gates, ...dynamicConfigs].map(({ pastDay, past7Days }) => [pastDay, past7Days]);
    };
    const thrice = (counts: number[]) => [counts, counts, counts];
    const end = start + 40 * 60_000;
    expect(await at(end + DAY_MS - 1)).toEqual(thrice([1, 1]));
    expect(await at(end + DAY_MS)).toEqual(thrice([0, 1]));
    expect(await at(end + 7 * DAY_MS - 1)).toEqual(thrice([0, 1]));
    expect(await at(end + 7 * DAY_MS)).toEqual(thrice([0, 0]));
  });

  test("counts an exposure that a device dates in the future when it arrives", async () => {
    const id = await makeExperiment("of the future");
    await log(shown(id, "control", { time: server.clock.now + 3 * DAY_MS }));
    expect((await count({ experiments: [id] })).experiments).toEqual([{ id, ...now(1) }]);
  });

  test("lists every ID that does not exist, with its place", async () => {
    const id = await makeGate("exists");
    expect(await refusal(count({ gates: [id, "absent", "absent"], experiments: ["absent"], dynamicConfigs: [id] }))).toEqual(
      invalid(
        ["experiments[0]", "names the experiment absent, which does not exist"],
        ["gates[1]", "names the gate absent, which does not exist"],
        ["dynamicConfigs[0]", `names the dynamic config ${id}, which does not exist`],
      ),
    );
  });

  test("does not see another project's entities", async () => {
    const other = createConsoleClient({ baseUrl: server.url, apiKey: await makeOtherProject(server) });
    const [gate, shared] = [await makeGate("only here"), await makeGate("in both")];
    await other.createGate({ body: { name: "in both" } });
    await log(checked(gate, "true"), checked(shared, "true"));
    expect(await refusal(other.getExposureCount({ query: { gates: [gate] } }))).toEqual(
      invalid(["gates[0]", `names the gate ${gate}, which does not exist`]),
    );
    expect((await other.getExposureCount({ query: { gates: [shared] } })).data.gates).toEqual([{ id: shared, ...now(0) }]);
  });

  test("takes at most 25 ids of a kind", async () => {
    const gates = Array.from({ length: 26 }, (_, index) => `gate ${index}`);
    expect(await refusal(count({ gates }))).toEqual(invalid(["gates", expect.stringContaining("25")]));
  });

  test("drops the counts of a deleted experiment when another one gets its ID, and keeps those of a reset one", async () => {
    const id = await makeExperiment("reborn");
    await log(shown(id, "control"));
    await server.client.resetExperiment({ path: { id } });
    expect((await count({ experiments: [id] })).experiments).toEqual([{ id, ...now(1) }]);
    await server.client.deleteExperiment({ path: { id } });
    expect(await makeExperiment("reborn")).toBe(id);
    expect((await count({ experiments: [id] })).experiments).toEqual([{ id, ...now(0) }]);
  });

  test("does not keep counts of experiments for ever", async () => {
    const id = await makeExperiment("of long ago");
    await log(shown(id, "control"));
    server.clock.now += 91 * DAY_MS;
    await eventRetention(30).run(pulseOn(server).env());
    expect(await server.database.prisma.$queryRaw`select * from experiment_checks where "experimentID" = ${id}`).toEqual([]);
  });
});
