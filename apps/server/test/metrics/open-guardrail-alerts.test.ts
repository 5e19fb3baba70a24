import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toplineAlertChecks } from "../../src/jobs/topline-alert-checks.ts";
import { SETTINGS } from "../support/autotunes.ts";
import { pulseOn } from "../support/pulse.ts";
import { startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const FOUND = { maxHarmPercent: 10, percentChange: -50, percentInterval: [-60, -40] };

/** Stores the alert that a check raises. Later ones are newer. */
async function raise(subjectType: "experiment" | "gate", subjectID: string, partID: string, metricID: string): Promise<string> {
  const [{ count } = { count: 0 }] = await server.database.prisma.$queryRaw<{ count: number }[]>`
    select count(*)::int as count from guardrail_alert`;
  const [id, finding] = [`alert ${count}`, JSON.stringify({ metricID, ...FOUND })];
  const [{ id: projectID } = { id: "" }] = (await server.client.listProjects({})).data;
  await server.database.prisma.$executeRaw`
    insert into guardrail_alert ("projectID", id, "subjectType", "subjectID", "partID", "metricID", "raisedTime", finding)
    values (${projectID}, ${id}, ${subjectType}, ${subjectID}, ${partID}, ${metricID}, ${count}, ${finding})`;
  return id;
}

const list = (query = {}) => server.client.listGuardrailAlerts({ query });
const ids = async () => (await list()).data.map(({ id }) => id);
const GROUPS = ["control", "green"].map((id) => ({ id, name: `The ${id} group`, size: 50 }));

describe("listGuardrailAlerts", () => {
  test("returns the open alerts of running experiments and of gates in progress with all names, newest first", async () => {
    const { client } = server;
    const { data: experiment } = await client.createExperiment({
      body: { name: "Button color", status: "active", groups: GROUPS, controlGroupID: "control" },
    });
    await client.createExperiment({ body: { name: "Draft" } });
    const rules = [{ id: "half", name: "Half of everyone", passPercentage: 50, conditions: [] }];
    const { data: gate } = await client.createGate({ body: { name: "New checkout", rules } });
    await client.createGate({ body: { name: "Old checkout", rules } });
    const ofExperiment = await raise("experiment", experiment.id, "green", "Sign::ups::event_user");
    await raise("experiment", "draft", "green", "Revenue::sum");
    await raise("gate", "old_checkout", "half", "Revenue::sum");
    await client.archiveGate({ path: { id: "old_checkout" } });
    const ofGate = await raise("gate", gate.id, "half", "Revenue::sum");
    const ofOldRule = await raise("gate", gate.id, "removed", "Revenue::sum");
    const entity = { entityType: "gate", entityID: "new_checkout", entityName: "New checkout" };
    const revenue = { metricID: "Revenue::sum", metricName: "Revenue", metricType: "sum", ...FOUND };
    const { data } = await list();
    expect(data).toEqual([
      { id: ofOldRule, ...entity, partID: "removed", partName: null, ...revenue, raisedTime: 4 },
      { id: ofGate, ...entity, partID: "half", partName: "Half of everyone", ...revenue, raisedTime: 3 },
      {
        ...{ id: ofExperiment, entityType: "experiment", entityID: "button_color", entityName: "Button color" },
        ...{ partID: "green", partName: "The green group", ...revenue, raisedTime: 0 },
        ...{ metricID: "Sign::ups::event_user", metricName: "Sign::ups", metricType: "event_user" },
      },
    ]);
    const { data: second, pagination } = await list({ limit: 2, page: 2 });
    expect(second).toEqual(data.slice(2));
    expect(pagination).toMatchObject({ totalItems: 3, nextPage: null, previousPage: "/console/v1/guardrail_alerts?page=1&limit=2" });

    await client.resolveGateAlert({ path: { id: gate.id, metricId: "Revenue::sum" }, body: {} });
    expect(await ids()).toEqual([ofExperiment]);
    await client.abandonExperiment({ path: { id: experiment.id }, body: { decisionReason: "It hurts." } });
    expect(await ids()).toEqual([]);
  });
});

test("lists of holdouts, autotunes and alerts find the entities in a status", async () => {
  const { client } = server;
  for (const isEnabled of [true, false]) await client.createHoldout({ body: { name: `holdout ${isEnabled}`, isEnabled } });
  const holdouts = async (isEnabled: boolean) => (await client.listHoldouts({ query: { isEnabled } })).data.map(({ id }) => id);
  expect([await holdouts(true), await holdouts(false)]).toEqual([["holdout_true"], ["holdout_false"]]);

  const { data: autotune } = await client.createAutotune({ body: { ...SETTINGS, name: "wording" } });
  const autotunes = async (status: ("setup" | "active" | "decision_made")[]) =>
    (await client.listAutotunes({ query: { status } })).data.map(({ id }) => id);
  expect([await autotunes(["setup"]), await autotunes(["active", "decision_made"])]).toEqual([["wording"], []]);
  await client.startAutotune({ path: { id: autotune.id } });
  expect([await autotunes(["setup"]), await autotunes(["active", "decision_made"])]).toEqual([[], ["wording"]]);

  const pulse = pulseOn(server);
  await pulse.metric("steps");
  await client.createAlert({
    body: {
      name: "Few steps",
      alertType: "threshold",
      metrics: { A: { id: "steps::sum" } },
      condition: "less",
      alertThreshold: 1,
      windowMs: 300_000,
      priority: "P3",
    },
  });
  const alerts = async (status: ("alert" | "stable")[]) => (await client.listAlerts({ query: { status } })).data.map(({ id }) => id);
  expect(await alerts(["alert", "stable"])).toEqual([]);
  await toplineAlertChecks.run(pulse.env());
  expect([await alerts(["alert"]), await alerts(["stable"])]).toEqual([["few_steps"], []]);
  const reason = async () => (await client.getAlert({ path: { id: "few_steps" } })).data.statusReason;
  expect(await reason()).toContain("The value of steps over the last 5 minutes");
  await pulse.metric("steps", { type: "mean" });
  server.clock.now += 3_600_000;
  await toplineAlertChecks.run(pulse.env());
  expect(await reason()).toContain("The value of steps (sum) over the last 5 minutes");
});
