import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../src/store/database/database.ts";
import { migrate, readMigrations } from "../../src/store/database/migrate.ts";
import { openEmptyDatabase } from "../support/empty-database.ts";

const EXPERIMENTS = {
  naming: { status: "active", assignmentSourceName: "exposures", description: "a\ud800b \\ud800" },
  unnaming: { status: "setup", assignmentSourceName: "", description: "a\ud800b" },
  logged: { status: "active", description: "a\ud800b" },
  archived: { status: "archived", assignmentSourceName: "exposures" },
};

let database: Database;
beforeAll(async () => {
  database = await openEmptyDatabase();
  const migrations = readMigrations();
  await migrate(
    database,
    migrations.filter(({ name }) => name < "0037"),
  );
  await database.withSession(async ({ query }) => {
    await query(`insert into project (id, name, "createdTime") values ('p', 'p', 1)`);
    for (const [id, entity] of Object.entries(EXPERIMENTS))
      await query(
        `insert into experiment ("projectID", id, version, "createdTime", status, "experimentType", "isStale", "idType", "lastModifiedTime",
           "sortName", "searchText", entity)
         values ('p', $1, 1, 7, $2, 'BASE', false, 'userID', 7, $1, $1, $3)`,
        [id, entity.status, JSON.stringify({ id, ...entity })],
      );
  });
  await migrate(database, migrations);
});
afterAll(() => database.close());

test("0037_assignment_sources: experiments in use reference the source that they name, which does not exist yet", async () => {
  expect(await database.db.$queryRaw`select "fromType", "fromID", "toType", "toID" from reference`).toEqual([
    { fromType: "experiment", fromID: "naming", toType: "assignment_source", toID: "exposures" },
  ]);
});
