import { afterAll, beforeAll, expect, test } from "vitest";
import { viewSince } from "../src/evaluation/ofrep/fresh-view.ts";
import { replicaRulesets } from "./support/rulesets.ts";
import { startServer, type TestServer } from "./support/server.ts";

let server: TestServer;
/** Those of another replica. */
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
const gatesOf = (view: Awaited<ReturnType<typeof viewSince>>) => view.ruleset.gates.values().map(({ name }) => name);

test("a change that is known elsewhere is waited for", async () => {
  await rulesets.view(key.projectID, key.scope);
  const later = server.clock.now + 5_000;
  const waiting = viewSince(rulesets, key, later, 20_000);
  await server.client.createGate({ body: { name: "too_early" } });
  server.clock.now = later;
  await server.client.createGate({ body: { name: "awaited" } });
  const view = await waiting;
  expect(view.time).toBe(later);
  expect(gatesOf(view)).toEqual(["awaited", "too_early"]);
});

test("what is known here already is not waited for, and what never comes not for long", async () => {
  const { time } = await rulesets.view(key.projectID, key.scope);
  expect((await viewSince(rulesets, key, time, 3_600_000)).time).toBe(time);
  expect((await viewSince(rulesets, key, time + 1, 10)).time).toBe(time);
});
