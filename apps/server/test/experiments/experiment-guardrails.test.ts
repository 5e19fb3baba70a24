import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventRetention } from "../../src/jobs/event-retention.ts";
import { guardrailChecks } from "../../src/jobs/guardrail-checks.ts";
import { HOUR_MS, pulseOn } from "../support/pulse.ts";
import { refusal, startServer, type TestServer } from "../support/server.ts";

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

const REVENUE = { name: "revenue", type: "sum" };
const COST = { name: "cost", type: "sum" };
const guarded = (maxHarmPercent: number, metric = REVENUE) => ({ ...metric, guardrail: { maxHarmPercent } });
const GROUPS = ["control", "small", "large"].map((id) => ({ id, name: id, size: id === "control" ? 50 : 25 }));

/** Starts an experiment with two groups beside the control. */
const start = (name: string, given: object = {}) => pulse.experiment(name, { groups: GROUPS, primaryMetrics: [guarded(10)], ...given });

/** Units that buy for some amount on average, half more or half less. An hour goes by. */
async function logUnits(id: string, amounts: Record<string, number>, count = 150): Promise<void> {
  const time = server.clock.now;
  const buyers = Object.entries(amounts).flatMap(([group, amount]) =>
    Array.from({ length: count }, (_, index) => ({
      unit: `${id} ${time} ${group} ${index}`,
      group,
      purchases: [{ value: amount + (index + 0.5) / count - 0.5, afterMs: 1_000 }],
    })),
  );
  server.clock.now += HOUR_MS;
  await pulse.log(id, buyers, time);
}

const HARM = { control: 10, small: 10, large: 5 };
const HALF = { groupID: "large", controlGroupID: "control", metricID: "revenue::sum", percentChange: expect.closeTo(-50, 10) };

const check = () => guardrailChecks.run(pulse.env());
const read = async (id: string) => (await server.client.getExperiment({ path: { id } })).data;
const readAlerts = async (id: string) => (await server.client.listExperimentAlerts({ path: { id } })).data.alerts;
const readChecks = async (id: string) => (await server.client.getExperimentGuardrails({ path: { id } })).data;
const resolve = (id: string, body: { reasoning?: string } = {}, metricId = "revenue::sum") =>
  server.client.resolveExperimentAlert({ path: { id, metricId }, body });

describe("a check of the guardrails of an experiment", () => {
  test("compares each group with the control, and raises one alert where the whole interval is beyond the guardrail", async () => {
    const id = await start("harmed");
    expect(await readChecks(id)).toEqual({ checkedTime: null, guardrails: [] });
    await logUnits(id, HARM);
    await check();
    const { checkedTime, guardrails } = await readChecks(id);
    const units = { testUnits: 150, controlUnits: 150 };
    const { percentInterval: [lower, upper] = [0, 0] } = guardrails[1] ?? {};
    const found = { ...HALF, ...units, maxHarmPercent: 10, percentInterval: [lower, upper] };
    expect(guardrails).toEqual([
      {
        ...{ ...found, ...units, groupID: "small", percentChange: expect.closeTo(0, 10), isBeyond: false },
        percentInterval: [expect.any(Number), expect.any(Number)],
      },
      { ...found, isBeyond: true },
    ]);
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

  test("raises an alert for each group that is harmed", async () => {
    const id = await start("harmed twice");
    await logUnits(id, { control: 10, small: 6, large: 5 });
    await check();
    const alerts = await readAlerts(id);
    expect(alerts.map(({ groupID }) => groupID).toSorted()).toEqual(["large", "small"]);
    const { data, pagination } = await server.client.listExperimentAlerts({ path: { id }, query: { limit: 1, page: 2 } });
    expect(data.alerts).toEqual(alerts.slice(1));
    expect(pagination).toMatchObject({ pageNumber: 2, totalItems: 2, nextPage: null });
  });

  test("raises no alert if the groups are alike, for any allowed harm", async () => {
    const id = await start("alike", { primaryMetrics: [guarded(0)], secondaryMetrics: [guarded(0, COST)] });
    await logUnits(id, { control: 10, small: 10, large: 10 });
    await check();
    expect((await readChecks(id)).guardrails.map(({ isBeyond, reason }) => [isBeyond, reason])).toEqual(Array(4).fill([false, undefined]));
    expect(await readAlerts(id)).toEqual([]);
  });

  test("raises nothing while the harm may be what the guardrail allows", async () => {
    const id = await start("allowed", { primaryMetrics: [guarded(49.5)] });
    await logUnits(id, HARM);
    await check();
    expect((await readChecks(id)).guardrails[1]).toMatchObject({ ...HALF, isBeyond: false });
    expect(await readAlerts(id)).toEqual([]);
  });

  test("takes more for harm where less is better, and checks secondary and other metrics too", async () => {
    const id = await start("costly", { primaryMetrics: [], secondaryMetrics: [guarded(10, COST)], otherMetrics: [guarded(10)] });
    await logUnits(id, { control: 5, small: 5, large: 10 });
    await check();
    expect((await readChecks(id)).guardrails.map(({ metricID, groupID, isBeyond }) => [metricID, groupID, isBeyond])).toEqual([
      ["cost::sum", "small", false],
      ["revenue::sum", "small", false],
      ["cost::sum", "large", true],
      ["revenue::sum", "large", false],
    ]);
  });

  test("compares percentiles", async () => {
    const id = await start("slower", { primaryMetrics: [guarded(10, { name: "big buys", type: "user_warehouse" })] });
    await logUnits(id, HARM, 400);
    await check();
    expect((await readChecks(id)).guardrails).toMatchObject([
      { groupID: "small", isBeyond: false },
      { groupID: "large", percentChange: expect.closeTo(-50, 10), isBeyond: true },
    ]);
  });

  test("says why it concludes nothing: of no units, of few, and of a metric that does not exist", async () => {
    const primaryMetrics = [guarded(0), guarded(0, { name: "no such", type: "sum" })];
    const id = await start("unclear", { primaryMetrics });
    await logUnits(id, { control: 10, large: 5 }, 9);
    await check();
    expect((await readChecks(id)).guardrails.map(({ groupID, isBeyond, reason }) => [groupID, isBeyond, reason])).toEqual([
      ["small", false, "The group has no units yet."],
      ["small", false, "The metric does not exist."],
      ["large", false, "The smaller group needs 1 more unit for a reliable verdict."],
      ["large", false, "The metric does not exist."],
    ]);
  });

  test("leaves out groups that are disabled", async () => {
    const id = await start("disabled");
    await logUnits(id, HARM);
    await server.client.disableExperimentGroups({ path: { id }, body: { group_names: ["large"] } });
    await check();
    expect((await readChecks(id)).guardrails.map(({ groupID }) => groupID)).toEqual(["small"]);
    expect(await readAlerts(id)).toEqual([]);
  });

  test("is taken once an hour, and by one of two replicas", async () => {
    const id = await start("checked at once");
    await logUnits(id, HARM);
    await Promise.all([check(), check()]);
    const { checkedTime } = await readChecks(id);
    expect(checkedTime).toBe(server.clock.now);
    expect(await readAlerts(id)).toHaveLength(1);
    server.clock.now += HOUR_MS - 1;
    await check();
    expect((await readChecks(id)).checkedTime).toBe(checkedTime);
  });

  test.each<[string, (id: string) => Promise<unknown>]>([
    ["has not started", (id) => server.client.resetExperiment({ path: { id } })],
    ["is decided", (id) => server.client.makeExperimentDecision({ path: { id }, body: { id: "small", decisionReason: "It is good." } })],
    ["is abandoned", (id) => server.client.abandonExperiment({ path: { id }, body: { decisionReason: "It is bad." } })],
  ])("is not taken at an experiment that %s", async (state, end) => {
    const id = await start(`one that ${state}`);
    await logUnits(id, HARM);
    await end(id);
    await check();
    expect((await readChecks(id)).checkedTime).toBe(null);
  });

  test("goes on after the assignment has stopped", async () => {
    const id = await start("one that takes no more units");
    await logUnits(id, HARM);
    await server.client.patchExperiment({ path: { id }, body: { status: "assignment_stopped" } });
    await check();
    expect(await readAlerts(id)).toHaveLength(1);
  });
});

describe("an alert of an experiment", () => {
  test("is resolved with a reason, for all groups, and raised again by the next check that finds the harm", async () => {
    const id = await start("again");
    await logUnits(id, { control: 10, small: 5, large: 5 });
    await check();
    const { data } = await resolve(id, { reasoning: "The shop was closed." });
    expect(data).toEqual({ resolvedAt: server.clock.now });
    const resolved = { resolvedTime: server.clock.now, resolvedBy: "CONSOLE API", reasoning: "The shop was closed." };
    expect(await readAlerts(id)).toMatchObject([resolved, resolved]);
    expect(await refusal(resolve(id))).toMatchObject({ status: 404 });
    server.clock.now += HOUR_MS;
    await check();
    expect((await readAlerts(id)).map(({ resolvedTime }) => resolvedTime === null)).toEqual([true, true, false, false]);
    expect((await read(id)).version).toBe(1);
  });

  test("is in the audit log when it is raised and when it is resolved", async () => {
    const id = await start("in the audit log");
    await logUnits(id, HARM);
    await check();
    const [alert] = await readAlerts(id);
    await resolve(id);
    const { data } = await server.client.listAuditLogs({ query: { limit: 100 } });
    const entries = data.filter(({ entityID }) => entityID === alert?.id);
    expect(entries.map(({ operationID }) => operationID)).toEqual(["resolveExperimentAlert", "lookAtGuardrails"]);
  });

  test("goes with the run that a reset ends, and the checks begin again", async () => {
    const id = await start("reset");
    await logUnits(id, HARM);
    await check();
    await server.client.resetExperiment({ path: { id } });
    expect(await readAlerts(id)).toEqual([]);
    expect(await readChecks(id)).toEqual({ checkedTime: null, guardrails: [] });
    await server.client.startExperiment({ path: { id }, body: {} });
    await logUnits(id, { control: 10, small: 5, large: 10 });
    await check();
    expect(await readAlerts(id)).toMatchObject([{ groupID: "small", raisedTime: server.clock.now }]);
  });

  test("goes with its experiment", async () => {
    const id = await start("deleted");
    await logUnits(id, HARM);
    await check();
    await server.client.deleteExperiment({ path: { id } });
    await eventRetention(90).run(pulse.env());
    expect(await server.database.prisma.guardrailAlert.count({ where: { subjectID: id } })).toBe(0);
    expect(await server.database.prisma.guardrailCheck.count({ where: { subjectID: id } })).toBe(0);
  });

  test("is not one of a gate with the same id", async () => {
    const id = await start("same name");
    await server.client.createGate({ body: { name: "same name" } });
    await logUnits(id, HARM);
    await check();
    expect(await readAlerts(id)).toHaveLength(1);
    expect((await server.client.listGateAlerts({ path: { id } })).data).toEqual([]);
    expect(await refusal(server.client.resolveGateAlert({ path: { id, metricId: "revenue::sum" }, body: {} }))).toMatchObject({
      status: 404,
    });
  });
});
