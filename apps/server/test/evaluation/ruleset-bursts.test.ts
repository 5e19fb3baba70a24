import { afterAll, beforeAll, expect, test } from "vitest";
import { replicaRulesets } from "../support/rulesets.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { waitFor } from "../support/wait-for.ts";

/** The minimum interval between two reads of the changes, ms. */
const READ_INTERVAL_MS = 25;
const GATES = 40;

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

test("all changes of a burst are applied, in batches at most once per interval", async () => {
  const scope = { type: "SERVER" as const, environments: [], targetApps: [] };
  const view = () => rulesets.view("default", scope);
  await view();
  let notified = 0;
  rulesets.subscribe("default", () => {
    notified += 1;
  });
  const begin = performance.now();
  await Promise.all(Array.from({ length: GATES }, (_, index) => server.client.createGate({ body: { name: `gate_${index}` } })));
  await waitFor(async () => expect((await view()).ruleset.gates.values()).toHaveLength(GATES));
  expect(notified).toBeGreaterThan(0);
  expect(notified).toBeLessThanOrEqual((performance.now() - begin) / READ_INTERVAL_MS + 1);
});
