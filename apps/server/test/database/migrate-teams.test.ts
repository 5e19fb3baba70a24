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
    migrations.filter(({ name }) => name < "0007"),
  );
  await database.withSession(async ({ query }) => {
    for (const id of ["p", "q"]) await query(`insert into project (id, name, "createdTime") values ($1, $1, 1)`, [id]);
    const insert = (table: string, columns: string, values: string, entity: object) =>
      query(`insert into ${table} ("projectID", version, "createdTime", ${columns}, entity) values ('p', 1, 7, ${values}, $1)`, [
        JSON.stringify(entity),
      ]);
    await insert("team", "id, name", "'core', 'Core'", { id: "core", name: "Core" });
    const teamID = "core";
    for (const [id, entity] of Object.entries({ of_core: { teamID }, of_nobody: { teamID: "gone" }, of_none: { teamID: null } })) {
      await insert("prompt", "id", `'${id}'`, { id, ...entity });
    }
    await insert("metric_source", "name", "'views'", { name: "views", teamID });
  });
  await migrate(database, migrations);
});
afterAll(() => database.close());

test("0007_team_references: entities get references to the existing teams that they name", async () => {
  const rows = await database.withSession(({ query }) => query(`select * from reference order by "fromType"`));
  const named = { projectID: "p", fromTime: expect.anything(), toType: "team", toID: "core" };
  expect(rows).toEqual([
    { ...named, fromType: "metric_source", fromID: "views" },
    { ...named, fromType: "prompt", fromID: "of_core" },
  ]);
});
