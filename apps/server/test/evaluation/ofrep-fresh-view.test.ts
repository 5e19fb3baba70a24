import { afterAll, beforeAll, expect, test } from "vitest";
import { viewSince } from "../../src/evaluation/ofrep/fresh-view.ts";
import { replicaRulesets } from "../support/rulesets.ts";
import { startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
/** The rulesets of another replica. */
let rulesets: ReturnType<typeof replicaRulesets>;
beforeAll(async () => {
  server = await startServer();
  rulesets = replicaRulesets(server);
});
afterAll(async () => {
  await rulesets.close();
  await server.close();
});

const key = { projectID: "default", scope: { type: "CLIENT" as const, environments: [], targetApps: [] } };
const gateNames = (view: Awaited<ReturnType<typeof viewSince>>) => view.ruleset.gates.values().map(({ name }) => name);

test("a view waits for a change that another replica knows", async () => {
  await rulesets.view(key.projectID, key.scope);
  const later = server.clock.now + 5_000;
  const waiting = viewSince(rulesets, key, later, 20_000);
  await server.client.createGate({ body: { name: "too_early" } });
  server.clock.now = later;
  await server.client.createGate({ body: { name: "awaited" } });
  const view = await waiting;
  expect(view.time).toBe(later);
  expect(gateNames(view)).toEqual(["awaited", "too_early"]);
});

test("a view does not wait for a known change, and stops waiting at the timeout", async () => {
  const { time } = await rulesets.view(key.projectID, key.scope);
  expect((await viewSince(rulesets, key, time, 3_600_000)).time).toBe(time);
  expect((await viewSince(rulesets, key, time + 1, 10)).time).toBe(time);
});
