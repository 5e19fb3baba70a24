import { ClickHouseError } from "@clickhouse/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startEngine, startServers } from "../../../../engines/clickhouse/start.mjs";
import { createQuietClient, readRows, startClickHouse } from "../support/clickhouse.ts";
import { needs } from "../support/needs.ts";

// Assumptions of the other tests about the two engines they run on.

describe("today's engine in process", needs.clickhouse, () => {
  let clickhouse: Awaited<ReturnType<typeof startClickHouse>>;
  beforeAll(async () => {
    clickhouse = await startClickHouse();
  });
  afterAll(() => clickhouse?.close());

  test("takes parameters of every type as they are, with any special characters", async () => {
    const text = 'it\'s \\ "quoted",\n\t] 🦊';
    const query = "select {t:String} as t, {i:Int64} as i, {d:Float64} as d, {ts:Array(String)} as ts, {is:Array(Int64)} as ints";
    const query_params = { t: text, i: -(2 ** 53) + 1, d: 0.1, ts: [text, "", "]"], is: [1, -2] };
    const answer = await clickhouse.client.query({ query, query_params, format: "JSONEachRow" });
    expect(await answer.json()).toEqual([{ t: text, i: -(2 ** 53) + 1, d: 0.1, ts: [text, "", "]"], ints: [1, -2] }]);
  });

  test("stores the rows of a token once, in one statement or in another", async () => {
    const { client } = clickhouse;
    await client.command({
      query: "create table once (a Int64) engine = MergeTree order by a settings non_replicated_deduplication_window = 100",
    });
    const insert = (token: string) =>
      client.insert({
        ...{ table: "once", values: [{ a: 1 }, { a: 2 }], format: "JSONEachRow" },
        clickhouse_settings: { insert_deduplication_token: token },
      });
    for (const token of ["x", "x", "y", "x"]) await insert(token);
    expect(await readRows(client, "select count() as n from once")).toEqual([{ n: 4 }]);
  });

  test("answers errors with their code", async () => {
    const error = await readRows(clickhouse.client, "select nothing from once").catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ClickHouseError);
    expect((error as ClickHouseError).type).toBe("UNKNOWN_IDENTIFIER");
  });

  test("keeps what it acknowledged when its process is killed", async () => {
    const first = await startEngine();
    const client = createQuietClient(first.url);
    await client.command({ query: "create table kept (a Int64) engine = MergeTree order by a" });
    await client.insert({ table: "kept", values: [{ a: 7 }], format: "JSONEachRow" });
    await client.close();
    await first.kill();
    const second = await startEngine({ folder: first.folder });
    const again = createQuietClient(second.url);
    expect(await readRows(again, "select a from kept")).toEqual([{ a: 7 }]);
    await again.close();
    await second.remove();
    await first.remove();
  });
});

describe("Debian's servers", needs.clickhouseServer, () => {
  let servers: Awaited<ReturnType<typeof startServers>>;
  beforeAll(async () => {
    servers = await startServers(2);
  });
  afterAll(() => servers?.remove());

  test("take rows from the client, and refuse every write of a user who may only read", async () => {
    const [url] = servers.urls as [string];
    const [client, reader] = [createQuietClient(url), createQuietClient(url, { username: "reader" })];
    await client.command({ query: "create table written (a Int64) engine = MergeTree order by a" });
    await client.insert({ table: "written", values: [{ a: 1 }, { a: 2 }], format: "JSONEachRow" });
    expect(await readRows(reader, "select toInt32(sum(a)) as total from written")).toEqual([{ total: 3 }]);
    const writes = [
      "insert into written values (3)",
      "drop table written",
      "create table other (a Int64) engine = Memory",
      "set readonly = 0",
    ];
    for (const query of writes) await expect(reader.command({ query }), query).rejects.toThrow("readonly mode");
    expect(await readRows(client, "select toInt32(sum(a)) as total from written")).toEqual([{ total: 3 }]);
    await Promise.all([client.close(), reader.close()]);
  });

  test("take the limits of a reader with a request, as warehouses are asked, and let no statement lift them", async () => {
    const [url] = servers.urls as [string];
    const client = createQuietClient(url);
    const read = async (query: string) => {
      const clickhouse_settings = { readonly: "1" as const, max_query_size: "1000000", max_execution_time: 60 };
      const answer = await client.query({ query, format: "JSONEachRow", clickhouse_settings });
      return answer.json();
    };
    expect(await read("select toInt32(1) as one")).toEqual([{ one: 1 }]);
    const lifting = ["select 1 from (select 1 as one settings readonly = 0)", "select 1 as one settings max_execution_time = 0"];
    for (const query of [
      ...lifting,
      "create table lifted (a Int64) engine = Memory",
      "select * from url('http://127.0.0.1', CSV, 'a Int8')",
    ])
      await expect(read(query), query).rejects.toThrow(/readonly|syntax error/i);
    await expect(read("select 1 as one; select 2 as two")).rejects.toThrow(/multi-statements|syntax error/i);
    await client.close();
  });

  test("divide rows by unit among two shards, so that a join of each shard's own rows finds what one machine would", async () => {
    const clients = servers.urls.map((url) => createQuietClient(url));
    for (const client of clients) {
      for (const [name, columns] of [
        ["event", "unit String, value Float64"],
        ["exposure", "unit String, grp String"],
      ]) {
        await client.command({ query: `create table ${name}_shard (${columns}) engine = MergeTree order by unit` });
        await client.command({
          query: `create table ${name} as ${name}_shard engine = Distributed(shards, default, ${name}_shard, cityHash64(unit))`,
        });
      }
    }
    const [client] = clients as [(typeof clients)[0]];
    const clickhouse_settings = { insert_distributed_sync: 1 as const };
    const units = Array.from({ length: 100 }, (_, index) => ({ unit: `unit ${index}`, grp: index % 2 === 0 ? "control" : "test" }));
    const events = units.flatMap(({ unit }, index) => [
      { unit, value: index },
      { unit, value: 0.5 },
    ]);
    await client.insert({ table: "exposure", values: units, format: "JSONEachRow", clickhouse_settings });
    await client.insert({ table: "event", values: events, format: "JSONEachRow", clickhouse_settings });
    const own = await Promise.all(
      clients.map(async (one) => (await readRows<{ n: number }>(one, "select toInt32(count()) as n from event_shard"))[0]?.n ?? 0),
    );
    expect(own.reduce((sum, n) => sum + n, 0)).toBe(200);
    expect(Math.min(...own)).toBeGreaterThan(0);
    const join = `select grp, sum(value) as total from event any inner join (select unit, grp from exposure_shard) using unit group by grp order by grp`;
    expect(await readRows(client, join)).toEqual([
      { grp: "control", total: 2475 },
      { grp: "test", total: 2525 },
    ]);
    await Promise.all(clients.map((one) => one.close()));
  });
});
