import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeNamed } from "../support/fixtures.ts";
import { makeKey } from "../support/keys.ts";
import { forKeys } from "../support/operations.ts";
import { prepare } from "../support/prepare.ts";
import { seenBy } from "../support/seen-by.ts";
import { startServer, type TestServer } from "../support/server.ts";

// Sends the contract's example of each write with limited keys. What the keys do not reach must stay as it was.

const EVERY_SCOPE = ["omni_read_write", "can_access_keys"] as ("omni_read_write" | "can_access_keys")[];

let server: TestServer;
let staging: string;
let watch: string;
beforeAll(async () => {
  server = await startServer();
  await makeNamed(server);
  for (const name of ["iOS", "Watch"]) await server.client.createTargetApp({ body: { name } });
  staging = (await makeKey(server, { type: "CONSOLE", scopes: EVERY_SCOPE, environments: ["staging"] })).key;
  watch = (await makeKey(server, { type: "CONSOLE", scopes: EVERY_SCOPE, targetAppID: "Watch" })).key;
});
afterAll(() => server.close());

const writes = forKeys.filter(({ isWrite }) => isWrite);

/** The operations on what nothing evaluates. */
const OF_LABELS =
  /((?<!Gate)Alert|Tag|UnitIDType|Metric|MetricArchive|MetricSource|AssignmentSource|EntityPropertySource|Ingestion|IngestionSource|IngestionBackfill|IngestionSchedule|QualifyingEvent|PulseLoad)(Version)?$/;
/** Whose example changes nothing, or nothing that is evaluated, of what the fixtures make. */
const WITHOUT_EFFECT = [
  "addExperimentOverrides",
  "enableDynamicConfig",
  "enableGate",
  "patchGate",
  "patchGateRules",
  "patchLayer",
  "removeExperimentOverrides",
  "removeGateOverrides",
  "removeHoldoutOverrides",
  "removeLayerOverrides",
  "unarchiveDynamicConfig",
  "unarchiveGate",
];

describe("a key that is limited to staging receives 403, or leaves production as it was", () => {
  test.each(writes)("$operationId", async (operation) => {
    const { send } = await prepare(server, operation);
    const production = () => seenBy(server, { environments: ["production"] });
    const before = await production();
    const { status, body } = await send({ "SERVICE-API-KEY": staging });
    expect(await production()).toEqual(before);
    const { operationId } = operation;
    if (OF_LABELS.test(operationId) || WITHOUT_EFFECT.includes(operationId) || operationId.startsWith("restore")) return;
    // The key references staging, which the example drops.
    if (operationId === "updateEnvironments") return expect(status).toBe(409);
    expect([status, body.message]).toEqual([
      403,
      expect.stringMatching(/^Insufficient permissions\. This requires access to .+, but the key is limited to the environment staging\.$/),
    ]);
  });
});

describe("a key that is limited to a target app receives 403, or leaves other apps as they were", () => {
  test.each(writes)("$operationId", async (operation) => {
    const { send } = await prepare(server, operation);
    const elsewhere = () => seenBy(server, { targetApps: ["iOS"] });
    const before = await elsewhere();
    const { status, body } = await send({ "SERVICE-API-KEY": watch });
    expect(await elsewhere()).toEqual(before);
    const { operationId } = operation;
    if (OF_LABELS.test(operationId)) return;
    if (operationId === "updateEnvironments") return expect(status).toBe(409);
    expect([status, body.message]).toEqual([
      403,
      expect.stringMatching(/^Insufficient permissions\. This requires access to .+, but the key is limited to the target app Watch\.$/),
    ]);
  });
});
