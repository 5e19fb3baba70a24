// How many events a second are stored in Postgres and in ClickHouse, each beside the other, and the effect on single evaluations.
// `node stored-events.mjs` with TEST_DATABASE_URL, where ClickHouse's engine is installed.
import pg from "pg";
import { isEngineInstalled, startEngine } from "../engines/clickhouse/start.mjs";
import { EVENTS_PER_BATCH, STORED } from "./gates.mjs";
import { load, median } from "./measure.mjs";
import { callOn, clickhouseUrls, createDatabase, start, startIdle } from "./servers.mjs";

const ROUNDS = 3;
const SECONDS = 5;
const EVALUATIONS_PER_SECOND = 200;
const EVENTS_PER_SECOND = 10_000;

if (!isEngineInstalled) {
  process.stdout.write("ClickHouse is not measured: its engine is not installed (`npx --yes pnpm@12 clickhouse` does).\n");
  process.exit();
}
const engine = await startEngine();
try {
  Object.assign(clickhouseUrls, {
    eventsUrl: engine.url.replace("http:", "clickhouse:"),
    databaseUrl: await createDatabase("bench_events"),
  });
  const found = { gatehouse: [], clickhouse: [] };
  for (const name of Object.keys(found)) {
    const first = await start(name);
    for (let gate = 0; gate < STORED; gate++) await callOn(name)("POST", "/gates", { name: `gate ${gate}`, isEnabled: true });
    await first.stop();
    const server = await startIdle(name);
    await load(name, "logEvents", 2);
    for (let round = 0; round < ROUNDS; round++) found[name].push(await load(name, "logEvents", SECONDS));
    await measureEvaluations(name);
    await server.stop();
  }
  const [postgres, clickhouse] = Object.values(found).map((rounds) => median(rounds, "rate").rate * EVENTS_PER_BATCH);
  print(`events stored a second, Postgres with fsync ${await readFsync()}`, Math.round(postgres).toLocaleString("en-US"), "–");
  print("events stored a second, ClickHouse", Math.round(clickhouse).toLocaleString("en-US"), "–");
  print("that, of the rate of Postgres", (clickhouse / postgres).toFixed(2), "–");
} finally {
  await engine.remove();
}

/** Whether Postgres waits for its disk: `on` or `off`. */
async function readFsync() {
  const client = new pg.Client(process.env.TEST_DATABASE_URL);
  await client.connect();
  const { rows } = await client.query("show fsync");
  await client.end();
  return rows[0].fsync;
}

/** The latency of single evaluations, alone and while events arrive, in turns. */
async function measureEvaluations(name) {
  const [alone, beside] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    alone.push(await load(name, "evaluate", SECONDS, EVALUATIONS_PER_SECOND));
    const [found] = await Promise.all([
      load(name, "evaluate", SECONDS, EVALUATIONS_PER_SECOND),
      load(name, "logEvents", SECONDS, EVENTS_PER_SECOND / EVENTS_PER_BATCH),
    ]);
    beside.push(found);
  }
  const [before, p99] = [alone, beside].map((rounds) => median(rounds, "p99").p99);
  const what = `${name}: p99 of an evaluation, beside ${EVENTS_PER_SECOND} events a second`;
  print(what, `${p99.toFixed(1)} ms`, `≤ ${(2 * before).toFixed(1)} ms`);
}

function print(what, value, aim) {
  process.stdout.write(`${what.padEnd(72)}${value.padStart(16)}   (${aim})\n`);
}
