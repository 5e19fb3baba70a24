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
    migrations.filter(({ name }) => name < "0016"),
  );
  await database.withSession(async ({ query }) => {
    await query(`insert into project (id, name, "createdTime") values ('p', 'p', 1)`);
    await query(
      `insert into key ("projectID", id, hash, type, status, scopes, environments, "targetApps", version, "createdTime", entity)
       values ('p', 'key_1', 'h', 'CONSOLE', 'active', '{omni_read_write}', '{staging}', '{}', 3, 7, $1)`,
      [JSON.stringify({ id: "key_1", environments: ["staging"], version: 3 })],
    );
  });
  await migrate(database, migrations);
});
afterAll(() => database.close());

test("0016_key_reach: existing keys never expire, and their limits do not count for writes", async () => {
  type Row = { limitsWrites: boolean; expiresTime: bigint | null; entity: string };
  const [key] = await database.withSession(({ query }) => query<Row>(`select "limitsWrites", "expiresTime", entity from key`));
  expect([key?.limitsWrites, key?.expiresTime, JSON.parse(key?.entity ?? "")]).toEqual([
    false,
    null,
    { id: "key_1", environments: ["staging"], version: 3, expiresTime: null, limitsWrites: false },
  ]);
});
