import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { explain } from "../../src/startup/operator-error.ts";
import { type Database, openPostgres } from "../../src/store/database/database.ts";
import { isConnectionLoss } from "../../src/store/database/database-errors.ts";
import { migrate, readMigrations, SchemaMismatch } from "../../src/store/database/migrate.ts";
import { createEmptyPostgres, openEmptyDatabase } from "../support/empty-database.ts";
import { needs } from "../support/needs.ts";

const names = readMigrations().map(({ name }) => name);
const good = { name: "0001_good", sql: "create table good (id int);" };
const bad = { name: "0002_bad", sql: "create table half (id int); insert into half values (1); create table nowhere.other (id int);" };

let database: Database;
const replicas: Database[] = [];
beforeAll(async () => {
  database = await openEmptyDatabase();
});
beforeEach(() => database.withSession(({ script }) => script("drop schema public cascade; create schema public")));
afterEach(async () => {
  for (const replica of replicas.splice(0)) await replica.close();
});
afterAll(() => database.close());

function connect(url: string): Database {
  const replica = openPostgres(url);
  replicas.push(replica);
  return replica;
}

const applied = () =>
  database.withSession(async ({ query }) => {
    const rows = await query<{ migration_name: string }>("select migration_name from _prisma_migrations order by migration_name");
    return rows.map((row) => row.migration_name);
  });

const hasTable = (table: string) =>
  database.withSession(async ({ query }) => (await query("select 1 from pg_tables where tablename = $1", [table])).length > 0);

describe("migrate", () => {
  test("applies every migration to an empty database in order, and nothing on the second run", async () => {
    expect(await migrate(database)).toEqual(names);
    expect(await migrate(database)).toEqual([]);
    expect(await applied()).toEqual(names);
  });

  test("records that servers without a migration start beside it, for each one after the first", async () => {
    await migrate(database);
    const rows = await database.withSession(({ query }) =>
      query<{ worksWith: string }>('select logs as "worksWith" from _prisma_migrations order by migration_name'),
    );
    expect(rows.map(({ worksWith }) => worksWith)).toEqual([null, ...names.slice(0, -1)]);
  });

  test("rolls back a failed migration, keeps earlier ones, and continues from there", async () => {
    const error = await migrate(database, [good, bad]).catch((reason) => reason);
    expect(error.message).toBe("The migration 0002_bad failed and was rolled back.");
    expect(error.cause.message).toContain('schema "nowhere" does not exist');
    expect(await applied()).toEqual(["0001_good"]);
    expect(await hasTable("half")).toBe(false);
    expect(await migrate(database, [good, { ...bad, sql: "create table half (id int);" }])).toEqual(["0002_bad"]);
    expect(await hasTable("half")).toBe(true);
  });

  test("rolls back a migration whose connection breaks, and can be retried", needs.postgres, async () => {
    const cut = { name: "0002_cut", sql: "create table half (id int); select pg_terminate_backend(pg_backend_pid());" };
    const error = await migrate(database, [good, cut]).catch((reason) => reason);
    expect(isConnectionLoss(error)).toBe(true);
    expect(await hasTable("half")).toBe(false);
    expect(await migrate(database, [good])).toEqual([]);
  });

  test("applies each migration once if replicas start concurrently", needs.postgres, async () => {
    const url = await createEmptyPostgres();
    const results = await Promise.all([1, 2, 3].map(() => migrate(connect(url))));
    expect(results.flat().sort()).toEqual(names);
  });

  test("rejects a database that a newer server migrated, and changes nothing", async () => {
    await migrate(database, [good, { name: "0009_newer", sql: "create table newer (id int);" }]);
    const refused = migrate(database, [good, { name: "0002_ours", sql: "create table ours (id int);" }]);
    await expect(refused).rejects.toThrow(SchemaMismatch);
    await expect(refused).rejects.toThrow(
      "The database has the migration 0009_newer, which this server does not know: a newer Gatehouse made it. Start that version, or a newer one.",
    );
    expect(await hasTable("ours")).toBe(false);
  });

  const expand = (after: string) => `-- Works with servers whose last migration is ${after}.\ncreate table newer (id int);`;

  test("accepts a database that a newer server migrated, if the migration works with this server", async () => {
    await migrate(database, [good, { name: "0002_newer", sql: expand("0001_good") }]);
    expect(await migrate(database, [good])).toEqual([]);
    expect(await applied()).toEqual(["0001_good", "0002_newer"]);
  });

  test("rejects a database with a migration that works with later servers than this one", async () => {
    const later = { name: "0002_later", sql: "create table later (id int);" };
    await migrate(database, [good, later, { name: "0003_newer", sql: expand("0002_later") }]);
    await expect(migrate(database, [good])).rejects.toThrow(SchemaMismatch);
    await expect(migrate(database, [good, later])).resolves.toEqual([]);
  });

  test("rejects a database that was created with another text of a migration", async () => {
    await migrate(database, [{ ...good, sql: "create table good (id bigint);" }]);
    await expect(migrate(database, [good])).rejects.toThrow(
      "The database's migration 0001_good is not the one that this server brings. Start the Gatehouse version that made this database.",
    );
  });

  test("rejects a database of a version before 0.1.0, says what to do, and changes nothing", async () => {
    await migrate(database, [{ name: "0001_foundation", sql: "create table old (id int);" }]);
    const error = await migrate(database).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(SchemaMismatch);
    expect(explain(error)).toBe(
      "This database was not created by Gatehouse 0.1.0 or later: export what you need with the version that created it, and start this one with an empty database or data folder.\n",
    );
    expect(await applied()).toEqual(["0001_foundation"]);
    expect(await hasTable("change")).toBe(false);
  });

  test("rejects a database with a different migration of the same name", async () => {
    await migrate(database, [good]);
    await expect(migrate(database, [{ ...good, sql: "create table good (id bigint);" }])).rejects.toThrow(
      "The database's migration 0001_good is not the one that this server brings.",
    );
  });
});

describe("the migrations", () => {
  test("result in the schema of prisma/schema/", async () => {
    const { schemaDifference } = await import(new URL("../../scripts/schema-difference.mjs", import.meta.url).href);
    expect(await schemaDifference()).toBe("");
  });
});
