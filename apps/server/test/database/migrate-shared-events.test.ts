import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../src/store/database/database.ts";
import { migrate, readMigrations } from "../../src/store/database/migrate.ts";
import { openEmptyDatabase } from "../support/empty-database.ts";

const login = `reader_${randomUUID().replaceAll("-", "")}`;
let database: Database;
beforeAll(async () => {
  database = await openEmptyDatabase();
  await migrate(database);
  await database.withSession(({ script }) =>
    script(`create role ${login}; create schema gatehouse_project_p; grant usage on schema gatehouse_project_p to ${login}`),
  );
});
afterAll(async () => {
  await database.withSession(({ script }) => script(`drop owned by ${login}; drop role ${login}`));
  await database.close();
});

const readable = () =>
  database.withSession(({ query }) =>
    query(
      `select relname::text as view, has_table_privilege($1, oid, 'select') as "isReadable", reloptions as options
       from pg_class where relnamespace = 'gatehouse_project_p'::regnamespace order by relname`,
      [login],
    ),
  );
const VIEWS = ["events", "exposures"].map((view) => ({ view, isReadable: true, options: ["security_barrier=true"] }));

const next = { name: "9997_next", sql: "create table next (id int)" };

test("a migration runs while events are shared, and logins that could read them still can", async () => {
  expect(await migrate(database, [...readMigrations(), next])).toEqual(["9997_next"]);
  expect(await readable()).toEqual(VIEWS);
});

test("a migration may change the columns that the views read, and take them away until the next one", async () => {
  const made = [
    { name: "9998_away", sql: `alter table event alter column "value" type varchar(100); alter table event drop column "metadata"` },
    {
      name: "9999_back",
      sql: `alter table event rename to event_before; alter table event_before rename to event;
      alter table event add column "metadata" text not null`,
    },
  ];
  await database.withSession(async ({ script }) => {
    await script(`create view of_the_operator as select "value" from gatehouse_project_p.events`);
  });
  expect(await migrate(database, [...readMigrations(), next, ...made])).toEqual(["9998_away", "9999_back"]);
  expect(await readable()).toEqual(VIEWS);
});
