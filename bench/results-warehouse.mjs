// The queries of a load of five metrics, from logged events and from rows of a Postgres warehouse with the same contents, side by
// side. `node results-warehouse.mjs [ROWS]` with TEST_DATABASE_URL, whose server has the warehouse too. Answers that differ end
// it.
import { openDatabase } from "@gatehouse/server/open-database";
import { likenessKey } from "../apps/server/dist/results/plans/load-parts.js";
import { planAnywhere } from "../apps/server/dist/results/plans/metric-plan.js";
import { momentsQuery } from "../apps/server/dist/results/sql/moments-query.js";
import { openPostgresWarehouse } from "../apps/server/dist/warehouse/postgres-warehouse.js";
import { createResultEngines } from "../apps/server/dist/warehouse/result-engines.js";
import { fillResults, METRICS } from "./results-data.mjs";
import { databaseUrl } from "./servers.mjs";

const ROWS = Number(process.argv[2] ?? 1_000_000);
const ROUNDS = 5;
const DAY_MS = 24 * 60 * 60 * 1000;
const EXPERIMENT = "bench_results";
const OPTIONS = { timeoutMs: 600_000, signal: new AbortController().signal };

/** The same metrics, of rows. */
const buys = { metricSourceName: "buys", valueColumn: "value" };
const OF_ROWS = [
  { aggregation: "sum", ...buys },
  { aggregation: "count", metricSourceName: "views" },
  { aggregation: "count", valueThreshold: 1, metricSourceName: "buys" },
  {
    ...{ aggregation: "ratio", ...buys, numeratorAggregation: "sum" },
    ...{ denominatorAggregation: "count", denominatorMetricSourceName: "views" },
  },
  { aggregation: "mean", winsorizationHigh: 0.999, ...buys },
].map((warehouseNative) => ({ type: "user_warehouse", metricEvents: [], warehouseNative }));

const buildSource = (name, event) => ({
  ...{ name, sourceType: "query", sql: `select * from orders where name = '${event}'`, tableName: "", timestampColumn: "at" },
  ...{ timestampAsDay: false, idTypeMapping: [{ serviceUnitID: "userID", column: "customer" }], customFieldMapping: [] },
});

const database = await openDatabase({ databaseUrl, databasePooler: "none" });
try {
  await fillResults({ databaseUrl }, EXPERIMENT, ROWS);
  const shop = await fillShop();
  const times = { events: [], rows: [] };
  for (let round = 0; round < ROUNDS; round++) {
    const answers = {};
    for (const [name, metrics] of Object.entries({ events: METRICS, rows: OF_ROWS })) {
      const start = performance.now();
      answers[name] = await load(metrics, shop);
      times[name].push(performance.now() - start);
    }
    requireEqual(answers);
  }
  const [first, second] = [Math.min(...times.events), Math.min(...times.rows)];
  print(`${METRICS.length} metrics of ${ROWS} events, the best of ${ROUNDS}`, `${Math.round(first)} ms`);
  print(`${METRICS.length} metrics of ${ROWS} rows of a warehouse, the best of ${ROUNDS}`, `${Math.round(second)} ms`);
  print("that, of the time of events", (second / first).toFixed(2));
} finally {
  await database.close();
}

function print(what, value) {
  process.stdout.write(`${what.padEnd(72)}${value.padStart(12)}\n`);
}

/** A database of a shop on the same server, with the events as rows. @returns a warehouse that reads it */
async function fillShop() {
  const address = new URL(databaseUrl);
  const [name, username] = ["bench_shop", "bench_reader"];
  await database.withSession(async ({ script }) => {
    await script(`drop database if exists ${name}`);
    await script(`create database ${name}`);
    await script(`drop role if exists ${username}; create role ${username} login`);
  });
  const copy = await database.withSession(({ query }) => query(`select "userID", "name", "time", "value" from event`));
  const shop = await openDatabase({
    databaseUrl: Object.assign(new URL(databaseUrl), { pathname: `/${name}` }).href,
    databasePooler: "none",
  });
  await shop.withSession(async ({ query, script }) => {
    await script("create table orders (customer text, name text, at timestamptz, value numeric)");
    await query(
      `insert into orders select user_id, name, to_timestamp(time / 1000.0), nullif(value, '')::numeric
       from json_to_recordset($1) as row (user_id text, name text, time bigint, value text)`,
      [JSON.stringify(copy.map(({ userID, ...row }) => ({ user_id: userID, ...row, time: Number(row.time) })))],
    );
    await script(`create index on orders (name, at); grant select on orders to ${username}; analyze orders`);
  });
  await shop.close();
  const own = { system: "another", name: "another" };
  const { hostname: host, port } = address;
  return openPostgresWarehouse(
    { type: "postgres", host, port: Number(port), database: name, username, password: "", encryption: "off" },
    own,
  );
}

/** The computation of a load, from the units on. */
async function load(metrics, shop) {
  const today = Math.floor(Date.now() / DAY_MS);
  const days = Array.from({ length: 23 }, (_, index) => (today - 23 + index) * DAY_MS);
  const earlierDays = Array.from({ length: 7 }, (_, index) => days[0] - (7 - index) * DAY_MS);
  const exposureSource = { type: "experiment", id: EXPERIMENT, groupIDs: ["control", "test"] };
  const scope = { projectID: "default", exposureSource, idType: "userID", environments: ["production"] };
  const analysis = { ...scope, days, earlierDays, end: today * DAY_MS };
  const sources = new Map([buildSource("buys", "buy"), buildSource("views", "view")].map((source) => [source.name, source]));
  const engines = createResultEngines({ database, sources, options: OPTIONS, openWarehouse: async () => shop });
  const parts = new Map();
  for (const metric of metrics) {
    const plan = planAnywhere(metric, new Map());
    if ("reason" in plan) throw new Error(plan.reason);
    parts.set(likenessKey(plan), [...(parts.get(likenessKey(plan)) ?? []), plan]);
  }
  const rows = [];
  for (const plans of parts.values()) {
    const engine = await engines.engineFor(plans, analysis);
    rows.push(...(await engine.ask(momentsQuery(plans, engine.analysis, engine.dialect))));
  }
  return rows;
}

/** @throws when the answers do not agree on the sums of each metric, group and day */
function requireEqual({ events, rows }) {
  const toKey = ({ metric, grp, day }) => `${Number(metric)} ${grp} ${Number(day)}`;
  const byKey = new Map(rows.map((row) => [toKey(row), row]));
  if (events.length !== rows.length) throw new Error(`Events have ${events.length} rows of sums, the warehouse ${rows.length}.`);
  for (const row of events) {
    for (const sum of ["n", "y", "yy", "d", "dd", "p", "pp"]) {
      const found = byKey.get(toKey(row))?.[sum];
      if (!(Math.abs(found - row[sum]) <= 1e-9 * Math.max(1, Math.abs(row[sum]))))
        throw new Error(`${sum} of ${toKey(row)} is ${row[sum]} of events and ${found} of the warehouse.`);
    }
  }
}
