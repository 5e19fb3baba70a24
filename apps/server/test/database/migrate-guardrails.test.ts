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
    migrations.filter(({ name }) => name < "0035"),
  );
  await database.withSession(async ({ query }) => {
    await query(`insert into guardrail_look ("projectID", "gateID", "beginTime", "lookTime", found) values ('p', 'g', 1, 2, '[]')`);
    await query(`insert into guardrail_alert ("projectID", id, "gateID", "ruleID", "metricID", "raisedTime", finding)
      values ('p', 'a', 'g', 'half', 'm::sum', 3, '{}')`);
  });
  await migrate(database, migrations);
});
afterAll(() => database.close());

test("0035_experiment_guardrails: the looks and alerts that exist are those of gates", async () => {
  expect(await database.db.$queryRaw`select "subjectType", "subjectID", "beginTime", "lookTime" from guardrail_look`).toEqual([
    { subjectType: "gate", subjectID: "g", beginTime: 1n, lookTime: 2n },
  ]);
  expect(await database.db.$queryRaw`select id, "subjectType", "subjectID", "partID", "raisedTime" from guardrail_alert`).toEqual([
    { id: "a", subjectType: "gate", subjectID: "g", partID: "half", raisedTime: 3n },
  ]);
});
