import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { KeyScope } from "../../src/common/context.ts";
import { kinds } from "../../src/console/kinds.ts";
import { type Check, checkAll } from "../support/checks.ts";
import { rowsWithoutEvents } from "../support/faults.ts";
import { makeNamed } from "../support/fixtures.ts";
import { makeKey } from "../support/keys.ts";
import { connectClient, OUTSIDE, sendByTool } from "../support/mcp.ts";
import { forKeys, type SweptOperation } from "../support/operations.ts";
import { prepare } from "../support/prepare.ts";
import { seenBy } from "../support/seen-by.ts";
import { startServer, type TestServer } from "../support/server.ts";

// Sends the contract's example of each write with limited keys, as a request and by a tool for AI agents. Everything outside their reach must
// stay as it was.

const EVERY_SCOPE = ["omni_read_write" as const, "can_access_keys" as const, "mcp_write" as const];

type Caller = { key: string; tools: Awaited<ReturnType<typeof connectClient>> };

let server: TestServer;
let staging: Caller;
let watch: Caller;
beforeAll(async () => {
  server = await startServer();
  await makeNamed(server);
  for (const name of ["iOS", "Watch"]) await server.client.createTargetApp({ body: { name } });
  const connect = async (limits: Parameters<typeof makeKey>[1]): Promise<Caller> => {
    const { key } = await makeKey(server, { type: "CONSOLE", scopes: EVERY_SCOPE, ...limits });
    return { key, tools: await connectClient(server, key) };
  };
  staging = await connect({ environments: ["staging"] });
  watch = await connect({ targetAppID: "Watch" });
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

type Limited = { caller: () => Caller; limits: Partial<KeyScope>; limit: string; mayWrite(operation: SweptOperation): boolean };
type Prepared = Awaited<ReturnType<typeof prepare>>;

const KEYS: Record<"staging" | "Watch", Limited> = {
  staging: {
    caller: () => staging,
    limits: { environments: ["production"] },
    limit: "the environment staging",
    mayWrite: (one) => isUnevaluated(one) || WITHOUT_EFFECT.includes(one.operationId) || one.operationId.startsWith("restore"),
  },
  Watch: { caller: () => watch, limits: { targetApps: ["iOS"] }, limit: "the target app Watch", mayWrite: isUnevaluated },
};

/** Each attempt to create an entity gives it another ID, which the refusal names. */
const withoutNewID = ({ message, ...error }: { message: string }) => ({ ...error, message: message.replace(/\b\w{22,}\b/, "ID") });

/** Sends a write with a limited key. It is refused without storing anything, or changes only parts within the key's reach. */
async function checkReach(prepared: Prepared, operation: SweptOperation, { caller, limits, limit, mayWrite }: Limited): Promise<void> {
  const { key, tools } = caller();
  const headers = { "SERVICE-API-KEY": key };
  const isRefused = (await prepared.send(headers, "?dryRun=true")).status >= 400;
  // Reading the others' evaluations takes long. If no row changes, it stays the same.
  const unreached = () => (isRefused ? rowsWithoutEvents(server.database) : seenBy(server, limits));
  const before = await unreached();
  const { status, body } = await prepared.send(headers);
  const byTool = await sendByTool(tools, operation, { parameters: prepared.fixture?.parameters, body: prepared.body });
  expect(await unreached()).toEqual(before);
  if (isRefused && !OUTSIDE.test(byTool.text)) expect([byTool.isError, withoutNewID(byTool.body)]).toEqual([true, withoutNewID(body)]);
  if (mayWrite(operation)) return;
  // The key references its limit, which the example drops.
  if (operation.operationId === "updateEnvironments") return expect(status).toBe(409);
  const message = `Insufficient permissions\\. This requires access to .+, but the key is limited to ${limit}\\.`;
  expect([status, body.message]).toEqual([403, expect.stringMatching(new RegExp(`^${message}$`))]);
}

const CHECKS = Object.entries(KEYS).map(
  ([name, limited]): Check<{ operation: SweptOperation; prepared: Prepared }> => ({
    title: `a key that is limited to ${name} and its tools receive 403, or leave the rest as it was`,
    applies: () => true,
    run: ({ prepared, operation }) => checkReach(prepared, operation, limited),
  }),
);

describe("a write with a limited key changes nothing that the key doesn't reach", () => {
  test.each(writes)("$operationId", async (operation) => {
    await checkAll({ operation, prepared: await prepare(server, operation) }, CHECKS);
  });
});
