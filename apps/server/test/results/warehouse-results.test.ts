import { parquetReadObjects } from "hyparquet";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toplineAlertChecks } from "../../src/jobs/topline-alert-checks.ts";
import { needs } from "../support/needs.ts";
import { DAY_MS, HOUR_MS, pulseOn } from "../support/pulse.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { type ShopWarehouse, startShopWarehouse } from "../support/shop-warehouse.ts";

/** Results without their owner and without topline impacts, which rows of a warehouse lack; numbers to ten digits. */
function comparable(result: object): unknown {
  return JSON.parse(JSON.stringify(result), (key, value) => {
    if (/^metric(ID|Name)$|topline/i.test(key)) return undefined;
    return typeof value === "number" ? Number(value.toPrecision(10)) : value;
  });
}

describe("results from rows of a warehouse", needs.postgresBinaries, () => {
  let server: TestServer;
  let shop: ShopWarehouse;
  let pulse: ReturnType<typeof pulseOn>;
  let experiment: string;

  const UNITS = 60;
  const unit = (n: number) => ({ unit: `customer ${n}`, group: n % 2 === 0 ? "control" : "test", company: `company ${n % 7}` });
  /** The purchases of each unit, with their times: some before its exposure, and one unit buys very much. */
  const bought = (n: number) => [
    { afterMs: -2 * DAY_MS, value: n % 5 },
    { afterMs: HOUR_MS, value: n === 7 ? 500 : n % 11 },
    { afterMs: DAY_MS + HOUR_MS, value: (n % 3) + 1 },
  ];

  const source = (name: string, given: object = {}) =>
    server.client.createMetricSource({
      body: {
        ...{ name, sql: "select * from orders", timestampColumn: "at" },
        idTypeMapping: [
          { serviceUnitID: "userID", column: "customer" },
          { serviceUnitID: "companyID", column: "company" },
        ],
        ...given,
      },
    });
  const ofRows = (name: string, warehouseNative: object) =>
    pulse.metric(name, { type: "user_warehouse", metricEvents: [], warehouseNative });

  beforeAll(async () => {
    [server, shop] = await Promise.all([startServer(), startShopWarehouse()]);
    pulse = pulseOn(server);
    await server.client.updateWarehouseConnection({ body: { postgres: { url: shop.url } } });
    await source("orders", { customFieldMapping: [{ key: "double", formula: "2 * total" }] });
    const metricEvents = [{ name: "buy", type: "value" }];
    const metrics = [
      ["sum", { aggregation: "sum" }],
      ["winsorised", { aggregation: "sum", winsorizationHigh: 0.9 }],
      ["mean", { aggregation: "mean" }],
      ["max", { aggregation: "max", rollupTimeWindow: "custom", customRollUpStart: 0, customRollUpEnd: 1 }],
      ["days", { aggregation: "daily_participation" }],
      ["median", { aggregation: "percentile", percentile: 0.5 }],
      ["retention", { aggregation: "retention", retentionEnd: 1, retentionLength: 1 }],
    ] as const;
    for (const [name, definition] of metrics) {
      await pulse.metric(`events ${name}`, { type: "user_warehouse", metricEvents, warehouseNative: definition });
      const counts = ["daily_participation", "retention"].includes(definition.aggregation);
      await ofRows(`rows ${name}`, { ...definition, metricSourceName: "orders", ...(!counts && { valueColumn: "total" }) });
    }
    const named = (prefix: string) => metrics.map(([name]) => ({ name: `${prefix} ${name}`, type: "user_warehouse" }));
    experiment = await pulse.experiment("shop", { primaryMetrics: [...named("events"), ...named("rows")] });
    const time = server.clock.now + HOUR_MS;
    const units = Array.from({ length: UNITS }, (_, n) => n);
    for (const n of units) {
      const { unit: customer, company } = unit(n);
      for (const { afterMs, value } of bought(n))
        await shop.query("insert into orders values ($1, $2, to_timestamp($3), $4, 'Oslo')", [
          ...[customer, company],
          (time + afterMs) / 1_000,
          value,
        ]);
    }
    // An event counts on the day on which it arrived at the latest.
    server.clock.now = time + 4 * DAY_MS;
    await pulse.log(
      experiment,
      units.map((n) => ({ ...unit(n), purchases: bought(n) })),
      time,
    );
  });
  afterAll(async () => {
    await server?.close();
    await shop?.close();
  });

  test("equal those of the same events, for every aggregation of rows, including values before the exposure", async () => {
    const load = await pulse.load(experiment);
    expect(load.metrics.filter(({ state }) => state !== "success")).toEqual([]);
    for (const query of [{}, { cuped: "true" }]) {
      const { primaryMetrics } = await pulse.results(experiment, query);
      const half = primaryMetrics.length / 2;
      const plain = (list: typeof primaryMetrics) => list.map((one) => comparable(one));
      expect(plain(primaryMetrics.slice(half))).toEqual(plain(primaryMetrics.slice(0, half)));
      expect(primaryMetrics[0]?.controlUnits).toBe(UNITS / 2);
    }
  });

  test("are those of units in the report of units, which have the same values as those of the same events", async () => {
    const date = new Date(server.clock.now).toISOString().slice(0, 10);
    const { data } = await server.client.getReport({ query: { type: "unit_level", date, experimentID: experiment, format: "parquet" } });
    const response = await fetch(data.url, { headers: { "SERVICE-API-KEY": server.key } });
    const rows = await parquetReadObjects({ file: await response.arrayBuffer() });
    expect(rows).toHaveLength(UNITS);
    const columns = Object.keys(rows[0] ?? {}).filter((name) => name.startsWith("rows "));
    expect(columns.length).toBe(6 * 2 + 3 * 2 + 2);
    for (const name of columns) {
      const read = (column: string) => rows.map((row) => Number(row[column]));
      expect(read(name)).toEqual(read(name.replace("rows", "events")).map((value) => expect.closeTo(value, 10)));
    }
    const total = rows.reduce((sum, row) => sum + Number(row.groupID === "control" && row["rows sum::user_warehouse::value"]), 0);
    const sum = (await pulse.results(experiment)).primaryMetrics.find(({ metricID }) => metricID === "rows sum::user_warehouse");
    expect(total).toBeCloseTo(sum?.controlTotal ?? 0, 8);
  });

  test("tell the SQL that ran there, without the units", async () => {
    const { jobs } = await pulse.load(experiment);
    const ofRows = jobs.filter(({ sql }) => sql?.includes("from orders"));
    expect(ofRows.length).toBeGreaterThan(1);
    expect(ofRows[0]?.sql).toContain('[["unit", "group", 0, null, 0], …]');
    expect(JSON.stringify(ofRows)).not.toContain("customer 1");
  });

  test("are those of the unit ID type that the experiment compares, and of columns that formulas compute", async () => {
    await ofRows("doubled", { aggregation: "sum", metricSourceName: "orders", valueColumn: "double" });
    const byCompany = await pulse.experiment("by company", {
      idType: "companyID",
      primaryMetrics: [{ name: "doubled", type: "user_warehouse" }],
    });
    const time = server.clock.now + 1;
    server.clock.now = time;
    const events = ["company 1", "company 2"].map((companyID, n) => ({
      ...{ eventName: "statsig::config_exposure", user: { customIDs: { companyID } }, value: "" },
      ...{ time, metadata: { config: byCompany, ruleID: n === 0 ? "control" : "test" } },
    }));
    await server.evaluation.logEvent({ body: { events } });
    await shop.query("insert into orders values ('x', 'company 1', to_timestamp($1), 21, null)", [(time + 1) / 1_000]);
    server.clock.now += HOUR_MS;
    expect((await pulse.load(byCompany)).metrics).toMatchObject([{ state: "success" }]);
    const [doubled] = (await pulse.results(byCompany)).primaryMetrics;
    expect([doubled?.controlTotal, doubled?.testTotal]).toEqual([42, 0]);
  });

  test("say why a metric has none, and hurt no other", async () => {
    await source("without time", { timestampColumn: "city" });
    await source("without units", { idTypeMapping: [{ serviceUnitID: "stableID", column: "customer" }] });
    await source("refused", { sql: "select * from secrets" });
    const names = [
      ["no column", { aggregation: "sum", metricSourceName: "orders", valueColumn: "price" }],
      ["no time", { aggregation: "count", metricSourceName: "without time" }],
      ["no unit", { aggregation: "count", metricSourceName: "without units" }],
      ["no right", { aggregation: "count", metricSourceName: "refused" }],
    ] as const;
    for (const [name, definition] of names) await ofRows(name, definition);
    const metrics = [{ name: "rows sum", type: "user_warehouse" }, ...names.map(([name]) => ({ name, type: "user_warehouse" }))];
    const id = await pulse.experiment("faults", { primaryMetrics: metrics });
    const { metrics: outcomes, finishedState } = await pulse.load(id);
    expect(finishedState).toBe("partial_failure");
    expect(outcomes.map(({ metricID, state, reason }) => [metricID?.split("::")[0], state, reason])).toEqual([
      ["rows sum", "success", undefined],
      ["no column", "failure", "The metric source orders has no column price."],
      ["no time", "failure", "The column city of the metric source without time has the type text, which is not a time."],
      ["no unit", "failure", "The metric source without units maps no column to the unit ID type userID."],
      ["no right", "failure", "The warehouse did not answer. It refused the statement: permission denied for table secrets."],
    ]);
  });

  test("have a preview by day, from the rows of each day alone", async () => {
    const warehouseNative = { aggregation: "sum" as const, metricSourceName: "orders", valueColumn: "total" };
    const asked = { type: "user_warehouse" as const, warehouseNative, days: 10 };
    const rows = (await server.client.previewMetric({ body: asked })).data;
    const events = (await server.client.previewMetric({ body: { type: "sum", metricEvents: [{ name: "buy", type: "value" }], days: 10 } }))
      .data;
    const listValues = ({ days }: typeof rows) => days.map(({ date, value, row_count }) => [date, value, row_count]);
    // Values of units, without an earlier test's event for a company.
    const isOfUnits = ([, value]: unknown[]) => value !== 0 && value !== 21;
    expect(listValues(rows).filter(isOfUnits)).toEqual(listValues(events).filter(isOfUnits));
    expect(listValues(rows).filter(isOfUnits)).toHaveLength(3);
    expect(rows.sql).toContain("select * from orders");
    const missing = { ...asked, warehouseNative: { ...warehouseNative, valueColumn: "price" } };
    expect((await server.client.previewMetric({ body: missing })).data).toEqual({
      ...{ unitType: "userID", timeZone: "UTC", days: [] },
      reason: "The metric source orders has no column price.",
    });
  });

  test("are watched by alerts, which tell no value while the warehouse is away", async () => {
    const window = { windowMs: 7 * DAY_MS, alertType: "threshold" as const, priority: "P1" as const };
    const body = {
      name: "Orders",
      metrics: { A: { id: "rows sum::user_warehouse" } },
      condition: "greater" as const,
      alertThreshold: 1,
      ...window,
    };
    const { id } = (await server.client.createAlert({ body: { ...body, message: "Many orders." } })).data;
    const read = async () => (await server.client.getAlert({ path: { id } })).data;
    await toplineAlertChecks.run(pulse.env());
    const [{ total } = { total: 0 }] = await shop.query("select sum(total)::float8 as total from orders");
    expect(await read()).toMatchObject({ status: "alert", value: total });
    await shop.stop();
    server.clock.now += HOUR_MS;
    await toplineAlertChecks.run(pulse.env());
    expect((await read()).statusReason).toMatch(/^The warehouse did not answer. It cannot be reached/);
    await shop.start();
  });

  test("stop computing on the warehouse once their load is canceled", async () => {
    await source("slow", { sql: "select *, pg_sleep(600) from orders" });
    await ofRows("slow", { aggregation: "sum", metricSourceName: "slow", valueColumn: "total" });
    const id = await pulse.experiment("cancelled", { primaryMetrics: [{ name: "slow", type: "user_warehouse" }] });
    await pulse.log(id, [{ ...unit(1), purchases: [] }], server.clock.now);
    server.clock.now += HOUR_MS;
    const { data: load } = await server.client.startExperimentPulseLoad({ path: { id }, body: {} });
    const running = async () => {
      const [{ n } = { n: 0 }] = await shop.query(
        "select count(*)::int as n from pg_stat_activity where query like '%pg_sleep(600)%' and pid <> pg_backend_pid()",
      );
      return n;
    };
    const ended = pulse.run();
    await expect.poll(running).toBe(1);
    await server.client.cancelExperimentPulseLoad({ path: { id, dagID: load.dagID } });
    await ended;
    await expect.poll(running).toBe(0);
  });

  test("stay those of the last load while the warehouse is unreachable or removed", async () => {
    const before = (await pulse.results(experiment)).primaryMetrics;
    await shop.stop();
    const { metrics: away, finishedState } = await pulse.load(experiment);
    expect(finishedState).toBe("partial_failure");
    const reasons = new Set(away.flatMap(({ reason }) => (reason ? [reason.replace(/127.*/, "…")] : [])));
    expect([...reasons]).toEqual(["The warehouse did not answer. It cannot be reached: connect ECONNREFUSED …"]);
    await shop.start();
    await server.client.deleteWarehouseConnection({});
    const { metrics: gone } = await pulse.load(experiment);
    expect(gone.filter(({ state }) => state === "failure").map(({ reason }) => reason)[0]).toBe(
      "The project has no warehouse, which would have the rows of its metric source.",
    );
    const after = (await pulse.results(experiment)).primaryMetrics;
    expect(after.slice(7)).toEqual(before.slice(7));
  });
});
