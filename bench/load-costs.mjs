// What loads of a 30-day experiment cost: the CPU time of a load of all events and of the next day's, the memory that they take, and how
// long other requests wait beside them. On Postgres and on the embedded database. `node load-costs.mjs [EVENTS]` with TEST_DATABASE_URL.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { STORED } from "./gates.mjs";
import { load } from "./measure.mjs";
import { createExperiment, requireFullLoad, runLoad } from "./result-loads.mjs";
import { fillResults, logNextDay, METRICS, MONTH } from "./results-data.mjs";
import { callOn, databaseUrl, embeddedFolder, findPostgres, start, startIdle, untilIdle, urls } from "./servers.mjs";
import { cpuSeconds, cpuSecondsWithChildren, peakMemory, resetPeakMemory } from "./system.mjs";

const EVENTS = Number(process.argv[2] ?? 1_000_000);
const LOGS_PER_SECOND = 100;
const EVALUATIONS_PER_SECOND = 200;
const WAIT_SECONDS = 5;
/** Until a load that was asked for begins, s. */
const BEGIN_SECONDS = 2;
const EXPERIMENT = "bench_results";
/** The costs before loads were incremental, with five metrics of a million events. */
const BEFORE = {
  gatehouse: "each load took 4.1 s of CPU",
  embedded: "each load took 11.5 to 14 s of CPU and 1 GB of memory, and a log_event meanwhile took 4.8 s",
};
const PATH = `/experiments/${EXPERIMENT}`;

const folder = mkdtempSync(join(tmpdir(), "gatehouse-load-costs-"));
embeddedFolder.path = folder;
try {
  await measure("gatehouse", { title: "Postgres", where: { databaseUrl }, postgres: await findPostgres() });
  await measure("embedded", { title: "embedded", where: { dataDir: folder } });
} finally {
  rmSync(folder, { recursive: true });
}

async function measure(name, { title, where, postgres }) {
  const call = callOn(name);
  const line = (what, value, aim) => process.stdout.write(`${`${title}: ${what}`.padEnd(72)}${value.padStart(12)}   (${aim})\n`);
  process.stdout.write(`${title}: before loads were incremental, with 5 metrics of 1,000,000 events, ${BEFORE[name]}\n`);
  await prepare(name, call);
  await fillResults(where, EXPERIMENT, EVENTS, MONTH);
  const server = await startIdle(name);
  const cpu = () => cpuSeconds(server.pid) + (postgres === undefined ? 0 : cpuSecondsWithChildren(postgres));
  /** A load with the check of health that follows it. */
  const timed = async () => {
    const [before, begin] = [cpu(), performance.now()];
    await runLoad(call, PATH);
    const seconds = (performance.now() - begin) / 1_000;
    await untilIdle(cpu);
    return { cpu: cpu() - before, seconds };
  };

  resetPeakMemory(server.pid);
  const idle = peakMemory(server.pid);
  // The first load of a server also compiles its code.
  await timed();
  const memory = peakMemory(server.pid);
  await requireFullLoad(call);
  const full = await timed();
  line(`load of ${METRICS.length} metrics of ${EVENTS} events, CPU`, `${full.cpu.toFixed(2)} s`, "–");
  line("memory of the server at most, during such a load", `${memory} MB`, postgres === undefined ? "≤ 400 MB" : "–");
  line("memory of the server before it", `${idle} MB`, "–");
  const logged = await logNextDay(urls[name], EXPERIMENT, EVENTS);
  await untilIdle(cpu);
  const next = await timed();
  line(`load of the next day, ${logged.events} events and ${logged.exposures} units, CPU`, `${next.cpu.toFixed(2)} s`, "–");
  line("that, of a load of all events", `${((100 * next.cpu) / full.cpu).toFixed(1)}%`, "≤ 10%");

  await waitsDuring(name, 1);
  printWaits(line, "without loads", await waitsDuring(name, WAIT_SECONDS));
  await logNextDay(urls[name], EXPERIMENT, EVENTS);
  await untilIdle(cpu);
  printWaits(line, "beside the load of the next day", await besideLoad(name, call, next.seconds));
  await requireFullLoad(call);
  printWaits(line, "beside a load of all events", await besideLoad(name, call, full.seconds));
  await server.stop();
}

/** The experiment, whose load of the day is done, and gates to evaluate. */
async function prepare(name, call) {
  const server = await start(name);
  await createExperiment(call);
  for (let gate = 0; gate < STORED; gate++) await call("POST", "/gates", { name: `gate ${gate}`, isEnabled: true });
  await runLoad(call, PATH);
  await server.stop();
}

/** How long events that are logged one by one, and evaluations, wait. */
async function waitsDuring(name, seconds) {
  const [logging, evaluating] = await Promise.all([
    load(name, "logEvent", seconds, LOGS_PER_SECOND),
    load(name, "evaluate", seconds, EVALUATIONS_PER_SECOND),
  ]);
  return { logging, evaluating };
}

/** The same while a load runs that takes so many seconds. */
async function besideLoad(name, call, seconds) {
  const [waits] = await Promise.all([waitsDuring(name, Math.ceil(seconds) + BEGIN_SECONDS), runLoad(call, PATH)]);
  return waits;
}

function printWaits(line, when, { logging, evaluating }) {
  for (const [what, { p99, max }] of [
    ["log_event", logging],
    ["check of a gate", evaluating],
  ])
    line(`wait of a ${what} ${when}, p99 / longest`, `${p99} / ${max} ms`, when === "without loads" ? "–" : "≤ 250 ms");
}
