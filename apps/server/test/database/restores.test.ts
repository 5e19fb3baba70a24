import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { BACKUPS } from "../support/backups.ts";
import { asAdmin } from "../support/database.ts";
import { makeKey } from "../support/keys.ts";
import { needs } from "../support/needs.ts";
import { evaluateAll, type Listening, listen, readStreamUrl, untilSeen } from "../support/ofrep.ts";
import { type OwnPostgres, startOwnPostgres } from "../support/own-postgres.ts";
import { makeList } from "../support/segments.ts";
import type { TestServer } from "../support/server.ts";
import { databaseUrl } from "../support/template-database.ts";
import { waitFor } from "../support/wait-for.ts";

// A database is restored from a backup while a replica runs. Its numbers go back, and new changes use them again.

const GATE = { name: "flag", rules: [{ name: "all", passPercentage: 100, conditions: [{ type: "public" as const }] }] };
const USER = { targetingKey: "alice" };
/** Enough ids that SDKs download their list. */
const IDS = Array.from({ length: 1_001 }, (_, index) => `tester ${index}`);

let own: OwnPostgres;
let server: TestServer;
let key: string;
let list: string;
const streams: Listening[] = [];
beforeEach(async () => {
  own = await startOwnPostgres();
  ({ server } = own);
  ({ key } = await makeKey(server, { type: "SERVER" }));
  await server.client.createGate({ body: GATE });
  list = await makeList(server, IDS);
  const conditions = [{ type: "passes_segment" as const, targetValue: list }];
  await server.client.createGate({ body: { name: "for testers", rules: [{ name: "testers", passPercentage: 100, conditions }] } });
  await untilSeen(server, "for_testers");
}, 120_000);
afterEach(async () => {
  for (const stream of streams.splice(0)) stream.close();
  await own.close();
});

const flip = (isEnabled: boolean) => server.client.patchGate({ path: { id: "flag" }, body: { isEnabled } });
const read = async (at: TestServer, method: string, path: string, body?: object) => (await at.send(method, path, { key, body })).body;
const readSpecs = (at: TestServer, query = "") => read(at, "GET", `/v1/download_config_specs${query}`);
const initialize = (at: TestServer, more = {}) => read(at, "POST", "/v1/initialize", { user: { userID: "alice" }, hash: "none", ...more });
const readLists = async (at: TestServer) => (await read(at, "POST", "/v1/get_id_lists", {}))[list];
const isOn = (specs: { feature_gates: { name: string; enabled: boolean }[] }) =>
  specs.feature_gates.find(({ name }) => name === "flag")?.enabled;

/** Everything that clients remember. */
async function remember(at: TestServer) {
  return { specs: await readSpecs(at), values: await initialize(at), file: await readLists(at) };
}

async function open(requestUri: string, headers = {}) {
  const stream = await listen(server, requestUri, headers);
  streams.push(stream);
  await stream.next();
  return stream;
}

/** Changes that the backup does not have: the flag is turned off, and the list gets an id. Returns the clients' memory of them. */
async function changeWhatWillBeLost() {
  await flip(false);
  await server.client.addSegmentIDs({ path: { id: list }, body: { ids: ["lost"] } });
  const { rulesetTime } = await server.database.prisma.project.findUniqueOrThrow({ where: { id: "default" } });
  await waitFor(async () => expect((await readSpecs(server)).time).toBe(Number(rulesetTime)));
  return remember(server);
}

/** The next poll of each client reads the restored state, and later ones find no changes. */
async function expectRestored(at: TestServer, known: Awaited<ReturnType<typeof remember>>) {
  const since = `?sinceTime=${known.specs.time}`;
  // The restarted database accepts connections, but the replica has to open them.
  const specs = await waitForBody(
    () => readSpecs(at, since),
    (body) => body.has_updates === true,
  );
  expect([isOn(specs), specs.time > known.specs.time]).toEqual([true, true]);
  const values = await initialize(at, { sinceTime: known.values.time, full_checksum: known.values.full_checksum });
  expect([values.feature_gates.flag.value, values.time > known.values.time]).toEqual([true, true]);
  await waitFor(async () => {
    const file = await readLists(at);
    expect([file.fileID === known.file.fileID, file.creationTime > known.file.creationTime]).toEqual([false, true]);
  });
  const { time } = await readSpecs(at);
  expect(await readSpecs(at, `?sinceTime=${time}`)).toEqual({ has_updates: false });
}

async function waitForBody<T>(readBody: () => Promise<T>, isExpected: (body: T) => boolean): Promise<T> {
  let body = await readBody();
  await waitFor(async () => {
    body = await readBody();
    expect(isExpected(body)).toBe(true);
  });
  return body;
}

describe.each(Object.entries(BACKUPS))("a database that is restored %s", needs.installedPostgres, (_, backUp) => {
  test("reaches the clients and streams of a replica that runs on", async () => {
    const restore = await backUp(own.postgres, "gatehouse");
    const known = await changeWhatWillBeLost();
    const tag = (await evaluateAll(server, USER, { key })).headers.get("ETag") as string;
    const changes = await open("/console/v1/changes/stream", { "SERVICE-API-KEY": server.key });
    const flags = await open(await readStreamUrl(server, key));
    await restore();
    await expectRestored(server, known);
    expect(await changes.next()).toMatchObject({ event: "reset" });
    expect(await flags.next()).toMatchObject({ data: { type: "refetchEvaluation" } });
    expect((await evaluateAll(server, USER, { key, headers: { "If-None-Match": tag } })).status).toBe(200);
  });

  test("reaches the clients of a replica that starts after it", async () => {
    const restore = await backUp(own.postgres, "gatehouse");
    const known = await changeWhatWillBeLost();
    await restore();
    const fresh = await server.replica();
    await expectRestored(fresh, known);
    await fresh.close();
  });

  test("reaches the clients of every replica, when new changes have the numbers of lost ones", async () => {
    const restore = await backUp(own.postgres, "gatehouse");
    const known = await changeWhatWillBeLost();
    await server.database.cutOff();
    await restore();
    // The replica that ran on sees the database again when there are as many changes as before, and another one after that.
    const fresh = await server.replica({ ...server.database, url: own.direct });
    await fresh.client.patchGate({ path: { id: "flag" }, body: { description: "instead of a lost change" } });
    await fresh.client.addSegmentIDs({ path: { id: list }, body: { ids: ["new"] } });
    await fresh.client.createGate({ body: { name: "after it" } });
    own.proxy.restore();
    for (const at of [server, fresh]) await expectRestored(at, known);
    await waitFor(async () => expect(await readSpecs(server)).toEqual(await readSpecs(fresh)));
    await fresh.close();
  });
});

test("a replica keeps its ruleset while the tables of a restore have no rows yet", needs.installedPostgres, async () => {
  const { admin, postgres } = own;
  const run = (sql: string) => asAdmin(databaseUrl(postgres.url, "gatehouse"), sql);
  const before = await readSpecs(server);
  // As `pg_restore` begins: a table is empty, and the triggers are not there yet.
  await run(`alter trigger number_change on change rename to restored_later;
    create table restored_later as select * from gate; truncate gate; update project set "lastSeq" = "lastSeq" - 1`);
  await admin("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'gatehouse'");
  await waitFor(async () => expect(server.logged.join("")).toContain("The database is being restored."));
  expect(await readSpecs(server)).toEqual(before);
  await run("insert into gate select * from restored_later; alter trigger restored_later on change rename to number_change");
  await waitFor(async () => expect((await readSpecs(server)).time).toBeGreaterThan(before.time));
  expect((await readSpecs(server)).checksum).toBe(before.checksum);
});

test(
  "a replica that starts on a database that no server has seen for a minute takes it for a restored one",
  needs.installedPostgres,
  async () => {
    const { prisma } = server.database;
    const times = async () => {
      const { rulesetTime, restoredTime } = await prisma.project.findUniqueOrThrow({ where: { id: "default" } });
      return { rulesetTime, restoredTime };
    };
    const seen = () => prisma.databasePlace.findUniqueOrThrow({ where: { id: 1 } });
    await waitFor(async () => expect((await seen()).place).not.toBeNull());
    const before = await times();
    const { seenTime } = await seen();
    // Replicas that start beside another one find its row.
    await prisma.databasePlace.update({ where: { id: 1 }, data: { seenTime: seenTime - 30_000n } });
    const beside = await server.replica();
    await waitFor(async () => expect((await seen()).seenTime).toBeGreaterThanOrEqual(seenTime));
    expect(await times()).toEqual(before);
    await prisma.databasePlace.update({ where: { id: 1 }, data: { seenTime: seenTime - 61_000n } });
    const alone = await server.replica();
    await waitFor(async () => expect((await times()).restoredTime).toBeGreaterThan(before.rulesetTime));
    for (const replica of [beside, alone]) await replica.close();
  },
);
