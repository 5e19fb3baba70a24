import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { asAdmin } from "../support/database.ts";
import { needs } from "../support/needs.ts";
import { refusal, startServer, type TestServer } from "../support/server.ts";
import { type ShopWarehouse, startShopWarehouse } from "../support/shop-warehouse.ts";

describe("a Postgres warehouse", needs.postgresBinaries, () => {
  let server: TestServer;
  let shop: ShopWarehouse;
  beforeAll(async () => {
    [server, shop] = await Promise.all([startServer(), startShopWarehouse()]);
    await shop.query(
      `insert into orders select 'customer ' || n, null, '2025-11-20T10:00:00+01:00'::timestamptz + n * interval '1 hour', n * 1.5, 'Oslo'
       from generate_series(1, 30) as n`,
    );
    await connect(shop.url);
  });
  afterAll(async () => {
    await server?.close();
    await shop?.close();
  });

  const connect = (url: string) => server.client.updateWarehouseConnection({ body: { postgres: { url } } });
  const check = async () => (await server.client.checkWarehouseConnection({})).data;
  const preview = async (body: object) => (await server.client.previewMetricSource({ body })).data;
  const failure = async (sql: string) => {
    const { status, errors } = await refusal(server.client.previewMetricSource({ body: { sql } }));
    return { status, errors };
  };

  describe("checkWarehouseConnection", () => {
    test("200: says which server it is", async () => {
      expect(await check()).toEqual({ isUsable: true, server: expect.stringMatching(/^PostgreSQL \d+/) });
    });

    test("200: refuses a superuser, and a database that does not exist", async () => {
      await connect(shop.superUrl);
      expect(await check()).toEqual({
        isUsable: false,
        reason: "The user postgres is a superuser. Use one that can do nothing but read its tables.",
      });
      await connect(shop.url.replace("/shop", "/nothing"));
      expect(await check()).toEqual({ isUsable: false, reason: 'It refuses the connection: database "nothing" does not exist.' });
      await connect(shop.url);
    });

    test("200: refuses Gatehouse's own database to a login that no events are shared with", needs.postgres, async () => {
      const own = new URL(server.database.url as string);
      // Past a pooler, which does not know the login.
      own.host = new URL(process.env.TEST_DATABASE_URL as string).host;
      const name = `reader_${own.pathname.slice(1)}`;
      await asAdmin(own.href, `create role ${name} login password 'secret'`);
      try {
        Object.assign(own, { username: name, password: "secret" });
        await connect(own.href);
        expect((await check()).reason).toMatch(
          /^It is Gatehouse's own database, where .* nothing else\. reader_\w+ .*cannot read the events of this project\. /,
        );
      } finally {
        await asAdmin(server.database.url as string, `drop role ${name}`);
        await connect(shop.url);
      }
    });

    test("200: a warehouse that is away cannot be used, and is used again once it is back", async () => {
      await shop.stop();
      expect(await check()).toEqual({ isUsable: false, reason: expect.stringMatching(/^It cannot be reached: connect ECONNREFUSED/) });
      expect(await preview({ sql: "select 1 as one" })).toEqual({
        ...{ columns: [], rows: [] },
        reason: expect.stringMatching(/^It cannot be reached: connect ECONNREFUSED/),
      });
      await shop.start();
      expect(await preview({ sql: "select 1 as one" })).toMatchObject({ rows: [["1"]] });
    });
  });

  describe("previewMetricSource", () => {
    test("200: answers columns with their types, what formulas compute, and ten rows as texts", async () => {
      const { columns, rows, sql } = await preview({
        sql: "select customer, company, at, total from orders order by total -- the cheapest\n;",
        timestampColumn: "at",
        idTypeMapping: [{ serviceUnitID: "userID", column: "customer" }],
        customFieldMapping: [{ key: "is_large", formula: "total > 2 -- crowns" }],
      });
      expect(columns).toEqual([
        { name: "customer", type: "text" },
        { name: "company", type: "text" },
        { name: "at", type: "timestamp with time zone" },
        { name: "total", type: "numeric" },
        { name: "is_large", type: "boolean" },
      ]);
      expect(rows).toHaveLength(10);
      expect(rows[0]).toEqual(["customer 1", null, "2025-11-20 10:00:00+00", "1.5", "false"]);
      expect(rows[1]).toEqual(["customer 2", null, "2025-11-20 11:00:00+00", "3.0", "true"]);
      expect(sql).toContain("select customer, company, at, total from orders");
    });

    test("200: reads a table, whose name may have a schema", async () => {
      expect((await preview({ sourceType: "table", tableName: "public.orders" })).columns).toHaveLength(5);
    });

    test("200: cuts long values, and shows the first 100 columns", async () => {
      const many = Array.from({ length: 120 }, (_, index) => `${index} as c${index}`).join(", ");
      const { columns, rows } = await preview({ sql: `select repeat('ø', 1000) as long, ${many}` });
      expect([columns.length, rows[0]?.length, rows[0]?.[0]]).toEqual([100, 100, "ø".repeat(200)]);
    });

    test("400: without a query, with columns that it does not have, and with one that the warehouse refuses", async () => {
      expect((await failure(" ")).errors).toEqual([{ property: "sql", errorMessage: "must not be empty with sourceType query" }]);
      const body = {
        ...{ sql: "select customer from orders", timestampColumn: "at" },
        idTypeMapping: [{ serviceUnitID: "userID", column: "visitor" }],
      };
      expect((await refusal(server.client.previewMetricSource({ body }))).errors).toEqual([
        { property: "timestampColumn", errorMessage: "names the column at, which the source does not have" },
        { property: "idTypeMapping[0].column", errorMessage: "names the column visitor, which the source does not have" },
      ]);
      expect(await failure("select price from orders")).toEqual({
        status: 400,
        errors: [
          {
            property: "sql",
            errorMessage: 'failed on the warehouse: It refused the statement: column "price" does not exist.',
          },
        ],
      });
    });

    test.each([
      ["a query that ends its parentheses", "select 1 as one) as source union all select * from (select 2 as one", "1"],
      ["a query that opens a comment", "select 1 as one /*", "1"],
      ["a formula that ends its parentheses", "select 1 as one", "1) as computed from (select 1 as one) as other union all select 2, (3"],
      ["a formula that adds tables", "select 1 as one", "1 from generate_series(1, 3)"],
      ["two statements", "select 1 as one; select 2 as one", "1"],
    ])("400: %s", async (_name, sql, formula) => {
      const body = { sql, customFieldMapping: [{ key: "computed", formula }] };
      const { status, errors } = await refusal(server.client.previewMetricSource({ body }));
      expect({ status, errors }).toEqual({
        status: 400,
        errors: [{ property: "sql", errorMessage: expect.stringMatching(/^failed on the warehouse: It refused the statement: /) }],
      });
    });

    test("400: a query whose error is larger than answers may be, and the start of one that is long", async () => {
      const errorWith = (characters: number) => failure(`select repeat('x', ${characters})::int as one`);
      expect((await errorWith(20_000_000)).errors).toEqual([
        { property: "sql", errorMessage: "failed on the warehouse: Its answer has more than 8 MiB." },
      ]);
      const message = `invalid input syntax for type integer: "${"x".repeat(460)}…`;
      expect((await errorWith(1_000_000)).errors).toEqual([
        { property: "sql", errorMessage: `failed on the warehouse: It refused the statement: ${message}.` },
      ]);
    });

    test("503: a query that takes longer than ten seconds is ended", async () => {
      const asked = server.client.previewMetricSource({ body: { sql: "select pg_sleep(60)::text as slept" } });
      expect(await refusal(asked)).toMatchObject({ status: 503, message: expect.stringContaining("10 s") });
      const left = "select count(*)::int as n from pg_stat_activity where query like '%pg_sleep(60)%' and pid <> pg_backend_pid()";
      await expect.poll(async () => (await shop.query(left))[0].n).toBe(0);
    });
  });

  describe("a query neither writes nor reads what its user may not read:", () => {
    test.each([
      ["another table", "select secret from secrets"],
      ["an insert", "insert into orders values ('x') returning customer"],
      ["an insert in a common table expression", "with w as (insert into orders values ('x') returning *) select * from w"],
      ["a delete", "delete from orders returning customer"],
      ["a second statement", "select 1 as one; delete from orders; select 1 as one"],
      ["a second statement that closes the first", "select 1 as one) as source; delete from orders; select * from (select 1 as one"],
      ["a table", "create table mine (a int)"],
      ["a temporary table", "select 1 as one) as source; create temporary table mine (a int); select * from (select 1 as one"],
      ["a transaction that writes", "select set_config('transaction_read_only', 'off', false) as set"],
      ["a session that writes", "select set_config('default_transaction_read_only', 'off', false) as a, nextval('missing') as b"],
      ["another role", "select set_config('role', 'postgres', false) as set"],
      ["another user", "select set_config('session_authorization', 'postgres', false) as set"],
      ["a file", "select pg_read_file('/etc/passwd') as file"],
      ["a folder", "select pg_ls_dir('/') as file"],
      ["a file as a large object", "select lo_import('/etc/passwd') as file"],
      ["a program", "copy orders to program 'touch /tmp/gatehouse-warehouse'"],
      ["a function", "do $$ begin delete from orders; end $$"],
      ["the passwords of users", "select rolpassword from pg_authid"],
      ["the statistics of all columns", "select stavalues1::text from pg_statistic"],
      ["the end of other sessions", "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'postgres'"],
      ["a lock of the table", "select customer from orders for update"],
      ["a new configuration", "select pg_reload_conf() as reloaded"],
    ])("%s", async (_name, sql) => {
      expect(await failure(sql)).toEqual({
        status: 400,
        errors: [{ property: "sql", errorMessage: expect.stringMatching(/^failed on the warehouse: It refused the statement: /) }],
      });
      expect(await shop.query("select count(*)::int as orders, (select count(*)::int from secrets) as secrets from orders")).toEqual([
        { orders: 30, secrets: 1 },
      ]);
      expect(await shop.query("select relname from pg_class where relname = 'mine'")).toEqual([]);
    });
  });
});
