import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { claimLoad } from "../../src/console/results/load-queue-store.ts";
import { runLoad } from "../../src/jobs/loads/run-load.ts";
import { deleteOldPulseLoads } from "../../src/jobs/pulse-loads.ts";
import { LEASE_MS } from "../../src/jobs/while-leased.ts";
import { needs } from "../support/needs.ts";
import { type Buyer, DAY_MS, pulseOn } from "../support/pulse.ts";
import { conflicting, invalid, refusal, startServer, type TestServer } from "../support/server.ts";

const REVENUE = { name: "Revenue", type: "sum" };
const BUYERS = { name: "Buyers", type: "event_user" };

let server: TestServer;
let pulse: ReturnType<typeof pulseOn>;
beforeAll(async () => {
  // At noon, so that hours later is the same day.
  server = await startServer();
  server.clock.now = Math.floor(server.clock.now / DAY_MS) * DAY_MS + DAY_MS / 2;
  pulse = pulseOn(server);
  await pulse.metric("Revenue");
  await pulse.metric("Buyers", { type: "event_user", metricEvents: [{ name: "buy" }] });
});
afterAll(() => server.close());

const BUYER: Buyer = { unit: "a buyer", group: "control", purchases: [{ value: 7, afterMs: 0 }] };

/** An experiment with metrics and two units of its control group. */
async function make(name: string, given: object = { primaryMetrics: [REVENUE, BUYERS] }): Promise<string> {
  const id = await pulse.experiment(name, given);
  await pulse.log(id, [BUYER, { ...BUYER, unit: "another" }], server.clock.now);
  server.clock.now += 1;
  return id;
}

const start = (id: string, body: object = {}) => server.client.startExperimentPulseLoad({ path: { id }, body });
const readHistory = async (id: string) => (await server.client.listExperimentPulseLoads({ path: { id } })).data;
const readLoad = async (id: string, dagID: string) => (await server.client.getExperimentPulseLoad({ path: { id, dagID } })).data;
const totals = async (id: string) => (await pulse.results(id)).primaryMetrics.map(({ controlTotal }) => controlTotal);

describe("startExperimentPulseLoad", () => {
  test("200: reads its fields from the query, as existing clients send them, unless the body has them", async () => {
    const id = await make("asked_by_query");
    const ask = (query: string, body?: object) => server.send("POST", `/console/v1/experiments/${id}/load_pulse?${query}`, { body });
    const asked = `refresh=metric&turboMode=true&metricIDs=${encodeURIComponent("Revenue::sum")}`;
    expect((await ask(asked, {})).body.data).toMatchObject({ reloadType: "metric", turboMode: true });
    await pulse.run();
    const [{ dagID = "" } = {}] = await readHistory(id);
    expect((await readLoad(id, dagID)).metrics).toEqual([{ metricID: "Revenue::sum", state: "success" }]);
    expect((await ask("refresh=full&turboMode=true", { refresh: "incremental", turboMode: false })).body.data).toMatchObject({
      reloadType: "incremental",
      turboMode: false,
    });
    await pulse.run();
  });

  test("200: loads in the background, and the history tells how it ended", async () => {
    const id = await make("loaded");
    const { data, message } = await start(id);
    expect(message).toBe("Experiment is loading.");
    const load = {
      dagID: expect.any(String),
      creatorName: "CONSOLE API",
      createdTime: server.clock.now,
      startDs: "2025-11-21",
      endDs: "2025-11-21",
      timeZone: "UTC",
      reloadType: "full",
      turboMode: false,
    };
    expect(data).toEqual(load);
    const { dagID } = data;
    expect(await readLoad(id, dagID)).toEqual({
      ...load,
      jobs: [],
      metrics: [
        { metricID: "Revenue::sum", state: "waiting" },
        { metricID: "Buyers::event_user", state: "waiting" },
      ],
    });
    await pulse.run();
    const finished = { ...load, finishedTime: server.clock.now, finishedState: "success" };
    expect(await readHistory(id)).toEqual([finished]);
    const details = await readLoad(id, dagID);
    expect(details).toMatchObject({
      ...finished,
      metrics: [
        { metricID: "Revenue::sum", state: "success" },
        { metricID: "Buyers::event_user", state: "success" },
      ],
      jobs: [
        { jobType: "topline", jobIDs: ["Revenue::sum"] },
        { jobType: "metrics", jobIDs: ["Revenue::sum", "Buyers::event_user"], startTime: server.clock.now, endTime: server.clock.now },
      ],
    });
    expect(await totals(id)).toEqual([14, 2]);
  });

  test("shows the SQL that ran, which answers the same by hand", async () => {
    const id = await make("by hand", { primaryMetrics: [REVENUE] });
    const { jobs } = await pulse.load(id);
    const run = <Row>(sql = "") => server.database.analyse<Row>(sql, [], { timeoutMs: 60_000, signal: new AbortController().signal });
    const rows = await run<{ grp: string; n: number; y: number }>(jobs[1]?.sql);
    expect(rows.reduce((sum, { y }) => sum + y, 0)).toBe(14);
    const days = await run<{ t0: number }>(jobs[0]?.sql);
    expect(days.map(({ t0 }) => t0)).toEqual([14]);
  });

  test("counts everything that is stored when the load starts, and answers the last load until then", async () => {
    const id = await make("growing", { primaryMetrics: [REVENUE] });
    await pulse.load(id);
    await pulse.log(id, [{ unit: "a third", group: "control", purchases: [{ value: 100, afterMs: 0 }] }], server.clock.now);
    server.clock.now += 1;
    expect(await totals(id)).toEqual([14]);
    await pulse.load(id);
    expect(await totals(id)).toEqual([114]);
  });

  test("computes a metric that the experiment does not name, which then is among the others", async () => {
    const id = await make("exploring", {});
    const { metrics } = await pulse.load(id, { refresh: "metric", metricIDs: ["Buyers::event_user"] });
    expect(metrics).toEqual([{ metricID: "Buyers::event_user", state: "success" }]);
    expect((await pulse.results(id)).otherMetrics).toMatchObject([{ metricID: "Buyers::event_user", controlTotal: 2 }]);
  });

  test("computes metrics by their tags", async () => {
    await pulse.metric("Tagged", { tags: ["core"] });
    const id = await make("by tags", { primaryMetricTags: ["core"] });
    const { metrics } = await pulse.load(id);
    expect(metrics).toEqual([{ metricID: "Tagged::sum", state: "success" }]);
    expect((await pulse.results(id)).primaryMetrics).toMatchObject([{ metricID: "Tagged::sum", controlTotal: 14 }]);
  });

  test("incremental: leaves out what was computed today, unless the metric has changed since", async () => {
    await pulse.metric("Changing");
    const id = await make("incremental", { primaryMetrics: [REVENUE, { name: "Changing", type: "sum" }] });
    await pulse.load(id);
    const incremental = { refresh: "incremental" };
    const { metrics, finishedState } = await pulse.load(id, incremental);
    expect({ metrics, finishedState }).toEqual({ metrics: [], finishedState: "success" });
    await server.client.updateMetric({ path: { id: "Changing::sum" }, body: { description: "New." } });
    expect((await pulse.load(id, incremental)).metrics.map(({ metricID }) => metricID)).toEqual(["Changing::sum"]);
    server.clock.now += DAY_MS;
    expect((await pulse.load(id, incremental)).metrics).toHaveLength(2);
  });

  test("turboMode: computes no series", async () => {
    const id = await make("turbo", { primaryMetrics: [REVENUE] });
    await pulse.load(id, { turboMode: true });
    const [revenue] = (await pulse.results(id, { series: true })).primaryMetrics;
    expect(revenue).toMatchObject({ controlTotal: 14 });
    expect(revenue).not.toHaveProperty("series");
    const { primaryMetrics } = await pulse.results(id, { date: new Date(server.clock.now).toISOString().slice(0, 10) });
    expect(primaryMetrics).toMatchObject([{ reason: "The last load did not compute a time series." }]);
  });

  test("400 for an experiment that has not started, and for a request that contradicts itself", async () => {
    const id = await pulse.experiment("in setup", { status: "setup" });
    expect(await refusal(start(id))).toEqual(invalid(["id", "has not started, so it has no results"]));
    const started = await make("contradicted");
    const [missing, unused] = ["is required to load single metrics", "must be left out of a load that is full"];
    expect(await refusal(start(started, { refresh: "metric" }))).toEqual(invalid(["metricIDs", missing]));
    expect(await refusal(start(started, { metricIDs: ["Revenue::sum"] }))).toEqual(invalid(["metricIDs", unused]));
  });

  test("409 while another load of the experiment runs", async () => {
    const id = await make("busy");
    const outcomes = await Promise.allSettled([start(id), start(id)]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const [{ dagID } = { dagID: "" }] = await readHistory(id);
    expect(await refusal(start(id))).toEqual(conflicting(`The experiment busy is loading already: its load ${dagID} has not finished.`));
    await pulse.run();
    await start(id);
    await pulse.run();
  });
});

describe("a metric that cannot be computed", () => {
  test("hurts no other, and says why", async () => {
    await pulse.metric("Accounts", { unitTypes: ["companyID"] });
    await pulse.metric("Overflow", { metricEvents: [{ name: "flood", type: "value" }] });
    const named = ["Revenue", "Missing", "Accounts", "Overflow"].map((name) => ({ name, type: "sum" }));
    const id = await make("partly", { primaryMetrics: named });
    // Its square is more than a double can hold.
    const value = `${"9".repeat(56)}e99`;
    const flood = { eventName: "flood", user: { userID: "a buyer" }, value, time: server.clock.now };
    await server.evaluation.logEvent({ body: { events: [flood] } });
    server.clock.now += 1;
    const { finishedState, metrics } = await pulse.load(id);
    const accounts = "It is computed for units of the type companyID, and those that are compared are of the type userID.";
    expect({ finishedState, metrics }).toEqual({
      finishedState: "partial_failure",
      metrics: [
        { metricID: "Revenue::sum", state: "success" },
        { metricID: "Missing::sum", state: "failure", reason: "The metric does not exist." },
        { metricID: "Accounts::sum", state: "failure", reason: accounts },
        { metricID: "Overflow::sum", state: "failure", reason: "The database refused it: value out of range: overflow." },
      ],
    });
    expect((await pulse.results(id)).primaryMetrics).toMatchObject([
      { controlTotal: 14 },
      { reason: "The metric does not exist." },
      { reason: accounts },
      { reason: "No results update has computed this metric yet." },
    ]);
  });

  test("that takes too long is ended, and keeps what earlier loads found out", needs.postgres, async () => {
    // Its amounts are not stored by days, so each load is one statement.
    const warehouseNative = { aggregation: "latest_value" };
    await pulse.metric("Latest", { type: "user_warehouse", warehouseNative });
    const id = await make("slow", { primaryMetrics: [{ name: "Latest", type: "user_warehouse" }] });
    await pulse.load(id);
    await start(id);
    const load = await claimLoad(server.database.db, { runner: "slow", now: server.clock.now, leaseMs: LEASE_MS });
    if (!load) throw new Error("There is no load.");
    const slow = {
      ...server.database,
      analyse: <Row>(_: string, __: unknown[], options: Parameters<typeof server.database.analyse>[2]) =>
        server.database.analyse<Row>("select pg_sleep(600)", [], { ...options, timeoutMs: Math.min(options.timeoutMs, 50) }),
    };
    await runLoad({ ...pulse.env(), database: slow }, load, 50);
    expect(await readLoad(id, load.id)).toMatchObject({
      finishedState: "timeout",
      metrics: [{ metricID: "Latest::user_warehouse", state: "timeout", reason: "It took longer than 0.05 s." }],
    });
    expect(await totals(id)).toEqual([14]);
  });
});

describe("cancelExperimentPulseLoad", () => {
  const cancel = (id: string, dagID: string) => server.client.cancelExperimentPulseLoad({ path: { id, dagID } });

  test("200: stops a load that waits; 409 once it has finished; 404 for one of another experiment", async () => {
    const id = await make("cancelled");
    const { dagID } = (await start(id)).data;
    expect(await cancel(id, dagID)).toEqual({ message: "Pulse load cancelled successfully." });
    await pulse.run();
    expect(await readLoad(id, dagID)).toMatchObject({
      finishedState: "cancelled",
      metrics: [
        { metricID: "Revenue::sum", state: "cancelled" },
        { metricID: "Buyers::event_user", state: "cancelled" },
      ],
      jobs: [],
    });
    expect(await refusal(cancel(id, dagID))).toEqual(conflicting(`The load ${dagID} has finished already: cancelled.`));
    const other = await make("not cancelled");
    expect(await refusal(cancel(other, dagID))).toMatchObject({ code: "not_found" });
  });

  test("stops a load that runs: what is computed afterwards is not stored", async () => {
    const id = await make("cancelled late", { primaryMetrics: [REVENUE] });
    const { dagID } = (await start(id)).data;
    const load = await claimLoad(server.database.db, { runner: "late", now: server.clock.now, leaseMs: LEASE_MS });
    if (!load) throw new Error("There is no load.");
    const { transaction } = server.database;
    let isCancelled = false;
    const meanwhile: typeof server.database = {
      ...server.database,
      async transaction(...given) {
        const result = await transaction(...given);
        if (!isCancelled) await cancel(id, dagID);
        isCancelled = true;
        return result;
      },
    };
    await runLoad({ ...pulse.env(), database: meanwhile }, load, 1_000);
    expect(await readLoad(id, dagID)).toMatchObject({ finishedState: "cancelled", metrics: [{ state: "cancelled" }], jobs: [] });
    expect((await pulse.results(id)).primaryMetrics).toMatchObject([{ reason: "No results update has computed this metric yet." }]);
  });
});

test("loads are forgotten 90 days after they finished, and with their experiment; results stay with the experiment", async () => {
  const id = await make("forgotten", { primaryMetrics: [REVENUE] });
  await pulse.load(id);
  server.clock.now += 90 * DAY_MS + 1;
  await deleteOldPulseLoads.run(pulse.env());
  expect(await readHistory(id)).toEqual([]);
  expect(await totals(id)).toEqual([14]);
  await server.client.deleteExperiment({ path: { id } });
  const left = await server.database.db.$queryRaw<unknown[]>`select from pulse_moments where "subjectID" = ${id}`;
  expect(left).toEqual([]);
});
