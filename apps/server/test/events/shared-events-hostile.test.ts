import { createEvaluationClient } from "@gatehouse/client";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makePartitions } from "../../src/evaluation/events/event-partition-store.ts";
import { sealAll } from "../../src/store/change-log/sealing.ts";
import { createAuditKey } from "../../src/store/database/audit-key.ts";
import { migrate } from "../../src/store/database/migrate.ts";
import { writing } from "../../src/store/database/unit-of-work.ts";
import { rowsOutside } from "../support/faults.ts";
import { needs } from "../support/needs.ts";
import { makeOtherProject } from "../support/other-project.ts";
import { refusal } from "../support/server.ts";
import { type Sharing, startSharing } from "../support/shared-events.ts";

/** Placed everywhere that a project must not see: in events, keys and passwords of others. */
const SECRET = "of another project";
const OWN_EVENTS = 30;

describe("a query on a project's own events", needs.postgresBinaries, () => {
  let sharing: Sharing;
  beforeAll(async () => {
    sharing = await startSharing();
    const { server, command } = sharing;
    const otherKey = await makeOtherProject(server);
    const buy = (userID: string, value: string | number) => ({ eventName: "buy", user: { userID }, value });
    await server.evaluation.logEvent({ body: { events: Array.from({ length: OWN_EVENTS }, (_, n) => buy(`own ${n}`, n)) } });
    const other = createEvaluationClient({ baseUrl: server.url, apiKey: otherKey, retry: { attempts: 1 } });
    await other.logEvent({ body: { events: Array.from({ length: 50 }, () => buy("victim", SECRET)) } });
    await command("create extension dblink; create role another login superuser password 'of another project'; analyze");
    await sharing.share("reader", "default");
    await sharing.share("other_reader", "other");
    await sharing.connect("reader");
  });
  afterAll(async () => {
    await sharing?.server.client.deleteWarehouseConnection({}).catch(() => {});
    await sharing?.close();
  });

  const preview = async (sql: string) => (await sharing.server.client.previewMetricSource({ body: { sql } })).data;
  const everything = () => rowsOutside(sharing.server.database, "nobody");

  test("reads the events of its project", async () => {
    const { rows, columns } = await preview("select count(*) as n, count(distinct user_id) as users, max(value::int) as most from events");
    expect(rows).toEqual([[String(OWN_EVENTS), String(OWN_EVENTS), String(OWN_EVENTS - 1)]]);
    expect(columns.map(({ name }) => name)).toEqual(["n", "users", "most"]);
  });

  describe("is refused if it is", () => {
    test.each([
      ["the table of events", "select value from public.event"],
      ["a day of that table", `select value from public."event_2025_11_21"`],
      ["the kept events", "select value from public.kept_event"],
      ["the exposures of all projects", "select * from public.experiment_exposure"],
      ["the key table", "select * from public.key"],
      ["the sessions of people", "select * from public.session"],
      ["the credentials of warehouses", "select * from public.warehouse_secret"],
      ["the audit log", "select * from public.change"],
      ["another project's view", "select value from gatehouse_project_other.events"],
      [
        "a table of another schema by its search path",
        "select set_config('search_path', 'public', false), (select value from event limit 1)",
      ],
      ["a column that the view does not have", `select "projectID" from events`],
      ["the system columns of the rows below", "select tableoid, ctid from events"],
      ["another table in a query as XML", "select query_to_xml('select * from public.event', true, false, '')::text as x"],
      ["a table as XML", "select table_to_xml('public.key', true, false, '')::text as x"],
      ["another role in a query as XML", "select query_to_xml('set role gatehouse', true, false, '')::text as x"],
      ["a plan in a query as XML", "select query_to_xml('explain select * from events', true, false, '')::text as x"],
      ["a plan", "explain select * from events"],
      ["a query of the text search", "select * from ts_stat('select to_tsvector(value) from public.event')"],
      ["a table as XML with its schema", "select query_to_xml_and_xmlschema('select * from public.key', true, false, '')::text as x"],
      [
        "another connection as a superuser",
        "select * from public.dblink('dbname=gatehouse user=postgres', 'select value from event') as t (v text)",
      ],
      [
        "another connection with a password",
        `select * from public.dblink('host=127.0.0.1 port=PORT dbname=gatehouse user=postgres password=x', 'select value from event') as t (v text)`,
      ],
      ["the role of the server", "select set_config('role', 'gatehouse', false) as set"],
      ["the role of a superuser", "select set_config('role', 'postgres', false) as set"],
      ["the role of another project", "select set_config('role', 'other_reader', true) as set"],
      ["another user", "select set_config('session_authorization', 'gatehouse', false) as set"],
      ["a role in a block", "do $$ begin set role gatehouse; end $$"],
      ["the passwords of users", "select rolpassword from pg_authid"],
      ["the statistics of all columns", "select stavalues1::text from pg_statistic"],
      ["the extended statistics", "select * from pg_statistic_ext_data"],
      ["a file", "select pg_read_file('/etc/passwd') as file"],
      ["a file as bytes", "select pg_read_binary_file('PG_VERSION') as file"],
      ["a folder", "select pg_ls_dir('/') as file"],
      ["a file as a large object", "select lo_import('/etc/passwd') as file"],
      ["a large object as a file", "select lo_export(1, '/tmp/gatehouse-export') as file"],
      ["a program", "copy events to program 'touch /tmp/gatehouse-warehouse'"],
      ["the server's file of who may connect", "select * from pg_hba_file_rules"],
      ["where that file is", "select current_setting('hba_file') as file"],
      ["an insert", "insert into exposures (unit_id) values ('x') returning unit_id"],
      ["a write below a view", "with w as (update exposures set unit_id = 'x' returning *) select * from w"],
      ["a delete", "with w as (delete from exposures returning *) select * from w"],
      ["a lock of rows", "select unit_id from exposures for update"],
      ["a transaction that writes", "select set_config('transaction_read_only', 'off', false) as set"],
      ["a second statement", "select 1 as one) as source; commit; create temporary table mine (a int); select * from (select 1 as one"],
      ["a temporary table", "create temporary table mine (a int)"],
      ["a number of a sequence", "select nextval('public.event_id_seq') as n"],
      ["a copy of the log of writes", "select pg_create_logical_replication_slot('mine', 'test_decoding')::text as slot"],
      ["the end of the server's sessions", "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'gatehouse'"],
      ["the end of its statements", "select pg_cancel_backend(pid) from pg_stat_activity where usename = 'gatehouse'"],
      ["a new configuration", "select pg_reload_conf() as reloaded"],
    ])("%s", async (_name, sql) => {
      const before = await everything();
      const query = sql.replace("PORT", new URL(sharing.superUrl).port);
      const { status, errors } = await refusal(sharing.server.client.previewMetricSource({ body: { sql: query } }));
      expect({ status, errors }).toEqual({
        status: 400,
        errors: [{ property: "sql", errorMessage: expect.stringMatching(/^failed on the warehouse: It refused the statement: /) }],
      });
      expect(JSON.stringify(errors)).not.toContain(SECRET);
      expect(await everything()).toEqual(before);
    });
  });

  describe("cannot read other projects through", () => {
    test.each([
      ["a cast that fails for their values", "select count(*) from events where value::int >= 0", String(OWN_EVENTS)],
      [
        "a condition that fails for one of their users",
        "select count(*) from events where 1 / (case when user_id = 'victim' then 0 else 1 end) = 1",
        String(OWN_EVENTS),
      ],
      ["a condition on their users", "select count(*) from events where user_id = 'victim'", "0"],
      [
        "the planner's statistics of columns",
        "select count(*) from pg_stats where schemaname not in ('pg_catalog', 'information_schema')",
        "0",
      ],
      ["the columns that it may know", "select count(*) from information_schema.columns where table_schema = 'public'", "0"],
      ["the statements of others", "select distinct query from pg_stat_activity where usename = 'gatehouse'", "<insufficient privilege>"],
      ["a schema as XML", "select count(*) from xmltable('//row' passing schema_to_xml('public', true, false, '') columns x text)", "0"],
      [
        "a file as an entity of XML",
        `select xmlparse(document '<!DOCTYPE a [<!ENTITY f SYSTEM "file:///etc/passwd">]><a>&f;</a>')::text not like '%root%' as hidden`,
        "true",
      ],
    ])("%s", async (_name, sql, value) => {
      expect((await preview(sql)).rows).toEqual([[value]]);
    });
  });

  test("keeps no large object, which Postgres before 16 makes in a read-only transaction", async () => {
    await sharing.server.client.previewMetricSource({ body: { sql: "select lo_from_bytea(0, 'x') as id" } }).catch(() => {});
    expect(await sharing.as("postgres", "select oid from pg_largeobject_metadata")).toEqual([]);
  });

  test("sends no notifications", async () => {
    const client = new pg.Client(sharing.superUrl);
    await client.connect();
    const heard: (string | undefined)[] = [];
    client.on("notification", ({ payload }) => heard.push(payload));
    await client.query("listen hostile");
    await preview("select pg_notify('hostile', 'from a query')::text as x");
    await client.query("notify hostile, 'from the test'");
    await expect.poll(() => heard).toEqual(["from the test"]);
    await client.end();
  });

  test("holds up no write of another project by the advisory locks that every login may take", async () => {
    const keys = [
      "7241533018",
      "7241533019",
      "hashtextextended('evaluated default', 0)",
      `hashtextextended('["config","default","held"]', 0)`,
    ];
    const client = new pg.Client(sharing.loginUrl("reader"));
    await client.connect();
    try {
      for (const key of keys) await client.query(`select pg_advisory_lock(${key})`);
      const { client: api, database, clock } = sharing.server;
      await migrate(database);
      const groups = ["a", "b"].map((id) => ({ id, name: id, size: 50 }));
      await api.createExperiment({ body: { name: "held", groups, allocation: 100 } });
      await api.createGate({ body: { name: "first" } });
      const conditions = [{ type: "passes_gate" as const, operator: null, targetValue: ["first"] }];
      await api.createGate({ body: { name: "second", rules: [{ name: "rule", passPercentage: 100, conditions }] } });
      const day = Math.floor(clock.now / 86_400_000) + 100;
      await writing(database, (db) => makePartitions(db, [day]));
      await sealAll(database, createAuditKey("a key of at least 32 characters, for a test"), clock.now);
      expect(await database.prisma.seal.count()).toBeGreaterThan(0);
    } finally {
      await client.end();
    }
  });

  test("has views that are barriers for conditions", async () => {
    const options = await sharing.as(
      "postgres",
      "select relname, reloptions from pg_class where relname in ('events', 'exposures') order by relname, oid",
    );
    expect(options).toHaveLength(4);
    expect(options.every(({ reloptions }) => reloptions.includes("security_barrier=true"))).toBe(true);
  });
});
