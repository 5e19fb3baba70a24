import { type ConsoleClient, createConsoleClient } from "@gatehouse/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "../../src/common/utc-day.ts";
import { dailyLoads } from "../../src/jobs/daily-loads.ts";
import { pulseLoads } from "../../src/jobs/pulse-loads.ts";
import { removeDeletedProjects } from "../../src/jobs/remove-deleted-projects.ts";
import { sampleProject } from "../../src/jobs/sample-project.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { asPerson } from "../support/sessions.ts";
import { TEST_SESSION } from "../support/template-database.ts";

let server: TestServer;
/** The answers before, during and after the one load that all tests share. */
const answers: Record<string, unknown> = {};
let id: string;
let client: ConsoleClient;

beforeAll(async () => {
  server = await startServer();
  answers.before = await read();
  const [one, other] = await Promise.all([create(), create()]);
  id = one.body.data.id;
  answers.created = [one, other].map(({ status, body }) => [status, body.data.id]);
  await loadDays(12);
  answers.interrupted = await read();
  // Two replicas continue.
  await Promise.all([sampleProject.run(env()), sampleProject.run(env())]);
  answers.loading = await read();
  await dailyLoads.run(env());
  await Promise.all([pulseLoads.run(env()), pulseLoads.run(env())]);
  await sampleProject.run(env());
  client = createConsoleClient({ baseUrl: server.url, projectID: id, retry: { attempts: 1 }, fetch: withSession });
});
afterAll(() => server.close());

const env = () => ({ database: server.database, log: server.log, now: () => server.clock.now });
const create = () => server.send("POST", "/console/v1/sample_project");
const read = async () => (await server.send("GET", "/console/v1/sample_project")).body.data;

/** Runs the job until a number of days are loaded: it asks for the time once a day. */
async function loadDays(count: number): Promise<void> {
  const stopping = new AbortController();
  let days = 0;
  const now = () => {
    days += 1;
    if (days === count) stopping.abort();
    return server.clock.now;
  };
  await sampleProject.run({ ...env(), now, stopping: stopping.signal });
}

const withSession: typeof fetch = (request) => {
  const sent = new Request(request as Request);
  for (const [name, value] of Object.entries(asPerson(TEST_SESSION))) sent.headers.set(name, value);
  return fetch(sent);
};

/** How many rows of a project each table has, except the change log, which is the audit log. */
async function countRows(projectID: string): Promise<Record<string, number>> {
  const { prisma } = server.database;
  const tables = await prisma.$queryRaw<{ name: string }[]>`
    select relname::text as name from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and attname = 'projectID' and relname <> 'change'`;
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await prisma.$queryRawUnsafe<{ count: number }[]>(
      `select count(*)::int as count from "${name}" where "projectID" = $1`,
      projectID,
    );
    if (row?.count) counts[name] = row.count;
  }
  return counts;
}

type Results = { recommendation?: string; metrics: Record<string, [percentChange: number, isSignificant?: boolean]> };

/** The recommendation of an experiment's results, and of each metric the relative change in percent and whether it is significant. */
async function readResults(experiment: string): Promise<Results> {
  const { data } = await client.getExperimentPulseResults({ path: { id: experiment }, query: { control: "control", test: "treatment" } });
  const metrics = [...data.primaryMetrics, ...data.secondaryMetrics];
  return {
    recommendation: data.scorecard?.recommendation,
    metrics: Object.fromEntries(
      metrics.map(({ metricName, percentChange, isSignificant }) => [metricName, [Number(percentChange?.toFixed(2)), isSignificant]]),
    ),
  };
}

describe("getSampleProject", () => {
  test("200: loading of the sample project can be followed", async () => {
    expect(answers.before).toEqual({ id: null, state: "absent", loadedDays: 0, days: 40 });
    expect(answers.interrupted).toEqual({ id, state: "loading", loadedDays: 12, days: 40 });
    expect(answers.loading).toEqual({ id, state: "loading", loadedDays: 40, days: 40 });
    expect(await read()).toEqual({ id, state: "ready", loadedDays: 40, days: 40 });
  });
});

describe("createSampleProject", () => {
  test("200: two requests, an interruption and two replicas load each day of one shop exactly once", async () => {
    expect(answers.created).toEqual([
      [200, id],
      [200, id],
    ]);
    const counts = await server.database.prisma.$queryRaw<{ name: string; count: number }[]>`
      select name, sum(count)::int as count from event_count where "projectID" = ${id} group by 1 order by 1`;
    expect(Object.fromEntries(counts.map(({ name, count }) => [name, count]))).toEqual({
      product_view: 33_884,
      add_to_cart: 8_022,
      begin_checkout: 4_906,
      add_shipping_info: 3_891,
      purchase: 2_905,
      page_timeout: 1_087,
      "statsig::config_exposure": 17_501,
      "statsig::gate_exposure": 4_375,
    });
  });

  test("200: one experiment is shipped, one is better so far, and one is better but harms a guardrail", async () => {
    const { data: decided } = await client.getExperiment({ path: { id: "free_shipping_bar" } });
    expect(decided).toMatchObject({ status: "decision_made", launchedGroupID: "treatment" });
    expect(await readResults("free_shipping_bar")).toEqual({
      recommendation: "ship",
      metrics: {
        Buyers: [33.26, true],
        Revenue: [43.69, true],
        "Average order value": [1.21, false],
      },
    });
    expect((await client.getExperiment({ path: { id: "one_page_checkout" } })).data.status).toBe("active");
    expect(await readResults("one_page_checkout")).toEqual({
      recommendation: "ship",
      metrics: {
        Buyers: [20.36, true],
        Revenue: [28.38, true],
        "Checkout funnel": [20.36, true],
        "Average order value": [-0.73, false],
      },
    });
    expect(await readResults("larger_photos")).toEqual({
      recommendation: "dontShip",
      metrics: {
        "Product views": [25.75, true],
        Buyers: [-6.7, false],
        "Page timeouts": [180.11, true],
      },
    });
    const { data: found } = await client.listExperimentAlerts({ path: { id: "larger_photos" } });
    expect(found.alerts).toMatchObject([{ groupID: "treatment", metricID: "Page timeouts::event_count_custom", resolvedTime: null }]);
  });

  test("200: an alert is raised, a gate is stale, a rollout has steps ahead, and a dashboard shows them", async () => {
    const { data: dashboards } = await client.listDashboards();
    expect(dashboards.map(({ id, widgets }) => [id, widgets.length])).toEqual([["weekly_store_review", 7]]);
    expect((await client.listAlerts()).data).toMatchObject([{ id: "page_timeouts", status: "alert", value: 46 }]);
    expect((await client.getGate({ path: { id: "new_search" } })).data.typeReason).toBe("STALE_PROBABLY_LAUNCHED");
    const { rules } = (await client.getGate({ path: { id: "express_delivery" } })).data;
    expect(rules).toMatchObject([
      {
        passPercentage: 20,
        pendingAutomatedRollouts: [
          { time: server.clock.now + 20 * HOUR_MS, passPercent: 50 },
          { time: server.clock.now + 3 * DAY_MS, passPercent: 100 },
        ],
      },
    ]);
  });
});

describe("the sample project", () => {
  test("has a holdout of a draft, a param store of a gate and a config, and a prompt with a live version and a candidate", async () => {
    expect((await client.listHoldouts()).data).toMatchObject([
      { passPercentage: 5, experimentIDs: ["sticky_cart_button"], isEnabled: true },
    ]);
    const { data: stores } = await client.listParamStores();
    expect(stores.map(({ id, parameters }) => [id, parameters.map(({ ref_type }) => ref_type)])).toEqual([
      ["checkout_page", ["static", "gate", "dynamic_config"]],
    ]);
    const [prompt] = (await client.listPrompts()).data;
    expect(prompt?.versions?.map(({ id, name }) => [name, id === prompt.liveVersionID])).toEqual([
      ["First answers", true],
      ["Shorter answers", false],
    ]);
  });
});

// Last, since it removes what the tests above read.
describe("deleteProject", () => {
  test("200: the deleted sample project leaves rows of its audit log only, and can be created again", async () => {
    expect(await countRows(id)).toMatchObject({ sample_project: 1, event: 76_571, pulse_load: 4, guardrail_alert: 1, alert: 1 });
    expect((await server.send("DELETE", `/console/v1/projects/${id}`)).status).toBe(200);
    expect(await read()).toEqual({ id: null, state: "absent", loadedDays: 0, days: 40 });
    await removeDeletedProjects().run(env());
    expect(await countRows(id)).toEqual({});
    const again = (await create()).body.data;
    expect(again).toEqual({ id: expect.any(String), state: "loading", loadedDays: 0, days: 40 });
    expect(again.id).not.toBe(id);
  });
});
