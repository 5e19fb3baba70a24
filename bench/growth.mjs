// Measures values that must not degrade as a project grows. They are the CPU time of a flip and of a gate in an initialize response, and the
// rates of list pages and of writes while applications read flags. Prints every figure at each size, and their ratios. `node growth.mjs`
// with TEST_DATABASE_URL.
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { copyGates } from "./data.mjs";
import { STORED } from "./gates.mjs";
import { load, median } from "./measure.mjs";
import { call, databaseUrl, KEY, root, start, startIdle } from "./servers.mjs";
import { cpuSeconds, residentMemory } from "./system.mjs";

const SIZES = [STORED, 10_000, 30_000];
const ROUNDS = 3;
const SECONDS = 4;
const FLIPS = 150;
/** The interval of flips, long enough that each is read by itself, ms. */
const FLIP_INTERVAL_MS = 50;
/** Flag requests per second while gates are written. */
const READS_PER_SECOND = 50;
const FLAG = "gate_7";

const client = new pg.Client(databaseUrl);
await (await start("gatehouse")).stop(); // migrates
await client.connect();
const results = [];
for (const size of SIZES) results.push(await measure(size));
await client.end();
report();

async function measure(size) {
  await copyGates(client, size);
  const pages = [];
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    // A new server each time, since a server that has evaluated a flag keeps its ruleset up to date.
    const server = await startIdle("gatehouse");
    pages.push((await load("gatehouse", "list", SECONDS)).rate);
    const unread = (await load("gatehouse", "patch", SECONDS)).rate;
    await reasonOfFlag();
    const read = (await whileReading(() => load("gatehouse", "patch", SECONDS))).rate;
    const flip = await flipCost(server.pid);
    const initialize = await initializeCost(server.pid);
    rounds.push({
      unread,
      read,
      ratio: read / unread,
      ...flip,
      initialize,
      perGate: initialize / size,
      memory: residentMemory(server.pid),
    });
    await server.stop();
  }
  const middle = (name) => median(rounds, name)[name];
  const figures = Object.fromEntries(Object.keys(rounds[0]).map((name) => [name, middle(name)]));
  return { size, page: median(pages), ...figures };
}

/** The cost of a flip: CPU time beyond that of the same reads without flips, and the time until reads show it, both in ms. */
async function flipCost(pid) {
  const reads = (before) => async () => {
    for (let index = 0; index < FLIPS; index++) {
      await before(index);
      await sleep(FLIP_INTERVAL_MS);
      await reasonOfFlag();
    }
  };
  await reads(flip)(); // warms up
  const control = await measureCpu(
    pid,
    reads(async () => {}),
  );
  const flips = await measureCpu(pid, reads(flip));
  const shows = [];
  for (let index = 0; index < FLIPS / 5; index++) {
    await flip(index);
    const begin = performance.now();
    while (((await reasonOfFlag()) === "DISABLED") !== (index % 2 === 0)) await sleep(1);
    shows.push(performance.now() - begin);
    await sleep(FLIP_INTERVAL_MS);
  }
  return { cpu: (flips - control) / FLIPS, shows: median(shows) };
}

/** The CPU time of an initialize request, µs. */
async function initializeCost(pid) {
  await load("gatehouse", "initialize", SECONDS / 2); // warms up
  const before = cpuSeconds(pid);
  const { count } = await load("gatehouse", "initialize", SECONDS);
  return ((cpuSeconds(pid) - before) * 1e6) / count;
}

function flip(index) {
  return call("PUT", `/gates/${FLAG}/${index % 2 === 0 ? "disable" : "enable"}`);
}

async function reasonOfFlag() {
  const response = await fetch(`${new URL(root).origin}/ofrep/v1/evaluate/flags/${FLAG}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${KEY}`, "Content-Type": "application/json" },
    body: '{"context":{"targetingKey":"alice"}}',
  });
  if (!response.ok) throw new Error(`${FLAG}: ${response.status}`);
  return (await response.json()).reason;
}

async function whileReading(work) {
  let isDone = false;
  const reading = (async () => {
    while (!isDone) {
      await reasonOfFlag();
      await sleep(1000 / READS_PER_SECOND);
    }
  })();
  const result = await work();
  isDone = true;
  await reading;
  return result;
}

/** The CPU time of a process during an action, ms. */
async function measureCpu(pid, work) {
  const before = cpuSeconds(pid);
  await work();
  return (cpuSeconds(pid) - before) * 1000;
}

function report() {
  const line = (...cells) => cells.map((cell, index) => (index === 0 ? cell.padEnd(60) : String(cell).padStart(10))).join("");
  const row = (title, name, digits) => line(title, ...results.map((result) => result[name].toFixed(digits)));
  const [least, , most] = results;
  process.stdout.write(`
${[
  line(`gates (median of ${ROUNDS} rounds)`, ...SIZES),
  row("page of 100, a second", "page", 0),
  row("PATCH, a second", "unread", 0),
  row("PATCH while applications read, a second", "read", 0),
  row("CPU of a flip, ms", "cpu", 1),
  row("a flip shows after, ms", "shows", 1),
  row("CPU of an initialize request, µs", "initialize", 0),
  row("resident memory, MB", "memory", 0),
  "",
  line("rate of a page, of that at the least size", (most.page / least.page).toFixed(2), "(≥ 0.67)"),
  line("CPU of a flip, of that at the least size", (most.cpu / least.cpu).toFixed(2), "(≤ 1.50)"),
  line("CPU of initialize for each gate, of that at the least size", (most.perGate / least.perGate).toFixed(2), "(≤ 1.00)"),
  line("PATCH while applications read, of without", ...results.map(({ ratio }) => ratio.toFixed(2)), "(≥ 0.80)"),
].join("\n")}
`);
}
