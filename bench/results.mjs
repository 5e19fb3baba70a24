// Results of an experiment: a load of five metrics of a million events, reads of its findings, and the effect on the intake and
// evaluations. On Postgres and on the embedded database. `node results.mjs [EVENTS]` with TEST_DATABASE_URL.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EVENTS_PER_BATCH } from "./gates.mjs";
import { load, median, medianTime } from "./measure.mjs";
import { createExperiment, requireFullLoad, runLoad } from "./result-loads.mjs";
import { fillResults, METRICS } from "./results-data.mjs";
import { callOn, databaseUrl, embeddedFolder, start, startIdle } from "./servers.mjs";
import { cpuSeconds } from "./system.mjs";

const EVENTS = Number(process.argv[2] ?? 1_000_000);
const LOADS = 5;
const READS = 200;
const SECONDS = 5;
const EVENTS_PER_SECOND = 10_000;
const EVALUATIONS_PER_SECOND = 200;
const EXPERIMENT = "/experiments/bench_results";

const folder = mkdtempSync(join(tmpdir(), "gatehouse-results-"));
embeddedFolder.path = folder;
try {
  await measure("gatehouse", { title: "Postgres", where: { databaseUrl }, target: 1_500 });
  await measure("embedded", { title: "embedded", where: { dataDir: folder }, target: 3_000 });
} finally {
  rmSync(folder, { recursive: true });
}

async function measure(name, { title, where, target }) {
  const call = callOn(name);
  const line = (what, value, aim) => process.stdout.write(`${`${title}: ${what}`.padEnd(72)}${value.padStart(12)}   (${aim})\n`);
  await prepare(name, call);
  const { reference } = await fillResults(where, "bench_results", EVENTS);
  const server = await startIdle(name);
  const times = [];
  for (let round = 0; round < LOADS; round++) times.push(await timeLoad(call));
  const [first] = times;
  const best = Math.min(...times);
  line(`load of ${METRICS.length} metrics of ${EVENTS} events, the first`, `${first} ms`, "–");
  line(`load of ${METRICS.length} metrics of ${EVENTS} events, the best of ${LOADS}`, `${best} ms`, `≤ ${target} ms`);
  line("that, of the time of one sum of each unit", (best / reference).toFixed(1), "–");
  const before = cpuSeconds(server.pid);
  const read = (query) => () => call("GET", `${EXPERIMENT}/pulse_results?control=control&test=test${query}`);
  line("read of results, p50", `${(await medianTime(READS, read(""))).toFixed(1)} ms`, "≤ 5 ms");
  line("CPU time of a read of results", `${(((cpuSeconds(server.pid) - before) * 1_000) / READS).toFixed(1)} ms`, "–");
  line("read of results with their series, p50", `${(await medianTime(READS, read("&series=true"))).toFixed(1)} ms`, "–");
  await measureMeanwhile(name, call, line);
  await server.stop();
}

/** The intake at its rate and single evaluations, without a load and with one load after the other. */
async function measureMeanwhile(name, call, line) {
  const both = async () => {
    const [intake, evaluation] = await Promise.all([
      load(name, "logEvents", SECONDS, EVENTS_PER_SECOND / EVENTS_PER_BATCH),
      load(name, "evaluate", SECONDS, EVALUATIONS_PER_SECOND),
    ]);
    return { events: intake.rate * EVENTS_PER_BATCH, p99: evaluation.p99 };
  };
  await both();
  const rounds = { without: [], meanwhile: [] };
  for (let round = 0; round < 3; round++) {
    rounds.without.push(await both());
    rounds.meanwhile.push(await whileLoading(call, both));
  }
  const p99 = (which) => median(rounds[which], "p99").p99;
  line("events logged a second, during loads", String(Math.round(median(rounds.meanwhile, "events").events)), `≥ ${EVENTS_PER_SECOND}`);
  line("p99 of an evaluation meanwhile, without loads", `${p99("without")} ms`, "–");
  line("p99 of an evaluation meanwhile, during loads", `${p99("meanwhile")} ms`, `≤ ${(2 * p99("without")).toFixed(1)} ms`);
}

async function whileLoading(call, work) {
  let isDone = false;
  const loading = (async () => {
    while (!isDone) await timeLoad(call);
  })();
  const result = await work();
  isDone = true;
  await loading;
  return result;
}

/** The experiment, whose load of the day is done, and gates to evaluate. */
async function prepare(name, call) {
  const server = await start(name);
  await createExperiment(call);
  for (let gate = 0; gate < 1_000; gate++) await call("POST", "/gates", { name: `gate ${gate}`, isEnabled: true });
  await runLoad(call, EXPERIMENT);
  await server.stop();
}

/** A load that reads all events. */
async function timeLoad(call) {
  await requireFullLoad(call);
  return runLoad(call, EXPERIMENT);
}
