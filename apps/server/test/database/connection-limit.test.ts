import pg from "pg";
import { expect, test } from "vitest";
import { queueForConnections } from "../../src/store/database/connection-queue.ts";
import { openPostgres } from "../../src/store/database/database.ts";
import { asAdmin } from "../support/database.ts";
import { createEmptyPostgres } from "../support/empty-database.ts";
import { needs } from "../support/needs.ts";

async function createLimitedRole(limit: number): Promise<string> {
  const admin = await createEmptyPostgres();
  const url = new URL(admin);
  // Past a pooler, which does not know the role.
  url.host = new URL(process.env.TEST_DATABASE_URL as string).host;
  url.username = `limited_${url.pathname.slice(-12)}`;
  url.password = "";
  await asAdmin(admin, `create role ${url.username} login connection limit ${limit}`);
  return url.href;
}

test("statements wait for a connection if Postgres gives the role fewer than the pool asks for", needs.postgres, async () => {
  const { db, close, connections } = openPostgres(await createLimitedRole(2), { poolSize: 8 });
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) => db.$queryRaw`select ${index}::int as index, pg_sleep(0.001)::text`),
  );
  expect(answers.flat()).toEqual(Array.from({ length: 40 }, (_, index) => ({ index, pg_sleep: "" })));
  expect(connections().total).toBe(2);
  await close();
});

test(
  "after one wait in vain, statements fail after one attempt each, until Postgres gives a connection again",
  needs.postgres,
  async () => {
    const url = await createLimitedRole(1);
    const holder = new pg.Client(url);
    await holder.connect();
    let attempts = 0;
    const pool = new pg.Pool({ connectionString: url, max: 8, onConnect: () => {} });
    const open = pool.connect.bind(pool);
    pool.connect = (() => {
      attempts += 1;
      return open();
    }) as typeof pool.connect;
    const connect = queueForConnections(pool, 1_000);
    const refused = { code: "53300" };
    await expect(connect()).rejects.toMatchObject(refused);
    attempts = 0;
    await expect(Promise.allSettled([connect(), connect(), connect()])).resolves.toMatchObject(Array(3).fill({ reason: refused }));
    expect(attempts).toBe(3);
    await holder.end();
    await expect.poll(() => connect().then((client) => client.release(), String)).toBeUndefined();
    await pool.end();
  },
);
