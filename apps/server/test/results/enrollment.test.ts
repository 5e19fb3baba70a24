import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { experimentHealth } from "../../src/jobs/experiment-health.ts";
import { DAY_MS, HOUR_MS, pulseOn } from "../support/pulse.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { storedRows } from "../support/stored-rows.ts";
import { waitFor } from "../support/wait-for.ts";

// Units that enter an experiment: those of its groups, in production, since the start.

let server: TestServer;
let pulse: ReturnType<typeof pulseOn>;
beforeAll(async () => {
  server = await startServer();
  pulse = pulseOn(server);
});
afterAll(() => server.close());

const MINUTE_MS = 60 * 1000;
const HALF = { name: "half", passPercentage: 50, conditions: [{ type: "public" as const }] };
const WINDOW_OF_A_DAY = {
  type: "user_warehouse",
  warehouseNative: {
    aggregation: "sum",
    rollupTimeWindow: "custom",
    customRollUpStart: 0,
    customRollUpEnd: 0,
    waitForCohortWindow: true,
  },
};
let made = 0;

/** An experiment that measures purchases and has started a minute ago. */
async function begin(given: object = {}) {
  made += 1;
  const name = `enrollment ${made}`;
  const { type } = await pulse.metric(name);
  const id = await pulse.experiment(name, { primaryMetrics: [{ name, type }], ...given });
  const startTime = server.clock.now;
  server.clock.now += MINUTE_MS;
  return { id, path: { id }, startTime };
}

type Seen = { unit?: string; group?: string; time?: number; environment?: string; user?: object };

const exposure = (id: string, { unit = "u", group = "control", time = server.clock.now, environment = "production", user }: Seen) => ({
  eventName: "statsig::config_exposure",
  user: user ?? { userID: unit, statsigEnvironment: { tier: environment } },
  metadata: { config: id, ruleID: group },
  time,
});

/** Logs each exposure in a separate batch. */
async function see(id: string, ...exposures: Seen[]) {
  for (const one of exposures) await server.evaluation.logEvent({ body: { events: [exposure(id, one)] } });
}

/** Units `prefix 0`, `prefix 1` and so on. */
const several = (count: number, prefix: string, seen: Seen = {}): Seen[] =>
  Array.from({ length: count }, (_, index) => ({ unit: `${prefix} ${index}`, ...seen }));

/** The units of both groups in the chart of exposures, and in results. */
async function count(id: string) {
  const chart = (await server.client.getExperimentCumulativeExposures({ path: { id } })).data;
  server.clock.now += MINUTE_MS;
  await pulse.load(id);
  const { primaryMetrics } = await pulse.results(id);
  const [{ controlUnits = 0, testUnits = 0 } = {}] = primaryMetrics;
  return { chart: chart.map(({ results }) => results.at(-1)?.exposures ?? 0), results: [controlUnits, testUnits] };
}

describe("the environment of an exposure", () => {
  test.each([
    ["before", false],
    ["after", true],
  ])("a unit that saw a group in staging earlier counts in production, if staging arrives %s it", async (_, isLater) => {
    const { id } = await begin();
    const time = server.clock.now;
    const staging = several(5, "u", { environment: "staging", time: time - 1_000 });
    const production = several(5, "u", { time });
    await see(
      id,
      ...(isLater ? [...production, ...staging] : [...staging, ...production]),
      ...several(3, "tester", { environment: "staging" }),
    );
    expect(await count(id)).toEqual({ chart: [5, 0], results: [5, 0] });
  });

  test("a unit in two groups of different environments is in one group of production", async () => {
    const { id } = await begin();
    await see(id, { unit: "a" }, { unit: "a", group: "test", environment: "staging" });
    expect(await count(id)).toEqual({ chart: [1, 0], results: [1, 0] });
  });

  test("a unit that two production environments know counts once in results and in health", async () => {
    const { id, path } = await begin();
    await see(id, { unit: "a" }, { unit: "a", user: { userID: "a" } });
    expect((await count(id)).results).toEqual([1, 0]);
    const { healthChecks } = (await server.client.getExperiment({ path })).data;
    expect(healthChecks[0]?.description).toBe("1 unit has seen a group.");
    expect(healthChecks.find(({ type }) => type === "has_crossover")?.metadata?.crossoverPercent).toBe(0);
  });
});

describe("a disabled group", () => {
  test("takes no more units, and keeps those that saw it before, whenever that arrives", async () => {
    const { id, path } = await begin();
    await see(id, ...several(3, "before", { group: "test" }), ...several(4, "control"));
    const late = server.clock.now;
    server.clock.now += MINUTE_MS;
    await server.client.disableExperimentGroups({ path, body: { group_names: ["test"] } });
    await see(id, ...several(2, "late", { group: "test", time: late }));
    server.clock.now += MINUTE_MS;
    await see(
      id,
      ...several(5, "after", { group: "test" }),
      ...several(6, "disabled", { group: "test:disabled" }),
      ...several(2, "others"),
    );
    expect(await count(id)).toEqual({ chart: [6, 5], results: [6, 5] });
  });

  test("takes units again once it is enabled", async () => {
    const { id, path } = await begin();
    await server.client.disableExperimentGroups({ path, body: { group_names: ["test"] } });
    await see(id, ...several(5, "while", { group: "test" }));
    server.clock.now += MINUTE_MS;
    await server.client.enableExperimentGroups({ path, body: { group_names: ["test"] } });
    await see(id, ...several(2, "after", { group: "test" }));
    expect(await count(id)).toEqual({ chart: [0, 2], results: [0, 2] });
  });

  test("gives its users no group when the server evaluates", async () => {
    const { id, path } = await begin();
    await server.client.disableExperimentGroups({ path, body: { group_names: ["control", "test"] } });
    await waitFor(async () => {
      const { rule_id, group_name } = await server.evaluation.getConfigValue({ body: { configName: id, user: { userID: "u" } } });
      expect([rule_id, group_name]).toEqual([expect.stringMatching(/^(control|test):disabled$/), null]);
    });
  });
});

describe("the time of an exposure", () => {
  test("before the start is a wrong clock: the unit counts from the arrival on, and the chart begins with the start", async () => {
    const { id, startTime } = await begin();
    const early = [startTime - 1, startTime - MINUTE_MS, 0].map((time, index) => ({ unit: `early ${index}`, time }));
    await see(id, ...early, ...several(2, "on time"));
    const { data } = await server.client.getExperimentCumulativeExposures({ path: { id } });
    expect(data[0]?.results).toEqual([{ date: new Date(startTime).toISOString().slice(0, 10), exposures: 5 }]);
    expect((await count(id)).results).toEqual([5, 0]);
  });

  test.each([
    ["older than 30 days at its arrival", -30 * DAY_MS - 1],
    ["ahead of its arrival", 5 * DAY_MS],
  ])("that is %s is that of the arrival", async (_, away) => {
    const { id } = await begin();
    server.clock.now += 40 * DAY_MS;
    const { now } = server.clock;
    await see(id, { unit: "a", time: now + away }, { unit: "b", time: now - 30 * DAY_MS });
    const rows = await storedRows(server.database, "experiment_exposure", { experimentID: id });
    expect(Object.fromEntries(rows.map(({ unitID, firstTime }) => [unitID, firstTime]))).toEqual({ a: now, b: now - 30 * DAY_MS });
  });

  test("of a gate that is older than 30 days at its arrival is that of the arrival", async () => {
    const gate = { name: `gate ${made}`, measureMetricLifts: true, rules: [HALF] };
    const { id, rules } = (await server.client.createGate({ body: gate })).data;
    await waitFor(async () => {
      const { body } = await server.send("GET", "/v1/download_config_specs");
      expect(body.feature_gates.map((spec: { name: string }) => spec.name)).toContain(id);
    });
    const { now } = server.clock;
    const metadata = { gate: id, gateValue: "true", ruleID: rules[0]?.id };
    await server.evaluation.logEvent({
      body: { events: [{ eventName: "statsig::gate_exposure", user: { userID: "u" }, metadata, time: 0 }] },
    });
    expect(await storedRows(server.database, "check_exposure", { entityID: id })).toMatchObject([{ unitID: "u", firstTime: now }]);
  });

  test("in a former run leaves the exposure out, and the unit counts once it sees its group again", async () => {
    const { id, path } = await begin();
    await see(id, ...several(3, "former"));
    const former = server.clock.now;
    server.clock.now += MINUTE_MS;
    await server.client.resetExperiment({ path });
    server.clock.now += MINUTE_MS;
    await see(id, ...several(2, "in set-up", { time: former }), ...several(2, "unknown"));
    await server.client.startExperiment({ path, body: {} });
    server.clock.now += MINUTE_MS;
    await see(id, ...several(3, "former", { time: former }), ...several(2, "former", { group: "test" }));
    await waitFor(async () => expect((await count(id)).chart).toEqual([0, 2]));
    expect((await count(id)).results).toEqual([0, 2]);
    await see(id, ...several(2, "in set-up"), ...several(2, "unknown"));
    expect(await count(id)).toEqual({ chart: [4, 2], results: [4, 2] });
  });
});

describe("an experiment whose assignment has stopped", () => {
  const stop = (id: string) => server.client.patchExperiment({ path: { id }, body: { status: "assignment_stopped" } });

  test("takes no more units, and what its units do counts until the end", async () => {
    const { id, path } = await begin();
    const buy = (unit: string, value: number) => ({ eventName: "buy", user: { userID: unit }, value, time: server.clock.now });
    await see(id, ...several(10, "in"));
    server.clock.now += MINUTE_MS;
    const { data } = await stop(id);
    expect(data).toMatchObject({ assignmentStopTime: server.clock.now, endTime: null });
    server.clock.now += DAY_MS;
    await see(id, ...several(10, "out"), ...several(10, "in"));
    await server.evaluation.logEvent({ body: { events: [buy("in 0", 7), buy("out 0", 50)] } });
    expect(await count(id)).toEqual({ chart: [10, 0], results: [10, 0] });
    await server.client.patchExperiment({ path, body: { status: "experiment_stopped" } });
    server.clock.now += MINUTE_MS;
    await server.evaluation.logEvent({ body: { events: [buy("in 1", 90)] } });
    await pulse.load(id);
    expect((await pulse.results(id)).primaryMetrics[0]).toMatchObject({ controlUnits: 10, controlTotal: 7 });
  });

  test("completes the windows of its units", async () => {
    const name = `window ${made}`;
    const { type } = await pulse.metric(name, WINDOW_OF_A_DAY);
    const { id } = await begin({ primaryMetrics: [{ name, type }] });
    await see(id, ...several(10, "in"));
    await stop(id);
    expect((await count(id)).results).toEqual([0, 0]);
    server.clock.now += DAY_MS;
    expect((await count(id)).results).toEqual([10, 0]);
  });

  test("takes units for `allocationDuration` days at most", async () => {
    const { id } = await begin({ allocationDuration: 2 });
    server.clock.now += 2 * DAY_MS - 2 * MINUTE_MS;
    await see(id, ...several(3, "in time"));
    server.clock.now += 2 * MINUTE_MS;
    await see(id, ...several(4, "too late"));
    expect(await count(id)).toEqual({ chart: [3, 0], results: [3, 0] });
  });
});

describe("the health of an experiment", () => {
  const readChecks = async (id: string) => {
    server.clock.now += HOUR_MS;
    await experimentHealth.run(pulse.env());
    const { healthChecks } = (await server.client.getExperiment({ path: { id } })).data;
    return healthChecks.filter(({ metadata }) => metadata?.exposures);
  };

  test("counts the exposures of a run that are left out or corrected, in production", async () => {
    const { id, path, startTime } = await begin({ idType: "companyID" });
    const company = (time: number, environment = "production") => ({
      time,
      user: { userID: "u", customIDs: { companyID: "acme" }, statsigEnvironment: { tier: environment } },
    });
    const { now } = server.clock;
    await see(id, ...several(40, "without"), company(now), company(startTime - 1), company(now + 2 * HOUR_MS), company(0, "staging"));
    const exposures = { asStated: 1, corrected: 2, withoutUnitID: 40, formerRun: 0, beforeStart: 0 };
    expect(await readChecks(id)).toMatchObject([
      { type: "has_valid_unit_type", status: "FAILED", metadata: { exposures } },
      { type: "has_plausible_exposure_times", status: "WARNING", metadata: { exposures } },
    ]);
    await server.client.resetExperiment({ path });
    server.clock.now += MINUTE_MS;
    await server.client.startExperiment({ path, body: {} });
    await see(id, company(now), company(server.clock.now));
    expect((await readChecks(id)).map(({ metadata }) => metadata?.exposures)).toEqual([
      { asStated: 1, corrected: 0, withoutUnitID: 0, formerRun: 1, beforeStart: 0 },
    ]);
  });
});
