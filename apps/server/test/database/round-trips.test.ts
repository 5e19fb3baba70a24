import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Prisma } from "../../src/generated/prisma/client.ts";
import { PostgresTransaction } from "../../src/store/database/postgres-transaction.ts";
import { isPooled, onPostgres } from "../support/database.ts";
import { createEmptyPostgres } from "../support/empty-database.ts";
import { needs } from "../support/needs.ts";

let pool: pg.Pool;
let roundTrips = 0;
beforeAll(async () => {
  if (!onPostgres) return;
  pool = new pg.Pool({ connectionString: await createEmptyPostgres() });
});
afterAll(() => pool?.end());

function begin(): PostgresTransaction {
  roundTrips = 0;
  return new PostgresTransaction({
    async acquire() {
      const client = await pool.connect();
      const query = client.query.bind(client) as (...given: unknown[]) => unknown;
      const counted = (...given: unknown[]) => {
        roundTrips += 1;
        return query(...given);
      };
      return Object.assign(client, { query: counted });
    },
    release: (client) => client.release(true),
    discard: (client) => client.release(true),
    opening: [{ text: "begin", values: [] }],
    isPrepared: !isPooled,
  });
}

test("a read with the next statement costs no round trip, and leaves deferred writes to the commit", needs.postgres, async () => {
  const transaction = begin();
  const { db } = transaction;
  const ahead = db.$readWithNext<{ one: number }>(Prisma.sql`select 1 as one`);
  await db.$queryRaw`select 2`;
  db.$defer(Prisma.sql`create temporary table written (id text)`);
  expect(await ahead()).toEqual([{ one: 1 }]);
  await transaction.commit(() => {});
  expect(roundTrips).toBe(2);
});

test("a read without a next statement is sent when its rows are awaited", needs.postgres, async () => {
  const transaction = begin();
  expect(await transaction.db.$readWithNext(Prisma.sql`select 1 as one`)()).toEqual([{ one: 1 }]);
  await transaction.abort();
});
