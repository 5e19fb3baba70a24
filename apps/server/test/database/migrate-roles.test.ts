import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../src/store/database/database.ts";
import { migrate, readMigrations } from "../../src/store/database/migrate.ts";
import { openEmptyDatabase } from "../support/empty-database.ts";

let database: Database;
beforeAll(async () => {
  database = await openEmptyDatabase();
  const migrations = readMigrations();
  await migrate(
    database,
    migrations.filter(({ name }) => name < "0011"),
  );
  await database.withSession(async ({ query }) => {
    await query(`insert into project (id, name, "createdTime") values ('p', 'p', 1)`);
    await query(
      `insert into key ("projectID", id, hash, type, status, scopes, environments, "targetApps", version, "createdTime", entity)
       values ('p', 'key_1', 'h', 'CONSOLE', 'active', '{omni_read_write}', '{}', '{}', 3, 7, $1)`,
      [JSON.stringify({ id: "key_1", scopes: ["omni_read_write"], version: 3 })],
    );
  });
  await migrate(database, migrations);
});
afterAll(() => database.close());

test("0011_roles: existing keys have no role, so that only their scopes count", async () => {
  const [key] = await database.withSession(({ query }) => query<{ role: string | null; entity: string }>("select role, entity from key"));
  expect([key?.role, JSON.parse(key?.entity ?? "")]).toMatchObject([
    null,
    { id: "key_1", scopes: ["omni_read_write"], version: 3, role: null },
  ]);
});
