import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HOUR_MS, pulseOn } from "../support/pulse.ts";
import { refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
let pulse: ReturnType<typeof pulseOn>;
beforeAll(async () => {
  server = await startServer();
  pulse = pulseOn(server);
});
afterAll(() => server.close());

let count = 0;
async function makeMetric(given: object = {}) {
  count += 1;
  const { id, name, type } = await pulse.metric(`Revenue ${count}`, given);
  return { id, reference: { name, type } };
}
const reload = async (id: string, query: object = {}) => (await server.client.reloadMetric({ path: { id }, query })).data;
const startedFor = ({ loads }: Awaited<ReturnType<typeof reload>>) => loads.map(({ dagID: _, ...load }) => load);

const half = { id: "half", name: "Half", passPercentage: 50, conditions: [] };

describe("reloadMetric", () => {
  test("loads the metric, and no other one, for what runs and uses it", async () => {
    const { id, reference } = await makeMetric({ tags: ["core"] });
    const { reference: another } = await makeMetric();
    const byName = await pulse.experiment("names it", { primaryMetrics: [reference, another] });
    const byTag = await pulse.experiment("tagged", { secondaryMetricTags: ["core"] });
    await pulse.experiment("names another", { primaryMetrics: [another] });
    await pulse.experiment("not started", { primaryMetrics: [reference], status: "setup" });
    const rules = [half, { ...half, id: "everybody", name: "Everybody", passPercentage: 100 }];
    const { data: gate } = await server.client.createGate({ body: { name: "monitored", rules, monitoringMetrics: [reference] } });
    await server.client.createGate({ body: { name: "passes all", rules: rules.slice(1), monitoringMetrics: [reference] } });
    const holding = { isEnabled: true, passPercentage: 1, monitoringMetrics: [reference] };
    const { data: holdout } = await server.client.createHoldout({ body: { name: "held", ...holding } });
    await server.client.createHoldout({ body: { name: "holds nobody", ...holding, isEnabled: false } });
    const data = await reload(id);
    expect({ ...data, loads: startedFor(data) }).toEqual({
      loads: [
        { entityType: "experiment", entityID: byName },
        { entityType: "experiment", entityID: byTag },
        { entityType: "gate", entityID: gate.id, ruleID: "half" },
        { entityType: "holdout", entityID: holdout.id },
      ],
      ...{ running: 0, fresh: 0, left: 0 },
    });
    await pulse.run();
    const [first] = data.loads;
    const loaded = await server.client.getExperimentPulseLoad({ path: { id: byName, dagID: first?.dagID ?? "" } });
    expect(loaded.data).toMatchObject({
      ...{ reloadType: "metric", finishedState: "success", creatorName: "CONSOLE API" },
      metrics: [{ metricID: id, state: "success" }],
    });
  });

  test("leaves what is loading as it is, and counts it", async () => {
    const { id, reference } = await makeMetric();
    const experiment = await pulse.experiment("loading", { primaryMetrics: [reference] });
    const { data: before } = await server.client.startExperimentPulseLoad({ path: { id: experiment } });
    expect(await reload(id)).toEqual({ loads: [], running: 1, fresh: 0, left: 0 });
    const { data: loads } = await server.client.listExperimentPulseLoads({ path: { id: experiment } });
    expect(loads.map(({ dagID }) => dagID)).toEqual([before.dagID]);
    await pulse.run();
    expect(startedFor(await reload(id))).toEqual([{ entityType: "experiment", entityID: experiment }]);
    await pulse.run();
  });

  test("with incremental, loads only what was not computed today by the present definition", async () => {
    const { id, reference } = await makeMetric();
    const experiment = await pulse.experiment("computed today", { primaryMetrics: [reference] });
    server.clock.now += HOUR_MS;
    await pulse.load(experiment);
    expect(await reload(id, { incremental: true })).toEqual({ loads: [], running: 0, fresh: 1, left: 0 });
    await server.client.updateMetric({ path: { id }, body: { description: "of another version" } });
    expect(startedFor(await reload(id, { incremental: true }))).toEqual([{ entityType: "experiment", entityID: experiment }]);
    await pulse.run();
    expect(startedFor(await reload(id))).toHaveLength(1);
    await pulse.run();
  });

  test("starts 200 loads at most, and goes on where it stopped", async () => {
    const { id, reference } = await makeMetric();
    const rules = Array.from({ length: 110 }, (_, index) => ({ ...half, id: `rule ${index}`, name: `Rule ${index}` }));
    for (const name of ["many a", "many b", "many c"])
      await server.client.createGate({ body: { name, rules, monitoringMetrics: [reference] } });
    const first = await reload(id);
    expect([first.loads.length, first.left]).toEqual([200, 2]);
    const second = await reload(id);
    expect([second.loads.length, second.running, second.left]).toEqual([130, 200, 0]);
    await server.database.prisma.$executeRaw`delete from pulse_load`;
  });

  test("a dry run starts nothing, and a repeated request starts nothing more", async () => {
    const { id, reference } = await makeMetric();
    const experiment = await pulse.experiment("asked twice", { primaryMetrics: [reference] });
    const readHistory = async () =>
      (await server.client.listExperimentPulseLoads({ path: { id: experiment } })).data.map(({ dagID }) => dagID);
    const path = `/console/v1/metrics/${encodeURIComponent(id)}/reload`;
    expect((await server.send("POST", `${path}?dryRun=true`)).body.data.loads).toHaveLength(1);
    expect(await readHistory()).toEqual([]);
    const headers = { "Idempotency-Key": "reload-once" };
    const { body } = await server.send("POST", path, { headers });
    const again = await server.send("POST", path, { headers });
    expect([again.body, again.headers.get("Idempotency-Replayed")]).toEqual([body, "true"]);
    expect(await readHistory()).toEqual([body.data.loads[0].dagID]);
    await pulse.run();
  });

  test("needs a metric that exists", async () => {
    expect(await refusal(reload("absent::sum"))).toMatchObject({ status: 404, message: "Metric absent::sum does not exist." });
  });
});
