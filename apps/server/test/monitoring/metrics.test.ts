import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createInstruments } from "../../src/common/instruments.ts";
import { type Job, type RunningJobs, startJobs } from "../../src/jobs/jobs.ts";
import { createQueueCounts } from "../../src/jobs/queue-counts.ts";
import { webhooks } from "../../src/jobs/webhooks.ts";
import { createTestDatabase } from "../support/database.ts";
import { evaluationMakers } from "../support/fixture-evaluations.ts";
import { makeKey } from "../support/keys.ts";
import { needs } from "../support/needs.ts";
import { evaluate, evaluateAll, listen, readStreamUrl } from "../support/ofrep.ts";
import { pulseOn } from "../support/pulse.ts";
import { readMetrics } from "../support/read-metrics.ts";
import { scheduling } from "../support/scheduling.ts";
import { startOver, startServer, type TestServer } from "../support/server.ts";
import { waitFor } from "../support/wait-for.ts";
import { startReceiver } from "../support/webhook-receiver.ts";

const queues = createQueueCounts();
let running: RunningJobs | undefined;
let server: TestServer;
let key: string;
beforeAll(async () => {
  server = await startServer({ queues: queues.latest, jobDelays: () => running?.delays() ?? [] });
  ({ key } = await makeKey(server, { type: "SERVER" }));
  await server.client.createGate({ body: { name: "seen" } });
});
afterAll(() => server.close());

const metric = async (name: string) => (await readMetrics(server)).get(name);
/** By how much metrics grow during work. */
async function growth(names: string[], work: () => Promise<unknown>): Promise<number[]> {
  const before = await readMetrics(server);
  await work();
  const after = await readMetrics(server);
  return names.map((name) => (after.get(name) ?? 0) - (before.get(name) ?? 0));
}

describe("the metrics of evaluations", () => {
  const countOf = (operation: string) => `gatehouse_evaluations_total{operation="${operation}"}`;
  const post = (path: string, body: object) => server.send("POST", path, { body, headers: { "STATSIG-API-KEY": key }, key: null });

  test("count each flag that exists, by operation, and an answer of initializeClient once", async () => {
    const operations = ["evaluateFlag", "evaluateFlags", "checkGate", "getConfigValue", "getLayerValue", "initializeClient"];
    await server.client.createDynamicConfig({ body: { name: "colors" } });
    await server.client.createLayer({ body: { name: "page", idType: "userID" } });
    const grown = await growth(operations.map(countOf), async () => {
      await evaluate(server, "seen", { targetingKey: "alice" }, { key });
      await evaluate(server, "absent", { targetingKey: "alice" }, { key });
      await evaluateAll(server, { targetingKey: "alice" }, { key });
      await post("/v1/check_gate", { gateNames: ["seen", "absent"] });
      await post("/v1/get_config", { configName: "colors" });
      await post("/v1/get_layer", { layerName: "page" });
      await post("/v1/initialize", { user: { userID: "alice" } });
    });
    expect(grown).toEqual([1, 3, 1, 1, 1, 1]);
  });
});

describe("the metrics of rulesets and streams", () => {
  test("count open streams and projects in memory, and measure how long a change took to arrive", async () => {
    const stream = await listen(server, await readStreamUrl(server, key));
    await stream.next();
    expect([await metric("gatehouse_flag_streams"), await metric("gatehouse_flag_streams_limit")]).toEqual([1, 5_000]);
    const [changes = 0, projects] = await growth(["gatehouse_ruleset_propagation_seconds_count", "gatehouse_rulesets"], async () => {
      await server.client.createGate({ body: { name: "announced" } });
      await stream.next();
    });
    expect([changes > 0, projects, await metric("gatehouse_rulesets")]).toEqual([true, 0, 1]);
    stream.close();
    await waitFor(async () => expect(await metric("gatehouse_flag_streams")).toBe(0));
  });

  test("show an age of the rulesets that grows while the database is away", needs.postgres, async () => {
    const other = await startOver({ ...(await createTestDatabase()), changePollMs: 50 });
    await evaluate(other, "seen", { targetingKey: "alice" });
    const age = async () => (await readMetrics(other)).get("gatehouse_ruleset_age_seconds") ?? 0;
    await other.database.cutOff();
    await waitFor(async () => expect(await age()).toBeGreaterThan(2));
    await other.close();
  });
});

describe("the metrics of events", () => {
  test("count stored events, and measure how long storing them took", async () => {
    const names = ["gatehouse_events_total", "gatehouse_event_store_duration_seconds_count", "gatehouse_events_refused"];
    const events = [{ eventName: "a" }, { eventName: "b" }, { eventName: "" }];
    expect(await growth(names, () => server.send("POST", "/v1/log_event", { body: { events } }))).toEqual([2, 1, 1]);
    expect(await metric("gatehouse_events_undelivered_seconds")).toBe(0);
  });
});

describe("the metrics of the database", () => {
  test("measure how long work waits for a connection, if that is in a pool", needs.postgres, async () => {
    const [waits = 0] = await growth(["gatehouse_database_connection_wait_seconds_count"], () =>
      server.client.createGate({ body: { name: "waits" } }),
    );
    expect(waits).toBeGreaterThan(0);
    expect(await metric('gatehouse_database_connections{state="waiting"}')).toBe(0);
  });
});

describe("the metrics of jobs", () => {
  test("count runs by outcome, measure them, and show a run that delays the next one", async () => {
    const instruments = createInstruments();
    const own = await startServer({ jobDelays: () => running?.delays() ?? [] });
    let finish = () => {};
    let runs = 0;
    const failsThenLasts: Job = {
      name: "slow",
      intervalMs: 1,
      run() {
        runs += 1;
        if (runs === 1) return Promise.reject(new Error("broken"));
        return new Promise((resolve) => {
          finish = resolve;
        });
      },
    };
    running = startJobs([failsThenLasts], { database: own.database, log: own.log, now: () => 7_000, instruments });
    await waitFor(async () => expect((await readMetrics(own)).get('gatehouse_job_delay_seconds{job_name="slow"}')).toBeGreaterThan(0));
    const stopped = running.stop();
    finish();
    await stopped;
    const job_name = "slow";
    expect((await instruments.jobRuns.get()).values.map(({ labels, value }) => ({ ...labels, value }))).toEqual([
      { job_name, outcome: "failure", value: 1 },
      { job_name, outcome: "success", value: 1 },
    ]);
    expect((await instruments.jobSuccesses.get()).values).toEqual([{ labels: { job_name }, value: 7 }]);
    const durations = (await instruments.jobDurations.get()).values;
    expect(durations.find(({ metricName }) => metricName === "gatehouse_job_duration_seconds_count")?.value).toBe(2);
    expect((await readMetrics(own)).get('gatehouse_job_delay_seconds{job_name="slow"}')).toBe(0);
    running = undefined;
    await own.close();
  });

  test("show the length of each queue, and how long its oldest item has waited", async () => {
    const state = async () => {
      await queues.job.run({ database: server.database, log: server.log, now: () => server.clock.now });
      const values = await readMetrics(server);
      return Object.fromEntries(
        ["emails", "loads", "ingestion_runs", "prompt_evaluations", "scheduled_changes", "webhook_deliveries"].map((queue) => [
          queue,
          [values.get(`gatehouse_queue_length{queue="${queue}"}`), values.get(`gatehouse_queue_oldest_seconds{queue="${queue}"}`)],
        ]),
      );
    };
    const empty = {
      emails: [0, 0],
      loads: [0, 0],
      ingestion_runs: [0, 0],
      prompt_evaluations: [0, 0],
      scheduled_changes: [0, 0],
      webhook_deliveries: [0, 0],
    };
    expect(await state()).toEqual(empty);
    const pulse = pulseOn(server);
    const id = await pulse.experiment("waits for results");
    await server.client.startExperimentPulseLoad({ path: { id }, body: {} });
    await evaluationMakers["/console/v1/prompts/{id}/evaluations/{evaluationID}"]?.(server, "queued");
    const receiver = await startReceiver();
    receiver.answer("/", (response) => response.writeHead(503).end());
    await server.client.createWebhook({ body: { name: "queued", url: receiver.url("/"), entityTypes: ["tag"] } });
    await server.client.createTag({ body: { name: "queued" } });
    await webhooks.run({ database: server.database, log: server.log, now: () => server.clock.now });
    receiver.close();
    const { change } = await scheduling(() => server).scheduleEnabling();
    server.clock.now = change.applyAt + 2_000;
    const waited = (server.clock.now - change.applyAt) / 1_000 + 3_600;
    expect(await state()).toEqual({
      ...empty,
      loads: [1, waited],
      prompt_evaluations: [1, waited],
      scheduled_changes: [1, 2],
      // It is due five seconds after the first attempt.
      webhook_deliveries: [1, waited - 5],
    });
  });

  test("measure updates of results by their state", async () => {
    const pulse = pulseOn(server);
    const id = await pulse.experiment("is loaded");
    const instruments = createInstruments();
    await server.client.startExperimentPulseLoad({ path: { id }, body: {} });
    await pulse.run({ instruments });
    const counts = (await instruments.loads.get()).values.filter(
      ({ metricName }) => metricName === "gatehouse_load_duration_seconds_count",
    );
    expect(counts.map(({ labels, value }) => [labels.state, value > 0])).toEqual([["success", true]]);
  });
});
