// The capacity of one replica, as docs/operate/capacity.md states it: `node ../scripts/with-postgres.mjs node capacity.mjs`. It prints CPU time,
// which other processes of a machine change less than rates: a core has 1,000 ms of it a second.
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { copyGates } from "./data.mjs";
import { EVENTS_PER_BATCH, STORED } from "./gates.mjs";
import { load, median } from "./measure.mjs";
import { call, databaseUrl, findPostgres, KEY, root, start, startIdle } from "./servers.mjs";
import { openStreams } from "./streams.mjs";
import { cpuSeconds, cpuSecondsWithChildren, residentMemory, watchStolenTime } from "./system.mjs";

const SIZES = [100, STORED, 10_000];
const ROUNDS = 3;
const SECONDS = 3;
const CHANGES = 10;
const STREAMS = 2_000;
const KINDS = {
  evaluate: "OFREP, one flag",
  initialize: "initialize",
  evaluateAll: "OFREP, all flags",
  unchanged: "ruleset download, unchanged",
  logEvents: `${EVENTS_PER_BATCH} events in one request`,
  logEvent: "one event in one request",
  get: "console: get a gate",
  list: "console: list 100 gates",
  patch: "console: change a gate",
};

const stolen = watchStolenTime();
await (await start("gatehouse")).stop(); // migrates
const client = new pg.Client(databaseUrl);
await client.connect();
const postgres = await findPostgres();
const origin = new URL(root).origin;

row("gates", "ruleset, kB", "gzip, kB", "memory, MB", "CPU of a change, ms", "initialize, CPU ms");
row(..."------");
for (const size of SIZES) {
  await copyGates(client, size);
  const server = await startIdle("gatehouse");
  await download();
  const [plain, gzip] = [await downloadSize("identity"), await downloadSize("gzip")];
  const changes = [];
  for (let round = 0; round <= ROUNDS; round++) changes.push(await costOfChange(server.pid));
  const initialize = (await medianCost(server.pid, "initialize")).server;
  row(size, kilobytes(plain), kilobytes(gzip), residentMemory(server.pid), median(changes.slice(1)).toFixed(1), initialize.toFixed(2));
  await server.stop();
}
// The loads disable gates, so they come after all sizes.
await client.query("delete from gate where substr(id, 6)::int >= $1", [STORED]);
const replica = await startIdle("gatehouse");
await measureReplica(replica.pid);
await replica.stop();
// On a new server, whose memory grows by the streams alone.
const streaming = await startIdle("gatehouse");
await measureStreams(streaming.pid);
await streaming.stop();
await client.end();
process.stdout.write(`\nThe hypervisor gave ${(stolen.share() * 100).toFixed(0)}% of the processor time to others.\n`);
process.exit(0);

async function measureReplica(pid) {
  process.stdout.write(`\nWith ${STORED} gates:\n\n`);
  row("request", "CPU of the server, ms", "CPU of Postgres, ms", "a second on one core of the server");
  row(..."----");
  for (const [kind, title] of Object.entries(KINDS)) {
    const cost = await medianCost(pid, kind);
    row(title, cost.server.toFixed(2), cost.postgres.toFixed(2), (1_000 / cost.server).toFixed(0));
  }
}

/** The CPU time of a request, ms, after a warm-up. */
async function medianCost(pid, kind) {
  await load("gatehouse", kind, SECONDS);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await costOf(pid, kind));
  return median(rounds, "server");
}

async function costOf(pid, kind) {
  const before = [cpuSeconds(pid), cpuSecondsWithChildren(postgres)];
  const { count } = await load("gatehouse", kind, SECONDS);
  const [server, database] = [cpuSeconds(pid) - before[0], cpuSecondsWithChildren(postgres) - before[1]];
  return { server: (server * 1_000) / count, postgres: (database * 1_000) / count };
}

/** The CPU time of a change of a gate, until its ruleset is downloaded, ms. */
async function costOfChange(pid) {
  const before = cpuSeconds(pid);
  for (let change = 0; change < CHANGES; change++) {
    const { time } = await download();
    await call("PATCH", "/gates/gate_7", { description: `Change ${change} at ${Date.now()}.`, isEnabled: change % 2 === 0 });
    while ((await download(time)).has_updates === false) await sleep(20);
  }
  return ((cpuSeconds(pid) - before) * 1_000) / CHANGES;
}

async function download(sinceTime = 0) {
  const response = await fetch(`${origin}/v1/download_config_specs?sinceTime=${sinceTime}`, { headers: { "SERVICE-API-KEY": KEY } });
  return response.json();
}

async function downloadSize(encoding) {
  const headers = { "SERVICE-API-KEY": KEY, "Accept-Encoding": encoding };
  const response = await fetch(`${origin}/v1/download_config_specs`, { headers });
  await response.arrayBuffer();
  return Number(response.headers.get("Content-Length"));
}

async function measureStreams(pid) {
  const response = await fetch(`${origin}/ofrep/v1/evaluate/flags`, {
    method: "POST",
    headers: { Authorization: `Bearer ${KEY}`, "Content-Type": "application/json" },
    body: '{"context":{"targetingKey":"alice"}}',
  });
  const { requestUri } = (await response.json()).eventStreams[0].endpoint;
  const idle = residentMemory(pid);
  const streams = await openStreams(Number(new URL(origin).port), requestUri, STREAMS);
  await sleep(2_000);
  const memory = ((residentMemory(pid) - idle) * 1_024) / STREAMS;
  const costs = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = cpuSeconds(pid);
    const begin = performance.now();
    const notified = streams.untilNotified();
    await call("PATCH", "/gates/gate_7", { description: `Streamed in round ${round}.`, isEnabled: round % 2 === 0 });
    const { lastMs } = await notified(begin);
    await sleep(500);
    costs.push({ cpu: (cpuSeconds(pid) - before) * 1_000, lastMs });
  }
  streams.close();
  const { cpu, lastMs } = median(costs, "cpu");
  process.stdout.write(`\n${STREAMS} streams: ${memory.toFixed(0)} KiB of memory each. `);
  process.stdout.write(`A change costs ${cpu.toFixed(0)} ms of CPU, and the last stream has it after ${lastMs.toFixed(0)} ms.\n`);
}

function kilobytes(bytes) {
  return (bytes / 1_000).toFixed(0);
}

function row(...cells) {
  process.stdout.write(`| ${cells.join(" | ")} |\n`);
}
