import { expect, test } from "vitest";
import { openPostgres } from "../../src/store/database/database.ts";
import { asAdmin } from "../support/database.ts";
import { createEmptyPostgres } from "../support/empty-database.ts";
import { needs } from "../support/needs.ts";

test("statements wait for a connection if Postgres gives the role fewer than the pool asks for", needs.postgres, async () => {
  const admin = await createEmptyPostgres();
  const url = new URL(admin);
  // Past a pooler, which does not know the role.
  url.host = new URL(process.env.TEST_DATABASE_URL as string).host;
  url.username = `limited_${url.pathname.slice(-12)}`;
  url.password = "";
  await asAdmin(admin, `create role ${url.username} login connection limit 2`);
  const { db, close, connections } = openPostgres(url.href, { poolSize: 8 });
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) => db.$queryRaw`select ${index}::int as index, pg_sleep(0.001)::text`),
  );
  expect(answers.flat()).toEqual(Array.from({ length: 40 }, (_, index) => ({ index, pg_sleep: "" })));
  expect(connections().total).toBe(2);
  await close();
});
