import { afterEach, describe, expect, test } from "vitest";
import { type Database, openPostgres } from "../../src/store/database/database.ts";
import { isConnectionLoss } from "../../src/store/database/database-errors.ts";
import { migrate, readMigrations, SchemaMismatch } from "../../src/store/database/migrate.ts";
import { createEmptyPostgres, openEmptyDatabase } from "../support/empty-database.ts";
import { needs } from "../support/needs.ts";

const names = readMigrations().map(({ name }) => name);
const good = { name: "0001_good", sql: "create table good (id int);" };
const bad = { name: "0002_bad", sql: "create table half (id int); insert into half values (1); create table nowhere.other (id int);" };

const open: Database[] = [];
afterEach(async () => {
  for (const database of open.splice(0)) await database.close();
});

async function empty(): Promise<Database> {
  const database = await openEmptyDatabase();
  open.push(database);
  return database;
}

function connect(url: string): Database {
  const database = openPostgres(url);
  open.push(database);
  return database;
}

const applied = (database: Database) =>
  database.withSession(async ({ query }) => {
    const rows = await query<{ migration_name: string }>("select migration_name from _prisma_migrations order by migration_name");
    return rows.map((row) => row.migration_name);
  });

const hasTable = (database: Database, table: string) =>
  database.withSession(async ({ query }) => (await query("select 1 from pg_tables where tablename = $1", [table])).length > 0);

describe("migrate", () => {
  test("applies every migration to an empty database in order, and nothing on the second run", async () => {
    const database = await empty();
    expect(await migrate(database)).toEqual(names);
    expect(await migrate(database)).toEqual([]);
    expect(await applied(database)).toEqual(names);
  });

  test("rolls back a failed migration, keeps earlier ones, and continues from there", async () => {
    const database = await empty();
    const error = await migrate(database, [good, bad]).catch((reason) => reason);
    expect(error.message).toBe("The migration 0002_bad failed; nothing of it was kept.");
    expect(error.cause.message).toContain('schema "nowhere" does not exist');
    expect(await applied(database)).toEqual(["0001_good"]);
    expect(await hasTable(database, "half")).toBe(false);
    expect(await migrate(database, [good, { ...bad, sql: "create table half (id int);" }])).toEqual(["0002_bad"]);
    expect(await hasTable(database, "half")).toBe(true);
  });

  test("rolls back a migration whose connection breaks, and can be retried", needs.postgres, async () => {
    const database = await empty();
    const cut = { name: "0002_cut", sql: "create table half (id int); select pg_terminate_backend(pg_backend_pid());" };
    const error = await migrate(database, [good, cut]).catch((reason) => reason);
    expect(isConnectionLoss(error)).toBe(true);
    expect(await hasTable(database, "half")).toBe(false);
    expect(await migrate(database, [good])).toEqual([]);
  });

  test("applies each migration once if replicas start concurrently", needs.postgres, async () => {
    const url = await createEmptyPostgres();
    const replicas = [1, 2, 3].map(() => connect(url));
    const results = await Promise.all(replicas.map((replica) => migrate(replica)));
    expect(results.flat().sort()).toEqual(names);
  });

  test("rejects a database that a newer server migrated, and changes nothing", async () => {
    const database = await empty();
    await migrate(database, [good, { name: "0009_newer", sql: "create table newer (id int);" }]);
    const refused = migrate(database, [good, { name: "0002_ours", sql: "create table ours (id int);" }]);
    await expect(refused).rejects.toThrow(SchemaMismatch);
    await expect(refused).rejects.toThrow(
      "The database has the migration 0009_newer, which this server does not know: a newer Gatehouse made it. Start that version, or a newer one.",
    );
    expect(await hasTable(database, "ours")).toBe(false);
  });

  test("rejects a database with a different migration of the same name", async () => {
    const database = await empty();
    await migrate(database, [good]);
    await expect(migrate(database, [{ ...good, sql: "create table good (id bigint);" }])).rejects.toThrow(
      "The database's migration 0001_good is not the one that this server brings.",
    );
  });
});

describe("0002_whole_life", () => {
  test("stores the references of existing entities, and fills their new columns", async () => {
    const database = await empty();
    const [foundation, ...later] = readMigrations();
    await migrate(database, foundation ? [foundation] : []);
    const condition = (type: string, more: object) => ({ type, ...more });
    const rules = [
      {
        conditions: [
          condition("fails_gate", { targetValue: "g" }),
          condition("passes_segment", { targetValue: "s" }),
          condition("unit_id", { customID: "deviceID", operator: "any", targetValue: ["x"] }),
          condition("email", { operator: "any", targetValue: ["g2"] }),
        ],
        pendingAutomatedRollouts: [{ time: 9 }, { time: 7 }],
      },
    ];
    const config = { idType: "userID", tags: ["t"], targetApps: ["web"], releasePipelineID: "p", rules };
    const parameters = [{ gate_name: "g" }, { layer_name: "l" }, { config_name: "c" }, { experiment_name: "e" }, { value: "g3" }];
    const team = { defaultTargetApplications: ["web"], defaultHoldoutID: null };
    await database.withSession(async ({ query }) => {
      const columns = `"projectID", "version", "createdTime", "entity"`;
      const insert = (table: string, more: string, values: string, entity: object) =>
        query(`insert into "${table}" (${columns}, ${more}) values ('d', 1, 5, $1, ${values})`, [JSON.stringify(entity)]);
      await query(`insert into project (id, name, "createdTime") values ('d', 'D', 1)`);
      await insert("dynamic_config", `"id", "isArchived", "tags", "referencedGates"`, "'c', false, '{t}', '{g}'", config);
      await insert("dynamic_config", `"id", "isArchived", "tags", "referencedGates"`, "'archived', true, '{t}', '{g}'", config);
      await insert("param_store", `"name"`, "'ps'", { parameters, tags: [], targetAppIDs: [] });
      await insert("release_pipeline", `"id"`, "'p'", { phases: [{ rules }] });
      await insert("team", `"id", "name"`, "'team', 'Team'", team);
    });
    await migrate(database, foundation ? [foundation, ...later] : []);
    const { references, configs } = await database.withSession(async ({ query }) => ({
      references: await query<{ line: string }>(
        `select concat_ws(' ', "projectID", "fromType", "fromID", "fromTime", "toType", "toID") as line from reference order by 1`,
      ),
      configs: await query(`select "id", "idType", "targetApps", "dueTime"::int from dynamic_config order by 1`),
    }));
    expect(references.map(({ line }) => line).toSorted()).toEqual(
      [
        "d dynamic_config c 5 gate g",
        "d dynamic_config c 5 release_pipeline p",
        "d dynamic_config c 5 segment s",
        "d dynamic_config c 5 tag t",
        "d dynamic_config c 5 target_app web",
        "d dynamic_config c 5 unit_id_type deviceID",
        "d param_store ps 5 dynamic_config c",
        "d param_store ps 5 experiment e",
        "d param_store ps 5 gate g",
        "d param_store ps 5 layer l",
        "d release_pipeline p 5 gate g",
        "d release_pipeline p 5 segment s",
        "d release_pipeline p 5 unit_id_type deviceID",
        "d team team 5 target_app web",
      ].toSorted(),
    );
    expect(configs).toEqual([
      { id: "archived", idType: "userID", targetApps: ["web"], dueTime: null },
      { id: "c", idType: "userID", targetApps: ["web"], dueTime: 7 },
    ]);
  });
});

describe("0003_keys", () => {
  test("keeps the permissions of existing keys: each becomes a console key with every scope, active or deactivated", async () => {
    const database = await empty();
    const before = readMigrations().filter(({ name }) => name < "0003");
    await migrate(database, before);
    await database.withSession(async ({ query }) => {
      await query(`insert into project (id, name, "createdTime") values ('d', 'D', 1)`);
      await query(`insert into key ("projectID", id, name, hash, "createdTime", "revokedTime", version) values
        ('d', 'key_1', 'first "key"', 'h1', 5, null, 1), ('d', 'key_2', 'robot', 'h2', 6, 9, 2)`);
    });
    await migrate(
      database,
      readMigrations().filter(({ name }) => name < "0004"),
    );
    const rows = await database.withSession(({ query }) =>
      query<{ entity: string }>(`select id, hash, type, status, scopes, environments, "targetApps", version, entity from key order by id`),
    );
    const scopes = ["omni_read_write", "can_access_keys"];
    const columns = { type: "CONSOLE", scopes, environments: [], targetApps: [] };
    const entity = {
      hint: null,
      type: "CONSOLE",
      scopes,
      environments: [],
      primaryTargetApp: null,
      secondaryTargetApps: [],
      creatorID: "system",
      creatorName: "GATEHOUSE",
      creatorEmail: null,
      lastModifierID: "system",
      lastModifierName: "GATEHOUSE",
      lastModifierEmail: null,
    };
    const first = { ...entity, id: "key_1", description: 'first "key"', status: "active", createdTime: 5, lastModifiedTime: 5, version: 1 };
    const robot = { ...entity, id: "key_2", description: "robot", status: "deactivated", createdTime: 6, lastModifiedTime: 9, version: 2 };
    expect(rows.map((row) => ({ ...row, entity: JSON.parse(row.entity) }))).toEqual([
      { ...columns, id: "key_1", hash: "h1", status: "active", version: 1, entity: first },
      { ...columns, id: "key_2", hash: "h2", status: "deactivated", version: 2, entity: robot },
    ]);
  });
});

describe("the migrations", () => {
  test("create tags, target apps and unit ID types that existing entities name, each with a change", async () => {
    const database = await empty();
    const [first] = readMigrations();
    await migrate(database, first ? [first] : []);
    const gate = { id: "old", tags: ['a "b"', "shared"], targetApps: ["web"], idType: "companyID", lastModifiedTime: 1 };
    const rules = [{ passPercentage: 1, conditions: [{ type: "unit_id", customID: "orgID" }] }];
    await database.withSession(async ({ query }) => {
      await query(`insert into project (id, name, "createdTime") values ('default', 'Default', 1)`);
      const columns = `"projectID", id, version, "createdTime", tags, "isArchived", entity`;
      await query(`insert into gate (${columns}) values ('default', 'old', 1, 1, '{}', false, $1)`, [
        JSON.stringify({ ...gate, rules, type: "TEMPORARY", typeReason: "NONE" }),
      ]);
      const segment = JSON.stringify({ id: "beta", tags: ["shared"], idType: "userID" });
      await query(`insert into segment ("projectID", id, version, "createdTime", entity) values ('default', 'beta', 1, 1, $1)`, [segment]);
      const team = JSON.stringify({ id: "t", name: "T", defaultTargetApplications: ["tv"] });
      await query(`insert into team ("projectID", id, name, version, "createdTime", entity) values ('default', 't', 'T', 1, 1, $1)`, [
        team,
      ]);
      const source = JSON.stringify({ name: "s", tags: ["shared"], idTypeMapping: [{ serviceUnitID: "deviceID", column: "d" }] });
      await query(`insert into metric_source ("projectID", name, version, "createdTime", entity) values ('default', 's', 1, 1, $1)`, [
        source,
      ]);
    });
    await migrate(database);
    const rows = await database.db.$queryRaw<{ entity: string }[]>`
      select entity from tag union all select entity from target_app union all select entity from unit_id_type`;
    const made = rows.map(({ entity }) => JSON.parse(entity));
    expect(made.map(({ name, isCore }) => [name, isCore]).sort()).toEqual([
      ['a "b"', false],
      ["companyID", undefined],
      ["deviceID", undefined],
      ["orgID", undefined],
      ["shared", false],
      ["stableID", undefined],
      ["tv", undefined],
      ["userID", undefined],
      ["web", undefined],
      ["★ Core", true],
    ]);
    expect(made.find(({ name }) => name === "companyID")).toEqual({
      id: "companyID",
      name: "companyID",
      description: "",
      creatorID: "system",
      creatorName: "GATEHOUSE",
      creatorEmail: null,
      createdTime: expect.any(Number),
      lastModifierID: "system",
      lastModifierName: "GATEHOUSE",
      lastModifierEmail: null,
      lastModifiedTime: expect.any(Number),
      version: 1,
    });
    const changes = await database.db.$queryRaw<{ seq: bigint; after: string }[]>`select "seq", "after" from change order by "seq"`;
    expect(changes.map(({ seq }) => Number(seq))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(changes.map(({ after }) => after).sort()).toEqual(rows.map(({ entity }) => entity).sort());
  });

  test("result in the schema of prisma/schema/", async () => {
    const { schemaDifference } = await import(new URL("../../scripts/schema-difference.mjs", import.meta.url).href);
    expect(await schemaDifference()).toBe("");
  });
});
