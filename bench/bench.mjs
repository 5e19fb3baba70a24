// Gatehouse against a bare Express + pg server on the same Postgres and rows, in turns. Prints rates, latencies, memory and their targets.
import pg from "pg";
import { measureAllFlags } from "./all-flags.mjs";
import { measureBatch } from "./batch.mjs";
import { measureConsole } from "./console.mjs";
import { createGates } from "./data.mjs";
import { measureEvaluation } from "./evaluation.mjs";
import { measureEvaluator } from "./evaluator.mjs";
import { measureFirstRequests } from "./first-requests.mjs";
import { STORED } from "./gates.mjs";
import { measureImpact } from "./impact.mjs";
import { measureKind, ROUNDS, SECONDS } from "./measure.mjs";
import { measureReviews } from "./reviews.mjs";
import { ENTITIES, measureScale } from "./scale.mjs";
import { measureScheduledChanges } from "./scheduled-changes.mjs";
import { databaseUrl, start, startIdle, timeStart } from "./servers.mjs";
import { residentMemory, watchStolenTime } from "./system.mjs";
import { printTable } from "./table.mjs";
import { measureWriteLimit } from "./write-limit.mjs";

const KINDS = {
  get: { title: "get one gate", target: "≥ 0.45" },
  list: { title: "list 100 gates", target: "≥ 0.70" },
  update: { title: "full update of a gate", target: "≥ 0.30" },
  create: { title: "create a gate", target: "≥ 0.30" },
};

const stolen = watchStolenTime();
await (await start("gatehouse")).stop(); // migrates
const milliseconds = await timeStart();
let gatehouse = await startIdle("gatehouse");
const idle = residentMemory(gatehouse.pid);
await seed();
const bare = await start("bare", 0);
// First, with the stated number of gates and on a separate server, since a server that applications use keeps its ruleset up to date.
process.stdout.write("\n");
const rows = await measureEvaluation(print, gatehouse.pid);
await measureAllFlags(print, { gatehouse: gatehouse.pid, bare: bare.pid });
await gatehouse.stop();
await measureFirstRequests(print);
gatehouse = await startIdle("gatehouse");

for (const [kind, options] of Object.entries(KINDS)) rows.push(await measureKind(kind, options, gatehouse.pid));
print("first answer after start", `${milliseconds} ms`, "≤ 1200 ms");
print("resident memory idle", `${idle} MB`, "≤ 180 MB");
process.stdout.write(`\n${STORED} gates of five rules, 16 connections, server on one core, median of ${ROUNDS} rounds of ${SECONDS} s\n\n`);
printTable(rows);
process.stdout.write("\n");
await measureBatch(print);
await measureScheduledChanges(print);
await measureImpact(print);
await measureScale(print);
await measureReviews(print, ENTITIES);
await measureConsole(print, ENTITIES);
measureEvaluator();
await Promise.all([gatehouse.stop(), bare.stop()]);
await measureWriteLimit(print);
process.stdout.write(`\nThe hypervisor kept ${(stolen.share() * 100).toFixed(1)}% of the processor time from this machine.\n`);

async function seed() {
  await createGates(0, STORED);
  const client = new pg.Client(databaseUrl);
  await client.connect();
  await client.query("create table bare_gate (id text primary key, created_time bigint not null, entity text not null)");
  await client.query(`insert into bare_gate select id, "createdTime", entity from gate`);
  await client.query("vacuum analyze");
  await client.end();
}

function print(title, value, target) {
  process.stdout.write(`${title.padEnd(62)}${value.padStart(14)}   (${target})\n`);
}
