// Gatehouse against a bare Express + pg server on the same Postgres and rows, in turns. Prints rates, latencies and their ratios.
import pg from "pg";
import { createGates } from "./data.mjs";
import { measureEvaluation } from "./evaluation.mjs";
import { measureEvaluator } from "./evaluator.mjs";
import { STORED } from "./gates.mjs";
import { load, median } from "./measure.mjs";
import { measureScale } from "./scale.mjs";
import { databaseUrl, residentMemory, start, timeStart, urls, waitFor } from "./servers.mjs";

const ROUNDS = 3;
const SECONDS = 5;
const TARGETS = { get: 0.45, list: 0.7, update: 0.2, create: 0.2 };
const TITLES = { get: "get one gate", list: "list 100 gates", update: "full update of a gate", create: "create a gate" };

await (await start("gatehouse")).stop(); // migrates
const milliseconds = await timeStart();
let gatehouse = await start("gatehouse", 0);
const idle = residentMemory(gatehouse.pid);
await seed();
const bare = await start("bare", 0);
await waitFor(`${urls.bare}/gate_0`);
// First, while there are as many gates as are told, and on a server of its own: one that applications read from keeps the ruleset up to date.
process.stdout.write("\n");
await measureEvaluation(print);
await gatehouse.stop();
gatehouse = await start("gatehouse", 0);

const rows = [];
for (const kind of Object.keys(TARGETS)) rows.push(await compare(kind));
report(rows, { milliseconds, idle, loaded: residentMemory(gatehouse.pid) });
process.stdout.write("\n");
await measureScale(print);
measureEvaluator();
await Promise.all([gatehouse.stop(), bare.stop()]);

async function seed() {
  await createGates(0, STORED);
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
  for (const name of ["bare", "gatehouse"]) await load(name, kind, 2);
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of ["bare", "gatehouse"]) results[name].push(await load(name, kind, SECONDS));
  }
  const ratios = results.gatehouse.map(({ rate }, round) => rate / results.bare[round].rate);
  return { kind, bare: median(results.bare, "rate"), gatehouse: median(results.gatehouse, "rate"), ratio: median(ratios) };
}

function print(title, value, target) {
  process.stdout.write(`${title.padEnd(62)}${value.padStart(14)}   (${target})\n`);
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
