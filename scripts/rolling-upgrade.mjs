// A rolling upgrade under load: a server of the previous release runs, this one starts beside it and migrates, and the previous one starts
// again. `node scripts/rolling-upgrade.mjs [REF]` builds the previous release from a git ref, by default the newest tag. Without a tag, this
// build is the previous release, and the new one has one more migration, which expands a table. Ends with 1 if a request fails, a rename
// is not found by the search, or an accepted event is not stored.
import { execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startPostgres } from "./postgres.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const SERVER = join(ROOT, "apps/server");
const { Client } = createRequire(join(SERVER, "package.json"))("pg");
const KEY = `console-${randomBytes(12).toString("hex")}`;
/** How long each step of the upgrade runs under load. */
const STEP_MS = 3_000;
/** The time that the new release may take to derive the data of the previous one again. */
const DERIVATION_MS = 60_000;
/** Requests that run beside each other on each server. */
const WORKERS = 2;
const NEXT_MIGRATION = `-- Works with servers whose last migration is 0001_baseline.
ALTER TABLE "gate" ADD COLUMN "expanded" INTEGER NOT NULL DEFAULT 0;
CREATE INDEX "gate_projectID_expanded_idx" ON "gate"("projectID", "expanded");
`;

const run = (command, args, cwd = ROOT) => execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });

/** The newest tag of a release, if any. */
const newestTag = () =>
  run("git", ["tag", "--sort=-v:refname"])
    .split("\n")
    .find((tag) => tag !== "");

/** The folders of the previous and the new server. */
function prepare(folder, ref) {
  if (ref === undefined) return { previous: SERVER, next: expand(join(folder, "next")) };
  const checkout = join(folder, "previous");
  run("git", ["worktree", "add", "--detach", checkout, ref]);
  for (const command of ["install --frozen-lockfile", "build"]) run("npx", ["--yes", "pnpm@12", ...command.split(" ")], checkout);
  return { previous: join(checkout, "apps/server"), next: SERVER };
}

/** A copy of this server with one more migration, and with other derived columns. */
function expand(folder) {
  mkdirSync(folder);
  for (const part of ["dist", "prisma", "package.json"]) cpSync(join(SERVER, part), join(folder, part), { recursive: true });
  symlinkSync(realpathSync(join(SERVER, "node_modules")), join(folder, "node_modules"));
  const migration = join(folder, "prisma/migrations/0002_expand");
  mkdirSync(migration);
  writeFileSync(join(migration, "migration.sql"), NEXT_MIGRATION);
  const derived = join(folder, "dist/store/entities/derived-columns.js");
  const source = readFileSync(derived, "utf8");
  writeFileSync(
    derived,
    source.replace(/DERIVATION = (\d+)/, (_, version) => `DERIVATION = ${Number(version) + 1}`),
  );
  return folder;
}

async function startServer(folder, databaseUrl) {
  const env = {
    PATH: process.env.PATH,
    HOST: "127.0.0.1",
    PORT: "0",
    DATABASE_URL: databaseUrl,
    GATEHOUSE_CONSOLE_KEY: KEY,
    LOG_LEVEL: "error",
  };
  const limits = { GATEHOUSE_WRITE_LIMIT: "off" };
  const child = spawn(process.execPath, [join(folder, "dist/main.js")], {
    env: { ...env, ...limits },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await new Promise((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
      const [, ready] = /Gatehouse is ready at (\S+)/.exec(text) ?? [];
      if (ready) resolve(ready);
    });
    child.once("exit", (code) => reject(new Error(`A server ended with ${code} at its start.`)));
  });
  const stop = () => new Promise((resolve) => child.once("exit", resolve).kill("SIGTERM"));
  return { url, stop };
}

/** Sent requests, events and renames, and the failures. */
const sent = { requests: 0, events: 0, renamed: new Map(), failures: [] };

async function send({ url }, method, path, body) {
  const headers = { "STATSIG-API-KEY": KEY, "Content-Type": "application/json" };
  const response = await fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  sent.requests += 1;
  const text = await response.text();
  if (!response.ok) sent.failures.push(`${method} ${path}: ${response.status} ${text.slice(0, 200)}`);
  return response.ok ? JSON.parse(text) : undefined;
}

/** Creates and renames gates, searches them, and sends events until the signal aborts. */
async function load(server, name, signal) {
  for (let count = 0; !signal.aborted; count++) {
    const created = await send(server, "POST", "/console/v1/gates", { name: `${name} ${count}` });
    // One word, which no other name contains.
    const renamed = `renamed-${name.replaceAll(" ", "-")}-${count}.`;
    if (created && (await send(server, "PATCH", `/console/v1/gates/${created.data.id}`, { name: renamed })))
      sent.renamed.set(renamed, created.data.id);
    await send(server, "GET", `/console/v1/gates?search=${encodeURIComponent(name)}`);
    const events = [{ eventName: "bought", user: { userID: `${name} ${count}` }, value: 1, time: Date.now() }];
    if (await send(server, "POST", "/v1/log_event", { events, statsigMetadata: {} })) sent.events += 1;
  }
}

/** Runs load on the servers for one step. */
async function step(title, servers) {
  const ended = new AbortController();
  const loads = servers.flatMap((server, index) =>
    Array.from({ length: WORKERS }, (_, worker) => load(server, `${title} ${index} ${worker}`, ended.signal)),
  );
  const before = sent.requests;
  await sleep(STEP_MS);
  ended.abort();
  await Promise.all(loads);
  process.stdout.write(`${title}: ${sent.requests - before} requests\n`);
}

async function findLosses(server, database) {
  for (const [name, id] of sent.renamed) {
    const { data = [] } = (await send(server, "GET", `/console/v1/gates?search=${encodeURIComponent(name)}&limit=100`)) ?? {};
    if (!data.some((gate) => gate.id === id)) sent.failures.push(`The search does not find the gate that was renamed to ${name}.`);
  }
  const { rows } = await database.query("select count(*)::int as count from event where name = 'bought'");
  if (rows[0].count !== sent.events) sent.failures.push(`${sent.events} events were accepted, and ${rows[0].count} are stored.`);
}

/** Waits until the new release has derived the data of the previous one again, which it begins at its start. */
async function awaitDerivation(server, database) {
  const last = (await send(server, "POST", "/console/v1/gates", { name: "the last one" })).data.id;
  const earlier = `select count(*)::int as count from gate where derivation < (select derivation from gate where id = '${last}')`;
  const deadline = Date.now() + DERIVATION_MS;
  for (;;) {
    const { rows } = await database.query(earlier);
    if (rows[0].count === 0) return;
    if (Date.now() > deadline) return sent.failures.push(`${rows[0].count} gates of the previous release were not derived again.`);
    await sleep(100);
  }
}

const ref = process.argv[2] ?? newestTag();
const folder = mkdtempSync(join(tmpdir(), "gatehouse-upgrade-"));
const postgres = await startPostgres();
const database = new Client(postgres.url);
try {
  const { previous, next } = prepare(folder, ref);
  process.stdout.write(`The previous release is ${ref ?? "this build, and the new one has one more migration"}.\n`);
  const old = await startServer(previous, postgres.url);
  await database.connect();
  await step("only the previous release", [old]);
  // The migration runs under load.
  const [starting] = await Promise.all([startServer(next, postgres.url), step("while the new release starts", [old])]);
  await step("both releases", [old, starting]);
  await old.stop();
  const again = await startServer(previous, postgres.url);
  await step("the previous release after a restart", [again, starting]);
  await again.stop();
  await step("only the new release", [starting]);
  await starting.stop();
  const last = await startServer(next, postgres.url);
  await awaitDerivation(last, database);
  await findLosses(last, database);
  await last.stop();
} finally {
  await database.end().catch(() => {});
  await postgres.remove();
  if (ref !== undefined) run("git", ["worktree", "remove", "--force", join(folder, "previous")]);
  rmSync(folder, { recursive: true, force: true });
}
const { requests, events, renamed, failures } = sent;
process.stdout.write(`${requests} requests, ${events} events, ${renamed.size} renames, ${failures.length} failures\n`);
for (const failure of failures.slice(0, 20)) process.stdout.write(`  ${failure}\n`);
process.exitCode = failures.length > 0 ? 1 : 0;
