import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sealAuditLog } from "../../src/jobs/seal-audit-log.ts";
import { createLog } from "../../src/common/log.ts";
import { createAuditKey } from "../../src/store/database/audit-key.ts";
import { withAuditKey } from "../../src/store/database/database.ts";
import { createTestDatabase } from "../support/database.ts";
import { makeKey } from "../support/keys.ts";
import { requiredAccess, fill, neededQuery, operations } from "../support/operations.ts";
import { prepare } from "../support/prepare.ts";
import { makeList } from "../support/segments.ts";
import { startOver, type TestServer } from "../support/server.ts";
import { TEST_KEY } from "../support/template-database.ts";
import { askRestored, type Release, type Request } from "./answers.ts";
import { AUDIT_KEY, readApplied, writeDump } from "./dump.ts";

// Run by `pnpm --filter server upgrade-dump` at a release: leaves a dump of this version with its answers.

const HOUR_MS = 3_600_000;
const MAX_BYTES = 200_000;
const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
const folder = new URL(`${version}/`, import.meta.url);

/** Lists of everything that was written. Their first entries are enough. */
const LIMITED = ["listAuditLogs", "listChanges"];
const reads = operations.filter(({ method }) => method === "GET");

let server: TestServer;
beforeAll(async () => {
  const database = await createTestDatabase();
  server = await startOver({ ...database, ...withAuditKey(database, createAuditKey(AUDIT_KEY)) });
});
afterAll(() => server.close());

const seal = () => sealAuditLog.run({ database: server.database, log: createLog("silent", { write() {} }), now: () => server.clock.now });

test(`leaves a dump of ${version} that restores, under ${MAX_BYTES / 1_000} kB`, async () => {
  const evaluations = await fillProject();
  // Evaluations come last, since their counts are stored a moment later.
  const requests = [...(await prepareReads()), ...evaluations];
  for (const request of requests) await send(request);
  await seal();
  // From an hour after the first seal on, entries must be signed.
  server.clock.now += 2 * HOUR_MS;
  await server.client.createTag({ body: { name: "after the first seal" } });
  await seal();

  const [sql, migrations] = [await writeDump(server.database), await readApplied(server.database)];
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL("dump.sql", folder), sql);
  const { now } = server.clock;
  const { answers, trail, findings } = await askRestored(folder, { now, migrations }, requests);
  expect(findings).toEqual([]);
  const release: Release = {
    now,
    migrations,
    trail,
    answers: requests.map((request, index) => ({ ...request, answer: answers[index] as never })),
  };
  writeFileSync(new URL("answers.json", folder), inLines(release));
  expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  expect(sql.length).toBeLessThan(MAX_BYTES);
});

/** The release as JSON with a line for each answer. */
function inLines({ answers, ...release }: Release): string {
  const lines = answers.map((answer) => JSON.stringify(answer)).join(",\n");
  return `${JSON.stringify(release).slice(0, -1)},"answers":[\n${lines}\n]}\n`;
}

function send({ method, path, headers, hasSession, body }: Request) {
  return server.send(method, path, { body, headers, ...(!hasSession && { key: null }) });
}

/** A request of each operation that reads. Operations below one path share an entity, which is made for them. */
async function prepareReads(): Promise<Request[]> {
  const made = new Map<string, Record<string, string>>([["/console/v1/events/", { eventName: "purchase" }]]);
  const requests: Request[] = [];
  for (const operation of reads) {
    const [collection = ""] = operation.path.split("{");
    const known = made.get(collection) ?? {};
    if (!listParameters(operation.path).every((name) => name in known)) {
      const { fixture } = await prepare(server, operation, operation.operationId);
      made.set(collection, { ...known, ...fixture?.parameters });
    }
    const query = [neededQuery(operation), LIMITED.includes(operation.operationId) && "limit=20"].filter(Boolean).join("&");
    const access = requiredAccess(operation);
    const hasSession = access === "session" || access === "administrator";
    requests.push({
      method: "GET",
      path: `${fill(operation.path, made.get(collection) ?? {})}${query && `?${query}`}`,
      ...(hasSession ? { hasSession } : { headers: { "SERVICE-API-KEY": TEST_KEY } }),
    });
  }
  return requests;
}

const listParameters = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name).filter((name) => name !== "version");

const USERS = [
  { userID: "alice", email: "alice@example.com", custom: { plan: "pro" } },
  { userID: "bob", customIDs: { companyID: "acme" }, country: "NZ" },
  { userID: "listed" },
];

/** Fills the project with entities that decide the users' values, and reports events. @returns requests of the evaluation API */
async function fillProject(): Promise<Request[]> {
  const { client, evaluation } = server;
  const everyone = { name: "Everyone", conditions: [{ type: "public" as const }] };
  const list = await makeList(server, ["listed", "another"]);
  await client.createGate({
    body: {
      name: "upgrade_gate",
      isEnabled: true,
      rules: [
        { name: "Listed", passPercentage: 100, conditions: [{ type: "passes_segment", targetValue: list }] },
        { name: "Plan", passPercentage: 100, conditions: [{ type: "custom_field", field: "plan", operator: "any", targetValue: ["pro"] }] },
        { ...everyone, passPercentage: 50 },
      ],
    },
  });
  await client.createHoldout({ body: { name: "upgrade_holdout", passPercentage: 10, gateIDs: ["upgrade_gate"] } });
  await client.createDynamicConfig({
    body: {
      name: "upgrade_config",
      isEnabled: true,
      defaultValue: { color: "gray" },
      rules: [{ ...everyone, passPercentage: 50, returnValue: { color: "blue" } }],
    },
  });
  await client.createLayer({
    body: { name: "upgrade_layer", idType: "userID", parameters: [{ name: "color", type: "string", defaultValue: "gray" }] },
  });
  const groups = ["gray", "blue"].map((color) => ({ id: color, name: color, size: 50, parameterValues: { color } }));
  const { id } = (
    await client.createExperiment({
      body: { name: "upgrade_experiment", layerID: "upgrade_layer", allocation: 50, groups, status: "active" },
    })
  ).data;
  await client.addExperimentOverrides({ path: { id }, body: { overrides: [], userIDOverrides: [{ groupID: "blue", ids: ["bob"] }] } });
  const [serverKey, clientKey] = [await makeKey(server), await makeKey(server, { type: "CLIENT" })];
  const post = (path: string, key: string, body: object): Request => ({ method: "POST", path, headers: { "STATSIG-API-KEY": key }, body });
  const requests = [
    { method: "GET", path: `/v1/download_config_specs/${serverKey.key}.json` },
    { method: "GET", path: `/v2/download_config_specs/${serverKey.key}.json` },
    post("/v1/get_id_lists", serverKey.key, {}),
    ...USERS.flatMap((user) => [
      post("/v1/initialize", clientKey.key, { user, hash: "none" }),
      post("/v1/check_gate", serverKey.key, { gateName: "upgrade_gate", user }),
      post("/v1/get_config", serverKey.key, { configName: "upgrade_config", user }),
      post("/v1/get_layer", serverKey.key, { layerName: "upgrade_layer", user }),
      post("/ofrep/v1/evaluate/flags", serverKey.key, { context: { targetingKey: user.userID, ...user } }),
    ]),
  ];
  const exposure = { eventName: "statsig::config_exposure", metadata: { config: id, ruleID: "blue" } };
  await evaluation.logEvent({
    body: {
      events: USERS.flatMap((user) => [
        { eventName: "purchase", value: 9.5, metadata: { sku: "x" }, user },
        { ...exposure, user },
      ]),
    },
  });
  return requests;
}
