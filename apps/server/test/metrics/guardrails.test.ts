import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { automatedRollouts } from "../../src/jobs/automated-rollouts.ts";
import { guardrailChecks } from "../../src/jobs/guardrail-checks.ts";
import { HOUR_MS, pulseOn } from "../support/pulse.ts";
import { refusal, startServer, type TestServer } from "../support/server.ts";
import { waitFor } from "../support/wait-for.ts";

let server: TestServer;
let pulse: ReturnType<typeof pulseOn>;
beforeAll(async () => {
  server = await startServer();
  pulse = pulseOn(server);
  await pulse.metric("revenue");
  await pulse.metric("cost", { directionality: "decrease" });
  await pulse.metric("big buys", {
    type: "user_warehouse",
    warehouseNative: { aggregation: "percentile", percentile: 0.5 },
  });
});
afterAll(() => server.close());

type Guardrail = { maxHarmPercent: number; pausesRollouts?: boolean };

const REVENUE = { name: "revenue", type: "sum" };
const guarded = (guardrail: Guardrail, metric = REVENUE) => ({ ...metric, guardrail });
const buildRule = (given: object = {}) => ({ id: "half", name: "half", passPercentage: 50, conditions: [], ...given });

/** Makes a gate with a rule of 50%, and waits until its exposures are known as its own. */
async function makeGate(name: string, guardrail: Guardrail, given: object = {}): Promise<string> {
  const body = { name, rules: [buildRule()], monitoringMetrics: [guarded(guardrail)], ...given };
  const { id } = (await server.client.createGate({ body })).data;
  await waitFor(async () => {
    const { body: ruleset } = await server.send("GET", "/v1/download_config_specs");
    expect(ruleset.feature_gates.map((spec: { name: string }) => spec.name)).toContain(id);
  });
  return id;
}

/** Units that pass or fail and buy for some amount, half more or half less. An hour goes by. */
async function logUnits(gate: string, { count, passing, failing }: { count: number; passing: number; failing: number }): Promise<void> {
  const buildUnits = (passed: boolean, value: number) =>
    Array.from({ length: count }, (_, index) => ({
      unit: `${gate} ${passed} ${index}`,
      passed,
      value: value + (index + 0.5) / count - 0.5,
    }));
  await pulse.logChecks(gate, [...buildUnits(true, passing), ...buildUnits(false, failing)]);
}

const HARM = { count: 150, passing: 5, failing: 10 };
const HALF = { ruleID: "half", metricID: "revenue::sum", passingUnits: 150, failingUnits: 150, percentChange: expect.closeTo(-50, 10) };

const check = () => guardrailChecks.run(pulse.env());
const carryOut = () => automatedRollouts.run(pulse.env());
const read = async (id: string) => (await server.client.getGate({ path: { id } })).data;
const readAlerts = async (id: string) => (await server.client.listGateAlerts({ path: { id } })).data;
const readChecks = async (id: string) => (await server.client.getGateGuardrails({ path: { id } })).data;
const resolve = (id: string, body: { reasoning?: string } = {}, metricId = "revenue::sum") =>
  server.client.resolveGateAlert({ path: { id, metricId }, body });
const pendingAt = (time: number) => ({ rules: [buildRule({ pendingAutomatedRollouts: [{ time, passPercent: 100 }] })] });

describe("a check of a guardrail", () => {
  test("raises one alert once the whole interval is beyond it, and tells the numbers", async () => {
    const id = await makeGate("harmed", { maxHarmPercent: 10 });
    expect(await readChecks(id)).toEqual({ checkedTime: null, guardrails: [] });
    await logUnits(id, HARM);
    await check();
    const { checkedTime, guardrails } = await readChecks(id);
    const [{ percentInterval: [lower, upper] = [0, 0] } = {}] = guardrails;
    const found = { ...HALF, maxHarmPercent: 10, pausesRollouts: false, percentInterval: [lower, upper] };
    expect(guardrails).toEqual([{ ...found, isBeyond: true }]);
    expect(lower).toBeLessThan(-50);
    expect(upper).toBeGreaterThan(-50);
    expect(upper).toBeLessThan(-40);
    const open = { id: expect.any(String), raisedTime: checkedTime, resolvedTime: null, resolvedBy: null, reasoning: null };
    expect(await readAlerts(id)).toEqual([{ ...found, ...open }]);
    server.clock.now += HOUR_MS;
    await check();
    expect(await readAlerts(id)).toHaveLength(1);
    expect((await readChecks(id)).checkedTime).toBe(server.clock.now);
    expect((await read(id)).version).toBe(1);
  });

  test("raises nothing while the harm may be what the guardrail allows", async () => {
    const id = await makeGate("allowed", { maxHarmPercent: 49.5 });
    await logUnits(id, HARM);
    await check();
    expect((await readChecks(id)).guardrails).toMatchObject([{ ...HALF, isBeyond: false }]);
    expect(await readAlerts(id)).toEqual([]);
  });

  test("takes more for harm where less is better", async () => {
    const cost = { name: "cost", type: "sum" };
    const monitoringMetrics = [guarded({ maxHarmPercent: 10 }, cost), guarded({ maxHarmPercent: 10 })];
    const id = await makeGate("costly", { maxHarmPercent: 10 }, { monitoringMetrics });
    await logUnits(id, { count: 150, passing: 10, failing: 5 });
    await check();
    const found = (await readChecks(id)).guardrails.map(({ metricID, isBeyond }) => [metricID, isBeyond]);
    expect(found).toEqual([
      ["cost::sum", true],
      ["revenue::sum", false],
    ]);
  });

  test("compares percentiles", async () => {
    const median = { name: "big buys", type: "user_warehouse" };
    const id = await makeGate("slower", { maxHarmPercent: 10 }, { monitoringMetrics: [guarded({ maxHarmPercent: 10 }, median)] });
    await logUnits(id, { ...HARM, count: 400 });
    await check();
    expect((await readChecks(id)).guardrails).toMatchObject([
      { metricID: "big buys::user_warehouse", percentChange: expect.closeTo(-50, 10), isBeyond: true },
    ]);
  });

  test("says why it concludes nothing: of few units, and of a metric that does not exist", async () => {
    const monitoringMetrics = [REVENUE, { name: "no such", type: "sum" }].map((metric) => guarded({ maxHarmPercent: 0 }, metric));
    const id = await makeGate("unclear", { maxHarmPercent: 0 }, { monitoringMetrics });
    await logUnits(id, { ...HARM, count: 9 });
    await check();
    expect((await readChecks(id)).guardrails.map(({ metricID, isBeyond, reason }) => [metricID, isBeyond, reason])).toEqual([
      ["revenue::sum", false, "The smaller group needs 1 more unit for a reliable verdict."],
      ["no such::sum", false, "The metric does not exist."],
    ]);
  });

  test("is taken once an hour, and by one of two replicas", async () => {
    const id = await makeGate("checked at once", { maxHarmPercent: 10 });
    await logUnits(id, HARM);
    await Promise.all([check(), check()]);
    const { checkedTime } = await readChecks(id);
    expect(checkedTime).toBe(server.clock.now);
    expect(await readAlerts(id)).toHaveLength(1);
    server.clock.now += HOUR_MS - 1;
    await check();
    expect((await readChecks(id)).checkedTime).toBe(checkedTime);
  });

  test("passes by gates that are not in progress", async () => {
    const id = await makeGate("launched", { maxHarmPercent: 10 });
    await logUnits(id, HARM);
    await server.client.launchGate({ path: { id } });
    await check();
    expect((await readChecks(id)).checkedTime).toBe(null);
  });
});

describe("an alert that pauses rollouts", () => {
  test("stops them until it is resolved, and then each comes later by as long as the pause took", async () => {
    const due = server.clock.now + 3 * HOUR_MS;
    const id = await makeGate("paused", { maxHarmPercent: 10, pausesRollouts: true }, pendingAt(due));
    await logUnits(id, HARM);
    await check();
    const pausedTime = server.clock.now;
    const paused = await read(id);
    expect(paused).toMatchObject({ version: 2, pausedBy: [{ ruleID: "half", metricID: "revenue::sum", pausedTime }] });
    const listed = async (query: { nextRolloutBefore?: number; isPaused?: boolean }) =>
      (await server.client.listGates({ query })).data.some((gate) => gate.id === id);
    expect(await listed({ nextRolloutBefore: due + 1 })).toBe(false);
    expect([await listed({ isPaused: true }), await listed({ isPaused: false })]).toEqual([true, false]);
    server.clock.now = due + HOUR_MS;
    await carryOut();
    expect((await read(id)).rules).toEqual(paused.rules);
    // Another edit leaves it paused.
    await server.client.patchGate({ path: { id }, body: { description: "Paused." } });
    expect((await read(id)).pausedBy).toEqual(paused.pausedBy);
    const { data } = await resolve(id, { reasoning: "The shop was closed." });
    expect(data).toEqual({ resolvedAt: server.clock.now });
    const resumed = await read(id);
    const later = due + (server.clock.now - pausedTime);
    expect(resumed).not.toHaveProperty("pausedBy");
    expect([await listed({ isPaused: true }), await listed({ isPaused: false })]).toEqual([false, true]);
    expect(resumed.rules[0]?.pendingAutomatedRollouts).toEqual([{ time: later, passPercent: 100 }]);
    expect(await readAlerts(id)).toMatchObject([
      { resolvedTime: server.clock.now, resolvedBy: "CONSOLE API", reasoning: "The shop was closed.", pausesRollouts: true },
    ]);
    server.clock.now = later - 1;
    await carryOut();
    expect((await read(id)).rules[0]?.passPercentage).toBe(50);
    server.clock.now = later;
    await carryOut();
    expect((await read(id)).rules[0]?.passPercentage).toBe(100);
  });

  test("lets a gate be that has no rollouts, and pauses those that are added while the metric is beyond its guardrail", async () => {
    const id = await makeGate("paused later", { maxHarmPercent: 10, pausesRollouts: true });
    await logUnits(id, HARM);
    await check();
    expect(await read(id)).not.toHaveProperty("pausedBy");
    await server.client.patchGate({ path: { id }, body: pendingAt(server.clock.now + 10 * HOUR_MS) });
    server.clock.now += HOUR_MS;
    await check();
    expect((await read(id)).pausedBy).toMatchObject([{ ruleID: "half", pausedTime: server.clock.now }]);
    expect(await readAlerts(id)).toHaveLength(1);
  });

  test("is raised again by the next check that finds the metric beyond its guardrail", async () => {
    const id = await makeGate("again", { maxHarmPercent: 10, pausesRollouts: true }, pendingAt(server.clock.now + 10 * HOUR_MS));
    await logUnits(id, HARM);
    await check();
    await resolve(id);
    expect(await read(id)).not.toHaveProperty("pausedBy");
    server.clock.now += HOUR_MS;
    await check();
    expect((await readAlerts(id)).map(({ resolvedTime }) => resolvedTime === null)).toEqual([true, false]);
    expect(await read(id)).toHaveProperty("pausedBy");
  });

  test("outlasts the restoration of a version, and goes with its gate", async () => {
    const id = await makeGate("restored", { maxHarmPercent: 10, pausesRollouts: true }, pendingAt(server.clock.now + 10 * HOUR_MS));
    await logUnits(id, HARM);
    await check();
    const { pausedBy } = await read(id);
    await server.client.restoreGateVersion({ path: { id, version: 1 } });
    expect((await read(id)).pausedBy).toEqual(pausedBy);
    await server.client.deleteGate({ path: { id } });
    await server.client.restoreGateVersion({ path: { id, version: 1 } });
    expect(await read(id)).not.toHaveProperty("pausedBy");
    expect(await readAlerts(id)).toEqual([]);
    expect(await readChecks(id)).toEqual({ checkedTime: null, guardrails: [] });
  });

  test("that is not open cannot be resolved", async () => {
    const id = await makeGate("calm", { maxHarmPercent: 10 });
    expect(await refusal(resolve(id))).toMatchObject({ status: 404 });
  });
});
