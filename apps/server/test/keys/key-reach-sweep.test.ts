import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { KeyScope } from "../../src/common/context.ts";
import { kinds } from "../../src/console/kinds.ts";
import { type Check, checkAll } from "../support/checks.ts";
import { rowsWithoutEvents } from "../support/faults.ts";
import { makeNamed } from "../support/fixtures.ts";
import { makeKey } from "../support/keys.ts";
import { forKeys, type SweptOperation } from "../support/operations.ts";
import { prepare } from "../support/prepare.ts";
import { seenBy } from "../support/seen-by.ts";
import { startServer, type TestServer } from "../support/server.ts";

// Sends the contract's example of each write with limited keys. Everything outside their reach must stay as it was.

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

/** The types of entities that are never evaluated. */
const UNEVALUATED = new Set<string | undefined>(
  kinds.filter(({ reach }) => reach.environments === "none" && reach.targetApps === "none").map(({ type }) => type),
);
/** The other operations that leave evaluation as it is. */
const ON_DATA = /(ExperimentAlert|Ingestion|IngestionBackfill|PromptEvaluation|PulseLoad|WebhookEvent)$/;
const isUnevaluated = ({ entity, operationId }: SweptOperation) => UNEVALUATED.has(entity) || ON_DATA.test(operationId);
/** Operations whose example leaves the fixtures or their evaluation as they are. */
const WITHOUT_EFFECT = [
  "addExperimentOverrides",
  "enableDynamicConfig",
  "enableGate",
  "patchGate",
  "patchGateRules",
  "patchLayer",
  "patchPrompt",
  "removeExperimentOverrides",
  "removeGateOverrides",
  "removeHoldoutOverrides",
  "removeLayerOverrides",
  "unarchiveDynamicConfig",
  "unarchiveGate",
];

type Limited = { key: () => string; limits: Partial<KeyScope>; limit: string; mayWrite(operation: SweptOperation): boolean };
type Prepared = Awaited<ReturnType<typeof prepare>>;

const KEYS: Record<"staging" | "Watch", Limited> = {
  staging: {
    key: () => staging,
    limits: { environments: ["production"] },
    limit: "the environment staging",
    mayWrite: (one) => isUnevaluated(one) || WITHOUT_EFFECT.includes(one.operationId) || one.operationId.startsWith("restore"),
  },
  Watch: { key: () => watch, limits: { targetApps: ["iOS"] }, limit: "the target app Watch", mayWrite: isUnevaluated },
};

/** Sends a write with a limited key. It is refused without storing anything, or changes only parts within the key's reach. */
async function checkReach(prepared: Prepared, operation: SweptOperation, { key, limits, limit, mayWrite }: Limited): Promise<void> {
  const headers = { "SERVICE-API-KEY": key() };
  const isRefused = (await prepared.send(headers, "?dryRun=true")).status >= 400;
  // Reading the others' evaluations takes long. If no row changes, it stays the same.
  const unreached = () => (isRefused ? rowsWithoutEvents(server.database) : seenBy(server, limits));
  const before = await unreached();
  const { status, body } = await prepared.send(headers);
  expect(await unreached()).toEqual(before);
  if (mayWrite(operation)) return;
  // The key references its limit, which the example drops.
  if (operation.operationId === "updateEnvironments") return expect(status).toBe(409);
  const message = `Insufficient permissions\\. This requires access to .+, but the key is limited to ${limit}\\.`;
  expect([status, body.message]).toEqual([403, expect.stringMatching(new RegExp(`^${message}$`))]);
}

const CHECKS = Object.entries(KEYS).map(
  ([name, limited]): Check<{ operation: SweptOperation; prepared: Prepared }> => ({
    title: `a key that is limited to ${name} receives 403, or leaves the rest as it was`,
    applies: () => true,
    run: ({ prepared, operation }) => checkReach(prepared, operation, limited),
  }),
);

describe("a write with a limited key changes nothing that the key doesn't reach", () => {
  test.each(writes)("$operationId", async (operation) => {
    await checkAll({ operation, prepared: await prepare(server, operation) }, CHECKS);
  });
});
