import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../src/store/database/database.ts";
import { migrate, readMigrations } from "../../src/store/database/migrate.ts";
import { openEmptyDatabase } from "../support/empty-database.ts";

const metric = (name: string) => ({ name, type: "event_user" });

let database: Database;
beforeAll(async () => {
  database = await openEmptyDatabase();
  const migrations = readMigrations();
  await migrate(
    database,
    migrations.filter(({ name }) => name < "0007"),
  );
  await database.withSession(async ({ query }) => {
    await query(`insert into project (id, name, "createdTime") values ('p', 'p', 1)`);
    const insert = (table: string, columns: string, values: string, entity: object) =>
      query(`insert into ${table} ("projectID", version, "createdTime", ${columns}, entity) values ('p', 1, 7, ${values}, $1)`, [
        JSON.stringify(entity),
      ]);
    const defaultGateMetrics = [metric("Checkouts"), metric("Checkouts"), metric("x".repeat(250))];
    await insert("team", "id, name", "'core', 'Core'", { id: "core", name: "half \ud800", defaultGateMetrics });
    await insert("team", "id, name", "'older', 'Older'", { id: "older", name: "Older" });
  });
  await migrate(database, migrations);
});
afterAll(() => database.close());

test("0022_metrics: entities get references to the metrics that they name, each once", async () => {
  const rows = await database.withSession(({ query }) => query("select * from reference"));
  expect(rows).toEqual([
    { projectID: "p", fromType: "team", fromID: "core", fromTime: expect.anything(), toType: "metric", toID: "Checkouts::event_user" },
  ]);
});
