// Gatehouse against a bare Express + pg server on the same Postgres and rows, in turns. Prints rates, latencies and their ratios.
import { execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { newGate, STORED } from "./data.mjs";
import { measureIDList } from "./id-list.mjs";

const ROUNDS = 3;
const SECONDS = 5;
const KEY = "console-benchmark-0123456789";
const TARGETS = { get: 0.45, list: 0.7, update: 0.2, create: 0.2 };
const TITLES = { get: "get one gate", list: "list 100 gates", update: "full update of a gate", create: "create a gate" };

const databaseUrl = await createDatabase();
const ports = { gatehouse: 4801, bare: 4802 };
const urls = { gatehouse: `http://127.0.0.1:${ports.gatehouse}/console/v1/gates`, bare: `http://127.0.0.1:${ports.bare}/gates` };

await (await start("gatehouse")).stop(); // migrates
const milliseconds = await timeStart();
const gatehouse = await start("gatehouse", 0);
const idle = residentMemory(gatehouse.pid);
await seed();
const bare = await start("bare", 0);
await waitFor(`${urls.bare}/gate_0`);

const rows = [];
for (const kind of Object.keys(TARGETS)) rows.push(await compare(kind));
report(rows, { milliseconds, idle, loaded: residentMemory(gatehouse.pid) });
reportIDList(await measureIDList(urls.gatehouse.replace("gates", "segments"), KEY));
await Promise.all([gatehouse.stop(), bare.stop()]);

async function createDatabase() {
  const url = new URL(process.env.TEST_DATABASE_URL);
  const admin = new pg.Client(url.href);
  await admin.connect();
  const name = `gatehouse_bench_${process.pid}`;
  await admin.query(`create database ${name}`);
  await admin.end();
  url.pathname = `/${name}`;
  return url.href;
}

/** On one core if it is given. */
async function start(name, core) {
  const server = fileURLToPath(import.meta.resolve("@gatehouse/server/main"));
  const file = name === "bare" ? fileURLToPath(new URL("bare-server.mjs", import.meta.url)) : server;
  const child = spawn(...pinned(core, process.execPath, [file]), {
    env: { ...process.env, NODE_ENV: "production", DATABASE_URL: databaseUrl, PORT: String(ports[name]), GATEHOUSE_CONSOLE_KEY: KEY },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  if (name === "gatehouse") await waitFor(`${urls.gatehouse}?limit=1`);
  return {
    pid: child.pid,
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** Milliseconds from the start of the process, on a migrated database and all cores, to its first answer. */
async function timeStart() {
  const begin = performance.now();
  const server = await start("gatehouse");
  const milliseconds = Math.round(performance.now() - begin);
  await server.stop();
  return milliseconds;
}

async function waitFor(url) {
  for (;;) {
    const response = await fetch(url, { headers: { "SERVICE-API-KEY": KEY } }).catch(() => undefined);
    if (response?.ok) return void (await response.arrayBuffer());
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function seed() {
  for (let index = 0; index < STORED; index++) {
    const response = await fetch(urls.gatehouse, {
      method: "POST",
      headers: { "SERVICE-API-KEY": KEY, "Content-Type": "application/json" },
      body: JSON.stringify(newGate(`gate ${index}`)),
    });
    if (response.status !== 201) throw new Error(await response.text());
  }
  const client = new pg.Client(databaseUrl);
  await client.connect();
  await client.query("create table bare_gate (id text primary key, created_time bigint not null, entity text not null)");
  await client.query(`insert into bare_gate select id, "createdTime", entity from gate`);
  await client.query("vacuum analyze");
  await client.end();
}

/** Both servers in turns, so that a change of the machine's speed meets both; the median round counts. */
async function compare(kind) {
  const results = { gatehouse: [], bare: [] };
  for (const name of ["bare", "gatehouse"]) load(name, kind, 2);
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of ["bare", "gatehouse"]) results[name].push(load(name, kind, SECONDS));
  }
  const ratios = results.gatehouse.map(({ rate }, round) => rate / results.bare[round].rate);
  return { kind, bare: median(results.bare, "rate"), gatehouse: median(results.gatehouse, "rate"), ratio: median(ratios) };
}

function load(name, kind, seconds) {
  const run = `${name}-${kind}-${Date.now()}`;
  const options = JSON.stringify({ url: urls[name], seconds, kind, key: KEY, run });
  const [command, args] = pinned(1, process.execPath, [fileURLToPath(new URL("load.mjs", import.meta.url)), options]);
  const result = JSON.parse(execFileSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
  if (result.failed > 0) throw new Error(`${name} failed ${result.failed} requests of ${kind}`);
  return result;
}

function median(values, by) {
  const sorted = values.toSorted((a, b) => (by ? a[by] - b[by] : a - b));
  return sorted[Math.floor(sorted.length / 2)];
}

/** On one core, where one is given and the system can do that. */
function pinned(core, command, args) {
  const isPossible = core !== undefined && process.platform === "linux" && availableParallelism() > 1;
  return isPossible ? ["taskset", ["-c", String(core), command, ...args]] : [command, args];
}

/** MB, or undefined where the system does not tell. */
function residentMemory(pid) {
  if (process.platform !== "linux") return undefined;
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024);
}

function report(rows, { milliseconds, idle, loaded }) {
  const line = (...cells) => cells.map((cell, index) => (index === 0 ? cell.padEnd(23) : String(cell).padStart(11))).join("");
  process.stdout.write(
    `\n${STORED} gates of five rules, 16 connections, server on one core, median of ${ROUNDS} rounds of ${SECONDS} s\n\n`,
  );
  process.stdout.write(`${line("", "bare req/s", "p50 ms", "p99 ms", "ours req/s", "p50 ms", "p99 ms", "ratio", "target")}\n`);
  for (const { kind, bare, gatehouse, ratio } of rows) {
    const cells = [bare.rate.toFixed(0), bare.p50, bare.p99, gatehouse.rate.toFixed(0), gatehouse.p50, gatehouse.p99];
    process.stdout.write(`${line(TITLES[kind], ...cells, ratio.toFixed(2), `≥ ${TARGETS[kind].toFixed(2)}`)}\n`);
  }
  process.stdout.write(`\nfirst answer after start ${milliseconds} ms (target ≤ 1200)\n`);
  process.stdout.write(`resident memory ${idle} MB idle (≤ 180), ${loaded} MB after the load (≤ 300)\n`);
}

function reportIDList({ add, remove, lastPage, reset }) {
  process.stdout.write("\na list of a million ids, ms, the server still on one core\n");
  process.stdout.write(
    `add 100,000 ${add} (target ≤ 3000), remove them ${remove}, last page of 1,000 ${lastPage}, reset to 100,000 ${reset}\n`,
  );
}
