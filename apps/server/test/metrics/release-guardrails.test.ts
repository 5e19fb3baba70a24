import { afterAll, beforeAll, expect, test } from "vitest";
import { guardrailChecks } from "../../src/jobs/guardrail-checks.ts";
import { toplineAlertChecks } from "../../src/jobs/topline-alert-checks.ts";
import { HOUR_MS, pulseOn } from "../support/pulse.ts";
import { phase, releasing, toStaff } from "../support/releasing.ts";
import { refusal, startServer, type TestServer } from "../support/server.ts";
import { waitFor } from "../support/wait-for.ts";

let server: TestServer;
let pulse: ReturnType<typeof pulseOn>;
beforeAll(async () => {
  server = await startServer();
  pulse = pulseOn(server);
  await pulse.metric("revenue");
});
afterAll(() => server.close());

const { pipelines, gate: makeGate, guard, pass } = releasing(() => server);
const HALF = { id: "half", name: "Every second user", passPercentage: 50, conditions: [] };
const REVENUE = { name: "revenue", type: "sum", maxHarmPercent: 10 };
const everyone = (given: object) => phase("all", [{ type: "public" }], given);
const check = () => guardrailChecks.run(pulse.env());

/** Releases a rule that half of the users pass, and waits until its exposures are known as its own. */
async function releaseHalf(...phases: ReturnType<typeof phase>[]): Promise<{ gateID: string; releaseID: string }> {
  const gateID = await makeGate(phases, { rules: [HALF] });
  await waitFor(async () => {
    const { body } = await server.send("GET", "/v1/download_config_specs");
    expect(body.feature_gates.map(({ name }: { name: string }) => name)).toContain(gateID);
  });
  const { data } = await server.client.listReleases({ query: { gateID } });
  return { gateID, releaseID: data[0]?.id ?? "" };
}

const read = async (id: string) => (await server.client.getRelease({ path: { id } })).data;

/** Units that pass or fail and buy for half as much or for twice as much. */
async function logHarm(gateID: string): Promise<void> {
  const units = [true, false].flatMap((passed) =>
    Array.from({ length: 150 }, (_, index) => ({ unit: `${gateID} ${passed} ${index}`, passed, value: (passed ? 5 : 10) + index / 150 })),
  );
  await pulse.logChecks(gateID, units);
}

test("a phase is paused by a metric that is worse than it may be, says why, and goes on once someone resumes it", async () => {
  const { gateID, releaseID } = await releaseHalf(everyone({ timeIntervalMs: 48 * HOUR_MS, guardrailMetrics: [REVENUE] }));
  await logHarm(gateID);
  await check();
  await guard();
  const paused = await read(releaseID);
  expect(paused).toMatchObject({
    status: "PAUSED",
    breaches: [
      {
        ...{ kind: "METRIC", id: "revenue::sum", time: server.clock.now, isAcknowledged: false },
        reason: "The metric is worse by more than 10% for units that pass the rule “Every second user”.",
      },
    ],
  });
  expect(paused.actions.at(-1)).toMatchObject({ type: "PAUSED", phaseID: "all", actorID: "system", actorName: "GATEHOUSE" });
  await server.client.resumeRelease({ path: { id: releaseID }, body: { phaseID: "all" } });
  await guard();
  expect(await read(releaseID)).toMatchObject({ status: "IN_PROGRESS", breaches: [{ isAcknowledged: true }] });
});

test("a phase ends after the first check of its metrics at the earliest, and is paused if there is none for a quarter of an hour", async () => {
  const phases = [everyone({ guardrailMetrics: [REVENUE] }), phase("rest", [])];
  const checked = await releaseHalf(...phases);
  await pass(HOUR_MS);
  expect(await read(checked.releaseID)).toMatchObject({ status: "IN_PROGRESS", currentPhaseID: "all" });
  await check();
  await pass(0);
  expect(await read(checked.releaseID)).toMatchObject({ status: "IN_PROGRESS", currentPhaseID: "rest" });
  const late = await releaseHalf(...phases);
  await pass(HOUR_MS + 15 * 60_000);
  expect(await read(late.releaseID)).toMatchObject({
    status: "PAUSED",
    breaches: [{ kind: "METRIC", id: "revenue::sum", reason: "The metric was not checked during the phase. The server's log says why." }],
  });
});

test("a phase is paused by an alert, also in the moment when it would end", async () => {
  const alert = { alertType: "threshold" as const, metrics: { A: { id: "revenue::sum" } }, condition: "less" as const };
  const { data } = await server.client.createAlert({
    body: { name: "No revenue", ...alert, alertThreshold: 10, windowMs: 300_000, priority: "P1" },
  });
  const guarded = { guardrailAlerts: [data.id] };
  const { releaseID } = await releaseHalf(everyone(guarded), phase("rest", []));
  server.clock.now += HOUR_MS;
  await toplineAlertChecks.run(pulse.env());
  await pass(0);
  const { status, breaches } = await read(releaseID);
  expect(status).toBe("PAUSED");
  expect(breaches).toEqual([
    {
      kind: "ALERT",
      id: data.id,
      reason: "The value of revenue over the last 5 minutes is 0, which is less than the alert threshold of 10.",
      time: server.clock.now,
      isAcknowledged: false,
    },
  ]);
  expect(await refusal(server.client.deleteAlert({ path: { id: data.id } }))).toMatchObject({ status: 409 });
  await server.client.deleteAlert({ path: { id: data.id }, query: { forceArchive: true } });
  expect(await refusal(server.client.getAlert({ path: { id: data.id } }))).toMatchObject({ status: 404 });
});

test("metrics cannot guard a dynamic config, or a gate without a rule that divides its units", async () => {
  const releasePipelineID = await pipelines.create(toStaff({ guardrailMetrics: [REVENUE] }));
  const config = { name: "unguarded config", defaultValue: { a: 1 }, releasePipelineID };
  expect((await refusal(server.client.createDynamicConfig({ body: config }))).message).toBe(
    "Phase staff has guardrail metrics, which cannot guard dynamic config unguarded_config: only alerts can guard dynamic configs.",
  );
  const gate = { name: "unguarded gate", rules: [{ ...HALF, passPercentage: 100 }], releasePipelineID };
  expect((await refusal(server.client.createGate({ body: gate }))).message).toBe(
    "Phase staff has guardrail metrics, which cannot guard gate unguarded_gate: metrics compare the units that pass a rule with those that fail it, and no rule does both.",
  );
});
