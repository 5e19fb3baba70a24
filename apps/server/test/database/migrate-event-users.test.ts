import { afterAll, beforeAll, expect, test } from "vitest";
import { attachPartitions, makePartitions } from "../../src/evaluation/events/event-partition-store.ts";
import { recentUsers } from "../../src/evaluation/events/recent-users-store.ts";
import type { Database } from "../../src/store/database/database.ts";
import { migrate, readMigrations } from "../../src/store/database/migrate.ts";
import { writing } from "../../src/store/database/unit-of-work.ts";
import { openEmptyDatabase } from "../support/empty-database.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const DAY = 20_000;
let database: Database;
beforeAll(async () => {
  database = await openEmptyDatabase();
  const migrations = readMigrations();
  await migrate(
    database,
    migrations.filter(({ name }) => name < "0019"),
  );
  await writing(database, (db) => attachPartitions(db, [DAY]));
  await database.withSession(async ({ query }) => {
    await query(`insert into event ("projectID", name, time, day, source, "userID", "customIDs", value, environment, exposed, "ruleID", metadata)
      values ('p', 'bought', 5, ${DAY}, 's', 'a', null, '9.5', '', null, null, '{"sku":"x"}'),
        ('p', 'statsig::gate_exposure', 6, ${DAY}, 's', 'b', '{"companyID":"acme"}', '', 'staging', 'g', 'r', '{}')`);
    await query(`insert into experiment_exposure values ('p', 'e', 'blue', 'a', 7)`);
  });
  await migrate(database, migrations);
});
afterAll(() => database.close());

test("0019_event_users: existing events and exposures stay, without what was not kept then", async () => {
  const { db } = database;
  const later = { userFields: null, secondaryExposures: null };
  expect(await db.$queryRaw`select * from event order by id`).toEqual([
    {
      ...{ projectID: "p", name: "bought", time: 5n, id: 1n, day: DAY, source: "s", userID: "a", customIDs: null, value: "9.5" },
      ...{ environment: "", exposed: null, ruleID: null, metadata: '{"sku":"x"}', ...later },
    },
    {
      ...{ projectID: "p", name: "statsig::gate_exposure", time: 6n, id: 2n, day: DAY, source: "s", userID: "b", value: "" },
      ...{ customIDs: '{"companyID":"acme"}', environment: "staging", exposed: "g", ruleID: "r", metadata: "{}", ...later },
    },
  ]);
  expect(await db.$queryRaw`select * from experiment_exposure`).toEqual([
    { projectID: "p", experimentID: "e", groupID: "blue", unitID: "a", firstTime: 7n, environment: null, userFields: null },
  ]);
});

test("0019_event_users: days from before and after it have the index of exposures", async () => {
  const { db } = database;
  await writing(database, (transaction) => makePartitions(transaction, [DAY, DAY + 1]));
  const indexes = await db.$queryRaw<{ table: string }[]>`
    select tablename::text as table from pg_indexes where indexdef like '%(exposed IS NOT NULL)%' order by 1`;
  const [first, second] = [DAY, DAY + 1].map((day) => `event_${new Date(day * DAY_MS).toISOString().slice(0, 10).replaceAll("-", "_")}`);
  expect(indexes.map(({ table }) => table)).toEqual(["event", first, second]);
  expect(await recentUsers(db, "p", ["g"], 5)).toEqual([
    { userID: "b", customIDs: { companyID: "acme" }, environment: "staging", fields: {} },
  ]);
});
