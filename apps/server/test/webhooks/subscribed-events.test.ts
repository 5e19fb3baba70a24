import type { WritableSchema } from "@gatehouse/contract/console";
import { afterAll, beforeAll, expect, test } from "vitest";
import { automatedRollouts } from "../../src/jobs/automated-rollouts.ts";
import { experimentHealth } from "../../src/jobs/experiment-health.ts";
import { guardrailChecks } from "../../src/jobs/guardrail-checks.ts";
import { toplineAlertChecks } from "../../src/jobs/topline-alert-checks.ts";
import { webhooks } from "../../src/jobs/webhooks.ts";
import { pulseOn } from "../support/pulse.ts";
import { reviewOf } from "../support/reviewing.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { waitFor } from "../support/wait-for.ts";
import { startReceiver } from "../support/webhook-receiver.ts";

let server: TestServer;
let pulse: ReturnType<typeof pulseOn>;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
beforeAll(async () => {
  server = await startServer();
  pulse = pulseOn(server);
  receiver = await startReceiver();
});
afterAll(async () => {
  receiver.close();
  await server.close();
});

const HALF = { id: "half", name: "half", passPercentage: 50, conditions: [] };

/** A review of a change to a gate. @returns its ID */
async function requestReview(): Promise<string> {
  const { id } = (await server.client.createGate({ body: { name: "reviewed" } })).data;
  const change = { path: { id }, query: { requestReview: true }, body: { description: "New." } };
  return (await reviewOf(server.client.patchGate(change))).id;
}

/** An alert on a metric, raised by its check. @returns its ID */
async function raiseAlert(): Promise<string> {
  await server.client.createMetric({ body: { name: "orders", type: "sum", metricEvents: [{ name: "order", type: "value" }] } });
  const watched = { metrics: { A: { id: "orders::sum" } }, windowMs: 600_000, priority: "P2" } as const;
  const condition = { alertType: "threshold", condition: "greater", alertThreshold: 100 } as const;
  const { id } = (await server.client.createAlert({ body: { name: "Many orders", message: "Look.", ...condition, ...watched } })).data;
  const time = server.clock.now - 60_000;
  await server.evaluation.logEvent({ body: { events: [{ eventName: "order", user: { userID: "ann" }, value: 200, time }] } });
  await toplineAlertChecks.run(pulse.env());
  return id;
}

/** A gate whose users buy less, beyond the guardrail of its metric. @returns the gate's ID */
async function breakGuardrail(): Promise<string> {
  await pulse.metric("revenue");
  const monitoringMetrics = [{ name: "revenue", type: "sum", guardrail: { maxHarmPercent: 10 } }];
  const { id } = (await server.client.createGate({ body: { name: "guarded", rules: [HALF], monitoringMetrics } })).data;
  // Exposures count once the ruleset has the gate.
  await waitFor(async () => {
    const { body: ruleset } = await server.send("GET", "/v1/download_config_specs");
    expect(ruleset.feature_gates.map((spec: { name: string }) => spec.name)).toContain(id);
  });
  const buildUnits = (passed: boolean, value: number) =>
    Array.from({ length: 150 }, (_, index) => ({ unit: `${passed} ${index}`, passed, value: value + index / 150 }));
  await pulse.logChecks(id, [...buildUnits(true, 5), ...buildUnits(false, 10)]);
  await guardrailChecks.run(pulse.env());
  return id;
}

/** An experiment that has lost units. @returns its ID */
async function loseUnits(): Promise<string> {
  const id = await pulse.experiment("unhealthy");
  const units = (group: string, count: number) =>
    Array.from({ length: count }, (_, index) => ({ unit: `${group} ${index}`, group, purchases: [] }));
  await pulse.log(id, [...units("control", 300), ...units("test", 200)], server.clock.now);
  await experimentHealth.run(pulse.env());
  return id;
}

/** A gate with a step of its rollout that was due. @returns the gate's ID */
async function rollOut(): Promise<string> {
  const pendingAutomatedRollouts = [{ time: server.clock.now + 1_000, passPercent: 100 }];
  const { id } = (await server.client.createGate({ body: { name: "rolled out", rules: [{ ...HALF, pendingAutomatedRollouts }] } })).data;
  server.clock.now += 1_000;
  await automatedRollouts.run(pulse.env());
  return id;
}

type Filters = Pick<WritableSchema<"WebhookCreate">, "entityTypes" | "actions">;

test.each<[string, Filters, () => Promise<string>, object]>([
  ["a requested review", { entityTypes: ["review"] }, requestReview, { type: "review.created" }],
  ["a raised alert", { entityTypes: ["topline_alert"], actions: ["recorded"] }, raiseAlert, { type: "topline_alert.recorded" }],
  ["a guardrail alert", { entityTypes: ["guardrail_alert"], actions: ["recorded"] }, breakGuardrail, { type: "guardrail_alert.recorded" }],
  [
    "the health of an experiment",
    { entityTypes: ["experiment_health"], actions: ["recorded"] },
    loseUnits,
    { type: "experiment_health.recorded" },
  ],
  [
    "a step of a rollout",
    { entityTypes: ["gate"], actions: ["updated"] },
    rollOut,
    { type: "gate.updated", data: { operationID: "carryOutGateRollouts", version: 2 } },
  ],
])("%s reaches a webhook with the documented filters", async (name, filters, cause, message) => {
  const path = `/${encodeURIComponent(name)}`;
  await server.client.createWebhook({ body: { name, url: receiver.url(path), ...filters } });
  const id = await cause();
  await webhooks.run({ database: server.database, log: server.log, now: () => server.clock.now });
  const received = receiver.at(path).map(({ body }) => body);
  expect(received).toEqual([expect.objectContaining({ type: (message as { type: string }).type })]);
  expect(received[0]).toMatchObject(message);
  expect(JSON.stringify(received[0].data)).toContain(id);
});
