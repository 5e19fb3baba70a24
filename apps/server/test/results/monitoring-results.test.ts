import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startOfDay } from "../../src/common/local-day.ts";
import { UTC } from "../../src/common/time-zone.ts";
import { dailyLoads } from "../../src/jobs/daily-loads.ts";
import { type Checked, DAY_MS, HOUR_MS, pulseOn } from "../support/pulse.ts";
import { invalid, refusal, startServer, type TestServer } from "../support/server.ts";
import { waitFor } from "../support/wait-for.ts";

const REVENUE = { name: "revenue", type: "sum" } as const;

let server: TestServer;
let pulse: ReturnType<typeof pulseOn>;
beforeAll(async () => {
  server = await startServer();
  pulse = pulseOn(server);
  await pulse.metric("revenue");
});
afterAll(() => server.close());

const buildRule = (id: string, passPercentage = 50) => ({ id, name: id, passPercentage, conditions: [] });

/** Makes a gate, and waits until its exposures are known as its own. */
async function makeGate(name: string, given: object = {}): Promise<string> {
  const body = { name, rules: [buildRule("half")], monitoringMetrics: [REVENUE], ...given };
  const { id } = (await server.client.createGate({ body })).data;
  await untilServed(id);
  return id;
}

async function makeHoldout(name: string, given: object = {}): Promise<string> {
  const { id } = (await server.client.createHoldout({ body: { name, passPercentage: 5, monitoringMetrics: [REVENUE], ...given } })).data;
  await untilServed(id);
  return id;
}

async function untilServed(id: string): Promise<void> {
  await waitFor(async () => {
    const { body } = await server.send("GET", "/v1/download_config_specs");
    expect(body.feature_gates.map((spec: { name: string }) => spec.name)).toContain(id);
  });
}

async function loadRule(id: string, ruleID = "half", body: object = {}) {
  const { data } = await server.client.startGatePulseLoad({ path: { id }, body: { ruleId: ruleID, ...body } });
  await pulse.run();
  return (await server.client.getGatePulseLoad({ path: { id, ruleID, dagID: data.dagID } })).data;
}

async function loadHoldout(id: string) {
  const { data } = await server.client.startHoldoutPulseLoad({ path: { id } });
  await pulse.run();
  return (await server.client.getHoldoutPulseLoad({ path: { id, dagID: data.dagID } })).data;
}

const readResults = async (id: string, query: object = {}, ruleID = "half") =>
  (await server.client.getGatePulseResults({ path: { id, ruleID }, query })).data;
const readHistory = async (id: string, ruleID = "half") => (await server.client.listGatePulseLoads({ path: { id, ruleID } })).data;

/** Three units that pass and buy for 4, 6 and 8, and four that fail and buy for 1, 2, 3 and 0. */
const SEVEN: Checked[] = [
  { unit: "p1", passed: true, value: 4 },
  { unit: "p2", passed: true, value: 6 },
  { unit: "p3", passed: true, value: 8 },
  { unit: "f1", passed: false, value: 1 },
  { unit: "f2", passed: false, value: 2 },
  { unit: "f3", passed: false, value: 3 },
  { unit: "f4", passed: false },
];
/** A mean of 6 against one of 1.5. By Welch: the standard errors are 1.1547 and 0.6455, with 3.21 degrees of freedom. */
const OF_SEVEN = {
  ...{ testMean: 6, controlMean: 1.5, testUnits: 3, controlUnits: 4, testTotal: 18, controlTotal: 6 },
  ...{ absoluteChange: 4.5, percentChange: 300, testStd: expect.closeTo(1.154701, 5), controlStd: expect.closeTo(0.645497, 5) },
};

describe("the results of a gate's rule", () => {
  test("compare all units that passed with all that failed, of this rule and of production alone", async () => {
    const id = await makeGate("compared", { rules: [buildRule("half"), buildRule("other")] });
    await pulse.logChecks(id, [
      ...SEVEN,
      { unit: "o1", passed: true, ruleID: "other", value: 100 },
      { unit: "o2", passed: false, ruleID: "other", value: 100 },
      { unit: "s1", passed: true, environment: "staging", value: 100 },
    ]);
    expect(await loadRule(id)).toMatchObject({
      finishedState: "success",
      metrics: [{ metricID: "revenue::sum", state: "success" }],
      jobs: [{ jobType: "topline" }, { jobType: "metrics", jobIDs: ["revenue::sum"], sql: expect.stringContaining("check_exposure") }],
    });
    const { startTime, units, monitoringMetrics } = await readResults(id);
    expect(units).toEqual({ pass: 3, fail: 4, crossed: 0 });
    expect(startTime).toBe((await server.client.getGate({ path: { id } })).data.createdTime);
    expect(monitoringMetrics).toMatchObject([
      { metricID: "revenue::sum", metricName: "revenue", alpha: expect.closeTo(0.05, 12), ...OF_SEVEN },
    ]);
    expect((await readResults(id, { confidence: 80, cuped: false })).monitoringMetrics).toMatchObject([
      {
        alpha: expect.closeTo(0.2, 12),
        verdict: { test: "fixed", withheld: "notEnoughUnits", missing: 7 },
        cuped: { isUsed: false, reason: expect.any(String) },
      },
    ]);
  });

  test("leave out units that passed and failed, and tell how many", async () => {
    const id = await makeGate("crossed");
    await pulse.logChecks(id, [...SEVEN, { unit: "both", passed: true, value: 50 }]);
    await pulse.logChecks(id, [{ unit: "both", passed: false, value: 50 }]);
    await loadRule(id);
    const { units, monitoringMetrics } = await readResults(id);
    expect(units).toEqual({ pass: 3, fail: 4, crossed: 1 });
    expect(monitoringMetrics).toMatchObject([OF_SEVEN]);
  });

  test("start again after a change of the pass percentage: units that saw the rule before are left out, and other edits change nothing", async () => {
    const id = await makeGate("ramped", { rules: [buildRule("half", 10)] });
    await pulse.logChecks(id, [
      { unit: "early", passed: true, value: 70 },
      { unit: "early too", passed: false, value: 70 },
      { unit: "ramped up", passed: false },
    ]);
    await loadRule(id);
    const before = await readResults(id);
    expect(before.units).toEqual({ pass: 1, fail: 2, crossed: 0 });
    await server.client.patchGateRule({ path: { id, ruleID: "half" }, body: { passPercentage: 50 } });
    const changed = server.clock.now;
    // More versions than are read at once.
    for (let edit = 0; edit < 25; edit++) await server.client.patchGate({ path: { id }, body: { description: `Edit ${edit}` } });
    await pulse.logChecks(id, [...SEVEN, { unit: "early", passed: true, value: 70 }, { unit: "ramped up", passed: true, value: 70 }]);
    expect(await readResults(id)).toEqual(before);
    expect((await loadRule(id)).startDs).toBe(new Date(changed).toISOString().slice(0, 10));
    const after = await readResults(id);
    expect(after.startTime).toBe(changed);
    expect(after.units).toEqual({ pass: 3, fail: 4, crossed: 1 });
    expect(after.monitoringMetrics).toMatchObject([OF_SEVEN]);
  });

  test("start again after a change of the unit ID type", async () => {
    const id = await makeGate("of another type");
    server.clock.now += HOUR_MS;
    await server.client.patchGate({ path: { id }, body: { idType: "stableID" } });
    const changed = server.clock.now;
    server.clock.now += HOUR_MS;
    await loadRule(id);
    expect((await readResults(id)).startTime).toBe(changed);
  });

  test("have a series of days, and are answered as of one of them", async () => {
    server.clock.now = startOfDay(server.clock.now, UTC) + DAY_MS;
    const id = await makeGate("day by day");
    await pulse.logChecks(id, SEVEN.slice(0, 5));
    const first = new Date(server.clock.now).toISOString().slice(0, 10);
    server.clock.now += DAY_MS;
    await pulse.logChecks(id, SEVEN.slice(5));
    await loadRule(id);
    const { ds, monitoringMetrics } = await readResults(id, { series: true });
    expect(monitoringMetrics[0]?.series).toMatchObject([
      { date: first, testUnits: 3, controlUnits: 2, controlMean: 1.5 },
      { date: ds, testUnits: 3, controlUnits: 4, controlMean: 1.5 },
    ]);
    const asOfFirst = await readResults(id, { date: first });
    expect(asOfFirst).toMatchObject({ ds: first, monitoringMetrics: [{ testUnits: 3, controlUnits: 2, controlTotal: 3 }] });
    expect(await refusal(readResults(id, { date: "2020-01-01" }))).toEqual(
      invalid(["date", `must be from ${first} to ${ds}, the days that are loaded`]),
    );
  });

  test("say that no load has computed them yet, before the first load", async () => {
    const id = await makeGate("not loaded");
    expect(await readResults(id)).toEqual({
      ds: new Date(server.clock.now).toISOString().slice(0, 10),
      timeZone: "UTC",
      monitoringMetrics: [
        {
          metricID: "revenue::sum",
          metricName: "revenue",
          directionality: "increase",
          reason: "No results update has computed this metric yet.",
        },
      ],
    });
    await expect(server.client.getGatePulseResults({ path: { id, ruleID: "none" } })).rejects.toMatchObject({ status: 404 });
  });
});

describe("a load of a gate", () => {
  test("is refused for a rule that it has not, and for a gate that keeps no units", async () => {
    const id = await makeGate("unmeasured", { measureMetricLifts: false, monitoringMetrics: [] });
    expect(await refusal(server.client.startGatePulseLoad({ path: { id }, body: { ruleId: "none" } }))).toEqual(
      invalid(["ruleId", `is no rule of the gate ${id}`]),
    );
    expect(await refusal(server.client.startGatePulseLoad({ path: { id }, body: { ruleId: "half" } }))).toEqual(
      invalid(["id", "keeps no units to compare: `measureMetricLifts` is off, and no metrics monitor it"]),
    );
  });

  test("runs once at a time for each rule, is cancelled, and is another rule's no more than another gate's", async () => {
    const id = await makeGate("twice", { rules: [buildRule("half"), buildRule("other")] });
    const start = (ruleId: string) => server.client.startGatePulseLoad({ path: { id }, body: { ruleId } });
    const { dagID } = (await start("half")).data;
    await start("other");
    await expect(start("half")).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining(`The rule half of the gate ${id} is loading already: its load ${dagID} has not finished.`),
    });
    await expect(server.client.cancelGatePulseLoad({ path: { id, ruleID: "other", dagID } })).rejects.toMatchObject({ status: 404 });
    await server.client.cancelGatePulseLoad({ path: { id, ruleID: "half", dagID } });
    expect(await readHistory(id)).toMatchObject([{ dagID, finishedState: "cancelled" }]);
    await expect(server.client.cancelGatePulseLoad({ path: { id, ruleID: "half", dagID } })).rejects.toMatchObject({ status: 409 });
    await pulse.run();
    expect(await readHistory(id, "other")).toMatchObject([{ finishedState: "success" }]);
  });

  test("computes metrics that do not monitor the gate if it is asked to, and incrementally those that are not of today", async () => {
    const id = await makeGate("asked");
    await pulse.metric("purchases", { type: "event_count_custom", metricEvents: [{ name: "buy" }] });
    await pulse.logChecks(id, SEVEN);
    await loadRule(id, "half", { refresh: "metric", metricIDs: ["purchases::event_count_custom"] });
    expect((await loadRule(id, "half", { refresh: "incremental" })).metrics).toEqual([{ metricID: "revenue::sum", state: "success" }]);
    expect((await loadRule(id, "half", { refresh: "incremental" })).metrics).toEqual([]);
    expect((await readResults(id)).monitoringMetrics).toMatchObject([
      { metricID: "revenue::sum", testTotal: 18 },
      { metricID: "purchases::event_count_custom", testTotal: 3, controlTotal: 3 },
    ]);
  });

  test("goes with the gate, and so do its results", async () => {
    const id = await makeGate("deleted");
    await loadRule(id);
    await server.client.deleteGate({ path: { id } });
    const left = await server.database.db.$queryRaw<{ loads: number; moments: number }[]>`
      select (select count(*)::int from pulse_load where "subjectID" = ${id}) as loads,
        (select count(*)::int from pulse_moments where "subjectID" = ${id}) as moments`;
    expect(left).toEqual([{ loads: 0, moments: 0 }]);
  });
});

describe("the results of a holdout", () => {
  test("compare the units that are not held out with those that are, through one phase, and go with it", async () => {
    const id = await makeHoldout("held");
    const share = (percentage: string) => ({ ruleID: `${id}:${percentage}:1` });
    await pulse.logChecks(id, [{ unit: "early", passed: true, value: 30, ...share("5.00") }]);
    await server.client.patchHoldout({ path: { id }, body: { passPercentage: 10 } });
    const changed = server.clock.now;
    await waitFor(async () => {
      const { body } = await server.send("GET", "/v1/download_config_specs");
      const spec = body.feature_gates.find(({ name }: { name: string }) => name === id);
      expect(spec.rules.map((rule: { id: string }) => rule.id)).toContain(`${id}:10.00:1`);
    });
    // Here, those that buy more are not held out.
    await pulse.logChecks(
      id,
      [...SEVEN, { unit: "early", passed: true }].map((one) => ({ ...one, passed: !one.passed, ...share("10.00") })),
    );
    expect(await loadHoldout(id)).toMatchObject({ finishedState: "success", metrics: [{ metricID: "revenue::sum", state: "success" }] });
    const { data } = await server.client.getHoldoutPulseResults({ path: { id } });
    expect(data).toMatchObject({ startTime: changed, units: { pass: 4, fail: 3, crossed: 1 }, monitoringMetrics: [OF_SEVEN] });
    await server.client.deleteHoldout({ path: { id } });
    const left = await server.database.db.$queryRaw<unknown[]>`select id from pulse_load where "subjectID" = ${id}`;
    expect(left).toEqual([]);
  });

  test("are loaded once at a time", async () => {
    const id = await makeHoldout("one load");
    const { dagID } = (await server.client.startHoldoutPulseLoad({ path: { id } })).data;
    await expect(server.client.startHoldoutPulseLoad({ path: { id } })).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining(`The holdout ${id} is loading already`),
    });
    await server.client.cancelHoldoutPulseLoad({ path: { id, dagID } });
    await expect(server.client.cancelHoldoutPulseLoad({ path: { id, dagID } })).rejects.toMatchObject({ status: 409 });
    expect((await server.client.listHoldoutPulseLoads({ path: { id } })).data).toMatchObject([{ dagID, finishedState: "cancelled" }]);
  });
});

test("each day, the rules that pass some units and holdouts that hold out somebody are loaded once, if metrics monitor them", async () => {
  server.clock.now = startOfDay(server.clock.now, UTC) + DAY_MS;
  const id = await makeGate("daily", {
    rules: [buildRule("half"), buildRule("all", 100), buildRule("none", 0), { ...buildRule("off"), isEnabled: false }],
  });
  const unmonitored = await makeGate("unmonitored", { monitoringMetrics: [] });
  const archived = await makeGate("archived");
  await server.client.archiveGate({ path: { id: archived } });
  const holdout = await makeHoldout("daily holdout");
  const empty = await makeHoldout("empty holdout", { passPercentage: 0 });
  const holdoutHistory = async (of: string) => (await server.client.listHoldoutPulseLoads({ path: { id: of } })).data;
  for (let run = 0; run < 2; run++) {
    await Promise.all([dailyLoads.run(pulse.env()), dailyLoads.run(pulse.env())]);
    await pulse.run();
  }
  expect(await readHistory(id)).toMatchObject([{ creatorName: null, reloadType: "full", finishedState: "success" }]);
  for (const ruleID of ["all", "none", "off"]) expect(await readHistory(id, ruleID)).toEqual([]);
  expect(await readHistory(unmonitored)).toEqual([]);
  expect(await readHistory(archived)).toEqual([]);
  expect(await holdoutHistory(holdout)).toMatchObject([{ creatorName: null, finishedState: "success" }]);
  expect(await holdoutHistory(empty)).toEqual([]);
  server.clock.now += DAY_MS;
  await dailyLoads.run(pulse.env());
  expect(await readHistory(id)).toHaveLength(2);
  await pulse.run();
});
