// The queries of a load of five metrics, on Postgres and on ClickHouse side by side, over the same events. `node results-clickhouse.mjs [EVENTS]`
// with TEST_DATABASE_URL, where ClickHouse's engine is installed. Answers that differ end it.
import { openDatabase } from "@gatehouse/server/open-database";
import { likenessKey } from "../apps/server/dist/results/plans/load-parts.js";
import { planMetric } from "../apps/server/dist/results/plans/metric-plan.js";
import { clickhouse } from "../apps/server/dist/results/sql/clickhouse-dialect.js";
import { CLICKHOUSE_TABLES } from "../apps/server/dist/results/sql/clickhouse-tables.js";
import { postgres } from "../apps/server/dist/results/sql/dialect.js";
import { momentsQuery } from "../apps/server/dist/results/sql/moments-query.js";
import { isEngineInstalled, startEngine } from "../engines/clickhouse/start.mjs";
import { fillResults, METRICS } from "./results-data.mjs";
import { databaseUrl } from "./servers.mjs";

const EVENTS = Number(process.argv[2] ?? 1_000_000);
const ROUNDS = 5;
const TARGET = 0.75;
const DAY_MS = 24 * 60 * 60 * 1000;
const EXPERIMENT = "bench_results";

if (!isEngineInstalled) {
  process.stdout.write("ClickHouse is not measured: its engine is not installed (`npx --yes pnpm@12 clickhouse` does).\n");
  process.exit();
}
const database = await openDatabase({ databaseUrl, databasePooler: "none" });
const engine = await startEngine();
try {
  const begin = performance.now();
  await fillResults({ databaseUrl }, EXPERIMENT, EVENTS);
  const filled = performance.now();
  for (const table of CLICKHOUSE_TABLES) await ask(table);
  await copy("event", ["projectID", "name", "time", "id", "day", "source", "userID", "value", "environment", "metadata", "userFields"]);
  await copy("experiment_exposure", ["projectID", "experimentID", "groupID", "unitID", "firstTime", "environment", "userFields"]);
  print(`storing ${EVENTS} events, Postgres`, `${Math.round(filled - begin)} ms`, "–");
  print(`copying them from there, ClickHouse`, `${Math.round(performance.now() - filled)} ms`, "–");
  const times = { postgres: [], clickhouse: [] };
  for (let round = 0; round < ROUNDS; round++) {
    const answers = {};
    for (const [name, run] of Object.entries({ postgres: onPostgres, clickhouse: onClickHouse })) {
      const start = performance.now();
      answers[name] = await run();
      times[name].push(performance.now() - start);
    }
    requireEqual(answers);
  }
  const [first, second] = [Math.min(...times.postgres), Math.min(...times.clickhouse)];
  print(`${METRICS.length} metrics of ${EVENTS} events, Postgres, the best of ${ROUNDS}`, `${Math.round(first)} ms`, "–");
  print(`${METRICS.length} metrics of ${EVENTS} events, ClickHouse, the best of ${ROUNDS}`, `${Math.round(second)} ms`, "–");
  print("that, of the time of Postgres", (second / first).toFixed(2), `≤ ${TARGET}`);
} finally {
  await database.close();
  await engine.remove();
}

function print(what, value, aim) {
  process.stdout.write(`${what.padEnd(72)}${value.padStart(12)}   (${aim})\n`);
}

/** The statements of a load of all metrics. */
function statements(dialect) {
  const today = Math.floor(Date.now() / DAY_MS);
  const days = Array.from({ length: 23 }, (_, index) => (today - 23 + index) * DAY_MS);
  const parts = new Map();
  for (const metric of METRICS) {
    const plan = planMetric(metric, new Map());
    if ("reason" in plan) throw new Error(plan.reason);
    parts.set(likenessKey(plan), [...(parts.get(likenessKey(plan)) ?? []), plan]);
  }
  return [...parts.values()].map((plans) => {
    const earlierDays = Array.from({ length: 7 }, (_, index) => days[0] - (7 - index) * DAY_MS);
    const exposureSource = { type: "experiment", id: EXPERIMENT, groupIDs: ["control", "test"] };
    const scope = { projectID: "default", exposureSource, idType: "userID", environments: ["production"] };
    return momentsQuery(plans, { ...scope, days, earlierDays, end: today * DAY_MS }, dialect);
  });
}

async function onPostgres() {
  const rows = [];
  const { signal } = new AbortController();
  for (const { text, parameters } of statements(postgres)) {
    const values = parameters.map(({ value }) => value);
    rows.push(...(await database.analyse(text, values, { timeoutMs: 600_000, signal })));
  }
  return rows;
}

async function onClickHouse() {
  const rows = [];
  for (const { text, parameters } of statements(clickhouse)) rows.push(...(await ask(text, parameters)));
  return rows;
}

/** Sends a statement as `@clickhouse/client` does. */
async function ask(query, parameters = []) {
  const address = new URL(engine.url);
  address.searchParams.set("default_format", "JSONEachRow");
  for (const [name, value] of Object.entries(clickhouse.settings)) address.searchParams.set(name, value);
  for (const [index, { value }] of parameters.entries()) address.searchParams.set(`param_p${index + 1}`, toText(value));
  const response = await fetch(address, { method: "POST", body: query });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text.split("\n").filter(Boolean).map(JSON.parse);
}

function toText(value) {
  if (Array.isArray(value)) return `[${value.map((one) => (typeof one === "string" ? `'${one}'` : one)).join(",")}]`;
  return String(value);
}

/** Copies a table whose rows Postgres has. */
async function copy(table, columns) {
  const { host, pathname, username, password } = new URL(databaseUrl);
  const from = [host, pathname.slice(1), table, username, password].map((part) => `'${part}'`).join(", ");
  const list = columns.map((column) => `"${column}"`).join(", ");
  await ask(`insert into ${table} (${list}) select ${list} from postgresql(${from})`);
}

/** @throws when the engines do not agree on the sums of each metric, group and day */
function requireEqual({ postgres: expected, clickhouse: actual }) {
  const toKey = ({ metric, grp, day }) => `${Number(metric)} ${grp} ${Number(day)}`;
  const byKey = new Map(actual.map((row) => [toKey(row), row]));
  if (expected.length !== actual.length) throw new Error(`Postgres answers ${expected.length} rows, ClickHouse ${actual.length}.`);
  for (const row of expected) {
    for (const sum of ["n", "k", "m", "y", "yy", "d", "dd", "yd", "p", "pp", "q", "qq", "pq", "yp", "yq", "dp", "dq"]) {
      const found = byKey.get(toKey(row))?.[sum];
      const isEqual = Math.abs(found - row[sum]) <= 1e-9 * Math.max(1, Math.abs(row[sum]));
      if (!isEqual) throw new Error(`${sum} of ${toKey(row)} is ${row[sum]} on Postgres and ${found} on ClickHouse.`);
    }
  }
}
