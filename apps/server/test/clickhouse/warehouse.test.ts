import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openClickHouse } from "../../src/clickhouse/clickhouse.ts";
import { prepareClickHouse } from "../../src/clickhouse/with-clickhouse.ts";
import { openClickHouseWarehouse } from "../../src/warehouse/clickhouse-warehouse.ts";
import { startClickHouse } from "../support/clickhouse.ts";
import { needs } from "../support/needs.ts";
import { DAY_MS, HOUR_MS, pulseOn } from "../support/pulse.ts";
import { refusal, startServer, type TestServer } from "../support/server.ts";

describe("a ClickHouse warehouse", needs.clickhouse, () => {
  let server: TestServer;
  let clickhouse: Awaited<ReturnType<typeof startClickHouse>>;
  beforeAll(async () => {
    [server, clickhouse] = await Promise.all([startServer(), startClickHouse()]);
    await clickhouse.client.command({
      query: "create table orders (customer String, at DateTime64(3, 'UTC'), total Nullable(Float64)) engine = MergeTree order by at",
    });
    const { port } = new URL(clickhouse.engine.url);
    await server.client.updateWarehouseConnection({ body: { clickhouse: { url: `clickhouse://default@127.0.0.1:${port}/default` } } });
  });
  afterAll(async () => {
    await server?.close();
    await clickhouse?.close();
  });

  const store = (rows: object[]) => clickhouse.client.insert({ table: "orders", values: rows, format: "JSONEachRow" });

  test("says which server it is", async () => {
    expect((await server.client.checkWarehouseConnection({})).data).toEqual({
      isUsable: true,
      server: expect.stringMatching(/^ClickHouse \d+\./),
    });
  });

  test("is previewed with its columns, types and rows as texts", async () => {
    await store([
      { customer: "ø", at: "2025-11-20 10:00:00.000", total: 1.5 },
      { customer: "b", at: "2025-11-20 11:00:00.000", total: null },
    ]);
    const body = { sql: "select * from orders order by at -- all", customFieldMapping: [{ key: "twice", formula: "total * 2" }] };
    const { data } = await server.client.previewMetricSource({ body });
    expect(data.columns).toEqual([
      { name: "customer", type: "String" },
      { name: "at", type: "DateTime64(3, 'UTC')" },
      { name: "total", type: "Nullable(Float64)" },
      { name: "twice", type: "Nullable(Float64)" },
    ]);
    expect(data.rows).toEqual([
      ["ø", "2025-11-20 10:00:00.000", "1.5", "3"],
      ["b", "2025-11-20 11:00:00.000", null, null],
    ]);
  });

  test.each([
    ["an insert", "insert into orders values ('x', now(), 1)"],
    ["a table", "create table mine (a Int64) engine = Memory"],
    ["a second statement", "select 1 as one) as source; drop table orders; select * from (select 1 as one"],
    ["no such column", "select price from orders"],
    ["a query that ends its parentheses", "select 1 as one) as source union all select * from (select 2 as one"],
    ["a query with a format after its end", "select 1 as one) format Null --"],
    ["a formula that ends its parentheses", "select 1 as one", "1) as computed from (select 1 as one) as other union all select 2, (3"],
  ])("refuses %s", async (_name, sql, formula = "1") => {
    const body = { sql, customFieldMapping: [{ key: "computed", formula }] };
    const { status, errors } = await refusal(server.client.previewMetricSource({ body }));
    expect({ status, errors }).toEqual({
      status: 400,
      errors: [{ property: "sql", errorMessage: expect.stringMatching(/^failed on the warehouse: It refused the statement: /) }],
    });
  });

  test.each([
    ["url", "select * from url('http://127.0.0.1:1/', 'CSV', 'one String')"],
    ["file", "select * from file('/etc/passwd', 'CSV', 'one String')"],
    ["file", "select file('/etc/passwd') as one"],
    ["remote", "select * from orders where customer in (select one from remote('127.0.0.1:1', view(select 1 as one)))"],
    ["remoteSecure", "with other as (select * from remoteSecure('127.0.0.1:1', default, orders)) select * from other"],
    ["clusterAllReplicas", "select 1 as one union all select one from clusterAllReplicas('default', default.orders)"],
    ["s3", "select * from orders as a join s3('http://127.0.0.1:1/bucket/one.csv') as b on true"],
    ["PostgreSQL", "select * from PostgreSQL('127.0.0.1:1', 'shop', 'orders', 'reader', 'secret')"],
    ["executable", "select 1 in executable('id', 'CSV', 'one String') as one"],
  ])("refuses to read files or other servers by %s", async (name, sql) => {
    const { status, errors } = await refusal(server.client.previewMetricSource({ body: { sql } }));
    const errorMessage = `failed on the warehouse: It may not call ${name}, which reads files or other servers.`;
    expect({ status, errors }).toEqual({ status: 400, errors: [{ property: "sql", errorMessage }] });
  });

  test("reads tables, views, and functions that make rows", async () => {
    const sql =
      "select number from numbers(2) union all select 7 from view(select 1 as one) union all select 9 from values('one UInt8', 1)";
    expect((await server.client.previewMetricSource({ body: { sql: `${sql} order by 1` } })).data.rows.length).toBe(4);
  });

  test("ends an answer that is larger than it may be", async () => {
    const { hostname: host, port } = new URL(clickhouse.engine.url);
    const address = { type: "clickhouse", host, port: Number(port), database: "default", username: "default", password: "" } as const;
    const warehouse = openClickHouseWarehouse({ ...address, encryption: "off" }, undefined);
    const ask = (rows: number) =>
      warehouse.ask(
        { text: `select repeat('x', 1000000) as one from numbers(${rows})`, parameters: [] },
        { timeoutMs: 60_000, signal: new AbortController().signal, maxBytes: 2 ** 22 },
      );
    expect(await ask(3)).toHaveLength(3);
    await expect(ask(30)).rejects.toThrow("Its answer has more than 4 MiB.");
  });

  test("refuses a user who can see the events of Gatehouse's own ClickHouse, no matter which database its URL names", async () => {
    const { hostname: host, port } = new URL(clickhouse.engine.url);
    await clickhouse.client.command({ query: "create database own_events" });
    const own = openClickHouse(`clickhouse://default@${host}:${port}/own_events`);
    await prepareClickHouse(own).finally(own.close);
    const address = { type: "clickhouse", host, port: Number(port), database: "default", username: "default", password: "" } as const;
    const openWarehouse = (events: string) => openClickHouseWarehouse({ ...address, encryption: "off" }, events);
    const options = { timeoutMs: 60_000, signal: new AbortController().signal };
    const { check, ask, readColumns } = openWarehouse("own_events");
    const query = "select name from own_events.event";
    for (const attempt of [check(options), ask({ text: query, parameters: [] }, options), readColumns({ query }, options)])
      await expect(attempt).rejects.toThrow(
        "The user default has rights on own_events.check_exposure, where Gatehouse keeps the events of all projects. Use one without rights on that database.",
      );
    expect(await openWarehouse("other_events").check(options)).toMatch(/^ClickHouse /);
  });

  test("gives results that are those of the same events", async () => {
    const pulse = pulseOn(server);
    await server.client.createMetricSource({
      body: {
        ...{ name: "orders", sql: "select * from orders", timestampColumn: "at" },
        idTypeMapping: [{ serviceUnitID: "userID", column: "customer" }],
      },
    });
    await pulse.metric("events");
    await pulse.metric("rows", {
      ...{ type: "user_warehouse", metricEvents: [] },
      warehouseNative: { aggregation: "sum", metricSourceName: "orders", valueColumn: "total" },
    });
    const primaryMetrics = [
      { name: "events", type: "sum" },
      { name: "rows", type: "user_warehouse" },
    ];
    const id = await pulse.experiment("shop", { primaryMetrics });
    const time = server.clock.now + HOUR_MS;
    const buyers = Array.from({ length: 40 }, (_, n) => ({
      ...{ unit: `customer ${n}`, group: n % 2 === 0 ? "control" : "test" },
      purchases: [
        { value: n % 7, afterMs: HOUR_MS },
        { value: n % 3, afterMs: -DAY_MS },
      ],
    }));
    const at = (ms: number) => new Date(ms).toISOString().slice(0, -1).replace("T", " ");
    await store(
      buyers.flatMap(({ unit, purchases }) =>
        purchases.map(({ value, afterMs }) => ({ customer: unit, at: at(time + afterMs), total: value })),
      ),
    );
    server.clock.now = time + 2 * DAY_MS;
    await pulse.log(id, buyers, time);
    expect((await pulse.load(id)).metrics).toMatchObject([{ state: "success" }, { state: "success" }]);
    const [events, rows] = (await pulse.results(id)).primaryMetrics;
    expect(events?.controlTotal).toBeGreaterThan(0);
    const numbers = ["controlTotal", "testTotal", "absoluteChange", "pValue", "controlUnits", "testUnits"] as const;
    for (const number of numbers) expect(rows?.[number], number).toBeCloseTo(events?.[number] as number, 10);
  });
});
