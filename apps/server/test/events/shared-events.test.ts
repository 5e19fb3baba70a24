import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventRetention } from "../../src/jobs/event-retention.ts";
import { removeDeletedProjects } from "../../src/jobs/remove-deleted-projects.ts";
import { unshareEvents } from "../../src/warehouse/share-events.ts";
import { needs } from "../support/needs.ts";
import { makeOtherProject } from "../support/other-project.ts";
import { start } from "../support/process.ts";
import { DAY_MS, HOUR_MS, pulseOn } from "../support/pulse.ts";
import { type Sharing, startSharing } from "../support/shared-events.ts";

describe("events that are shared with a login", needs.postgresBinaries, () => {
  let sharing: Sharing;
  beforeAll(async () => {
    sharing = await startSharing();
    await makeOtherProject(sharing.server);
  });
  afterAll(() => sharing?.close());

  const OWN =
    "It is Gatehouse's own database, where a warehouse must be a login that reads the events of this project and nothing else. reader ";
  const COMMAND =
    ". The operator of the server shares the events: node apps/server/dist/cli/main.js events share --project default --login reader";
  const usable = { isUsable: true, server: expect.stringMatching(/^PostgreSQL \d+/) };
  const env = () => ({ database: sharing.server.database, log: pino({ level: "silent" }), now: () => sharing.server.clock.now });
  const schemas = () => sharing.as("postgres", "select nspname from pg_namespace where nspname like 'gatehouse_project%' order by 1");

  test("are not a usable warehouse before, and the refusal names the command", async () => {
    await sharing.connect("reader");
    expect(await sharing.check()).toEqual({ isUsable: false, reason: `${OWN}cannot read the events of this project${COMMAND}` });
  });

  test("are a usable warehouse afterwards, even if shared twice, and contain only the project", async () => {
    await sharing.share();
    await sharing.share();
    expect(await sharing.check()).toEqual(usable);
    const tables = await sharing.as(
      "reader",
      "select table_schema, table_name from information_schema.tables where table_schema !~ '^pg_|^inf'",
    );
    expect(tables.map(({ table_schema, table_name }) => `${table_schema}.${table_name}`).sort()).toEqual([
      "gatehouse_project_default.events",
      "gatehouse_project_default.exposures",
    ]);
  });

  test("can be shared with several logins, and a login has one project", async () => {
    await sharing.share("other_reader", "other");
    await expect(sharing.share("reader", "other")).rejects.toThrow("but it reads the events of another project.");
    await sharing.connect("other_reader");
    expect((await sharing.check()).reason).toContain(
      "other_reader reads the events of another project, cannot read the events of this project.",
    );
    await sharing.connect("reader");
    await unshareEvents(sharing.server.database, "other");
    await sharing.share("other_reader");
    await sharing.connect("other_reader");
    expect(await sharing.check()).toEqual(usable);
    await sharing.connect("reader");
  });

  describe("are neither shared nor read while the login", () => {
    const alone = "alter role reader";
    test.each([
      ["is a superuser", `${alone} superuser`, `${alone} nosuperuser`],
      ["is a role with REPLICATION", `${alone} replication`, `${alone} noreplication`],
      ["is a role with CREATEROLE", `${alone} createrole`, `${alone} nocreaterole`],
      ["is a member of pg_read_server_files", "grant pg_read_server_files to reader", "revoke pg_read_server_files from reader"],
      ["is a member of gatehouse", "grant gatehouse to reader", "revoke gatehouse from reader"],
      [
        "may create schemas in the database",
        "grant create on database gatehouse to public",
        "revoke create on database gatehouse from public",
      ],
      ["may create objects in the schema public", "grant create on schema public to public", "revoke create on schema public from public"],
      ["has privileges on table public.key", "grant select on public.key to public", "revoke select on public.key from public"],
      ["has privileges on table public.gate", "grant insert on public.gate to reader", "revoke insert on public.gate from reader"],
      ["has privileges on table public.key", "grant select (id) on public.key to reader", "revoke select (id) on public.key from reader"],
      [
        "has privileges on table public.event_2025_11_21",
        "create table public.event_2025_11_21 (); grant select on public.event_2025_11_21 to public",
        "drop table public.event_2025_11_21",
      ],
      [
        "has privileges on sequence public.alert_event_number_seq",
        "grant usage on all sequences in schema public to public",
        "revoke usage on all sequences in schema public from public",
      ],
      [
        "may call function public.as_owner(), which has the rights of its owner",
        "create function public.as_owner() returns text language sql security definer as 'select id from public.key'",
        "drop function public.as_owner()",
      ],
      [
        "may call function pg_read_file(text)",
        "grant execute on function pg_read_file(text) to reader",
        "revoke execute on function pg_read_file(text) from reader",
      ],
      ["has privileges on table pg_authid", "grant select on pg_authid to public", "revoke select on pg_authid from public"],
      [
        "owns table mine",
        "create schema mine; create table mine.mine (); alter table mine.mine owner to reader",
        "drop schema mine cascade",
      ],
      [
        "has privileges on foreign-data wrapper elsewhere",
        "create foreign data wrapper elsewhere; grant usage on foreign data wrapper elsewhere to reader",
        "drop foreign data wrapper elsewhere",
      ],
    ])("%s", async (fault, given, taken) => {
      await sharing.command(given);
      try {
        await expect(sharing.share()).rejects.toThrow(fault.replace("public.", ""));
        const { isUsable, reason } = await sharing.check();
        expect([isUsable, reason]).toEqual([false, expect.stringContaining(fault)]);
      } finally {
        await sharing.command(taken);
      }
      expect(await sharing.check()).toEqual(usable);
    });
  });

  test("are read no more while the login may write the views, until they are shared again", async () => {
    await sharing.command("grant delete on gatehouse_project_default.exposures to reader");
    expect((await sharing.check()).reason).toContain("may write view gatehouse_project_default.exposures");
    await sharing.share();
    expect(await sharing.check()).toEqual(usable);
  });

  test("cannot be shared with a missing login or the server's own, for a missing project, or from another owner's schema", async () => {
    await sharing.command("create role group_of_logins");
    for (const login of ["nobody", "group_of_logins"])
      await expect(sharing.share(login)).rejects.toThrow(
        `Postgres has no login ${login}. Make it: create role ${login} login password '…'`,
      );
    await expect(sharing.share("gatehouse")).rejects.toThrow("The login gatehouse is the server's own.");
    for (const id of ["missing", "instance"])
      await expect(sharing.share("reader", id)).rejects.toThrow(`The project ${id} does not exist.`);
    await sharing.command("create schema gatehouse_project_other authorization other_reader");
    await expect(sharing.share("reader", "other")).rejects.toThrow("The schema gatehouse_project_other belongs to other_reader");
    await sharing.command("drop schema gatehouse_project_other");
  });

  test("give the results of the same metrics of events, and each event once while days are dropped", async () => {
    const { server } = sharing;
    const pulse = pulseOn(server);
    await server.client.createMetricSource({
      body: {
        ...{ name: "bought", sql: "select user_id, time, value from events where name = 'buy'", timestampColumn: "time" },
        idTypeMapping: [{ serviceUnitID: "userID", column: "user_id" }],
      },
    });
    await pulse.metric("of events");
    const rows = { aggregation: "sum", metricSourceName: "bought", valueColumn: "value" };
    await pulse.metric("of rows", { type: "user_warehouse", metricEvents: [], warehouseNative: rows });
    const primaryMetrics = [
      { name: "of events", type: "sum" },
      { name: "of rows", type: "user_warehouse" },
    ];
    const id = await pulse.experiment("shop", { primaryMetrics });
    const time = server.clock.now;
    const buyers = Array.from({ length: 40 }, (_, n) => ({
      ...{ unit: `customer ${n}`, group: n % 2 === 0 ? "control" : "test" },
      purchases: [
        { value: n % 7, afterMs: HOUR_MS },
        // Events that a device dates after their arrival count at the end of the day they arrived.
        { value: n % 3, afterMs: 3 * DAY_MS },
        { value: n % 5, afterMs: -DAY_MS },
      ],
    }));
    await pulse.log(id, buyers, time);
    await server.evaluation.logEvent({ body: { events: [{ eventName: "buy", user: { userID: "bystander" }, value: 1 }] } });
    const loaded = async () => {
      server.clock.now += DAY_MS;
      expect((await pulse.load(id)).metrics).toMatchObject([{ state: "success" }, { state: "success" }]);
      const [events, rows] = (await pulse.results(id, { cuped: "true" })).primaryMetrics.map((result) =>
        JSON.parse(JSON.stringify(result), (key, value) =>
          /^metric(ID|Name)$|topline/i.test(key) ? undefined : typeof value === "number" ? Number(value.toPrecision(10)) : value,
        ),
      );
      expect(rows).toEqual(events);
      return events;
    };
    const before = await loaded();
    expect([before.controlUnits, before.controlTotal > 0]).toEqual([20, true]);
    const count = async () =>
      (await sharing.as("reader", "select count(*)::int as n from gatehouse_project_default.events where name = 'buy'"))[0].n;
    expect(await count()).toBe(121);
    server.clock.now += 5 * DAY_MS;
    await eventRetention(2).run(env());
    // The bystander's purchases were not kept.
    expect(await count()).toBe(120);
    expect((await loaded()).controlTotal).toBe(before.controlTotal);
  });

  test("have the columns that are documented", async () => {
    const previewColumns = async (tableName: string) => {
      const { data } = await sharing.server.client.previewMetricSource({ body: { sourceType: "table", tableName } });
      return Object.fromEntries(data.columns.map(({ name, type }) => [name, type]));
    };
    const texts = (names: string[], type = "text") => Object.fromEntries(names.map((name) => [name, type]));
    expect(await previewColumns("events")).toEqual({
      ...texts(["id", "time"], "bigint"),
      ...texts(["name", "user_id", "value", "environment", "exposed", "rule_id"]),
      ...texts(["custom_ids", "metadata", "user_fields"], "json"),
    });
    expect(await previewColumns("exposures")).toEqual({
      ...texts(["experiment_id", "group_id", "unit_id", "environment"]),
      ...{ first_time: "bigint", user_fields: "json" },
    });
  });

  test("are shared and unshared on the command line", { timeout: 900_000 }, async () => {
    const gatehouse = async (...args: string[]) => {
      const { code, stderr } = await start("cli/main.js", { DATABASE_URL: sharing.server.database.url as string }, args).ended;
      return [code, stderr];
    };
    const share = ["events", "share", "--project", "other", "--login"];
    expect(await gatehouse(...share, "reader")).toEqual([
      1,
      "The login reader must be able to read the events of one project and nothing else, but it reads the events of another project.\n",
    ]);
    await sharing.command("create role third_reader login password 'secret'");
    expect(await gatehouse(...share, "third_reader")).toEqual([0, "The login third_reader can read the events of project other.\n"]);
    const unshare = ["events", "unshare", "--project", "other"];
    expect(await gatehouse(...unshare)).toEqual([0, "The events of project other are no longer shared.\n"]);
    expect(await gatehouse(...unshare)).toEqual([0, "The events of project other are shared with nobody.\n"]);
    const [code, usage] = await gatehouse("events", "share", "--login", "reader");
    expect([code, usage]).toEqual([1, expect.stringMatching(/^Unknown command: events share/)]);
  });

  test("are shared no more once their project is deleted", async () => {
    await sharing.share("third_reader", "other");
    await sharing.server.database.prisma.$executeRaw`update project set "deletedTime" = 1 where id = 'other'`;
    await removeDeletedProjects().run(env());
    expect(await schemas()).toEqual([{ nspname: "gatehouse_project_default" }]);
    await expect(sharing.share("third_reader", "other")).rejects.toThrow("The project other does not exist.");
  });
});
