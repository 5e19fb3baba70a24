import { afterAll, beforeAll, expect, test } from "vitest";
import { attachPartitions } from "../../src/evaluation/events/event-partition-store.ts";
import type { Database } from "../../src/store/database/database.ts";
import { migrate, readMigrations } from "../../src/store/database/migrate.ts";
import { writing } from "../../src/store/database/unit-of-work.ts";
import { openEmptyDatabase } from "../support/empty-database.ts";

const HOUR_MS = 60 * 60 * 1000;
const DAY = Math.floor(Date.now() / (24 * HOUR_MS));
const HOUR = DAY * 24 * HOUR_MS - 30 * HOUR_MS;

let database: Database;
beforeAll(async () => {
  database = await openEmptyDatabase();
  const migrations = readMigrations();
  await migrate(
    database,
    migrations.filter(({ name }) => name < "0030"),
  );
  await writing(database, (db) => attachPartitions(db, [DAY, DAY - 20]));
  await database.withSession(async ({ query }) => {
    await query(`insert into project (id, name, "createdTime") values ('p', 'p', 1)`);
    await query(`insert into experiment (
      "projectID", id, version, "createdTime", status, "experimentType", "isStale", "idType", tags, "targetApps", "lastModifiedTime", "sortName",
      "searchText", "searchGrams", entity
    ) values ('p', 'e', 1, 7, 'active', 'A/B test', false, 'userID', '{}', '{}', 7, 'e', 'e', '{}', '{}')`);
    const exposure = (name: string, exposed: string, time: number, day = DAY) =>
      query(`insert into event ("projectID", name, time, day, source, "userID", value, environment, exposed, metadata)
        values ('p', '${name}', ${time}, ${day}, 's', 'a', '', '', '${exposed}', '{}')`);
    await exposure("statsig::config_exposure", "e", HOUR + 1);
    await exposure("statsig::layer_exposure", "e", HOUR + HOUR_MS - 1);
    await exposure("statsig::config_exposure", "e", HOUR + HOUR_MS);
    await exposure("statsig::config_exposure", "another", HOUR);
    await exposure("statsig::gate_exposure", "e", HOUR);
    await exposure("statsig::config_exposure", "e", HOUR - 480 * HOUR_MS, DAY - 20);
  });
  await migrate(database, migrations);
});
afterAll(() => database.close());

test("0030_experiment_checks: the exposures of the last days to experiments that exist are counted by the hour", async () => {
  expect(await database.db.$queryRaw`select * from experiment_checks order by hour`).toEqual([
    { projectID: "p", experimentID: "e", hour: BigInt(HOUR), checks: 2n },
    { projectID: "p", experimentID: "e", hour: BigInt(HOUR + HOUR_MS), checks: 1n },
  ]);
});
