import pg from "pg";
import { expect } from "vitest";
import type { TestDatabase } from "./database.ts";
import type { Fixture } from "./fixtures.ts";
import { waitFor } from "./wait-for.ts";

/** Takes every table away. Who is calling must be known to the server already. */
export async function breakTables({ prisma }: TestDatabase): Promise<void> {
  const tables = await prisma.$queryRaw<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename <> '_prisma_migrations'`;
  for (const { name } of tables) await prisma.$executeRawUnsafe(`alter table "${name}" rename to "lost_${name}"`);
}

/** Every table's rows, as a hash of each table. When a key was last used is left out: it is noted beside the requests. */
export function rowsOf(database: TestDatabase): Promise<unknown[]> {
  return hashes(database, "true");
}

/** The rows of every project but one, as a hash of each table. */
export function rowsOutside(database: TestDatabase, projectID: string): Promise<unknown[]> {
  return hashes(database, `coalesce(row ->> 'projectID', row ->> 'id') <> '${projectID}'`);
}

async function hashes({ prisma }: TestDatabase, where: string): Promise<unknown[]> {
  const tables = await prisma.$queryRaw<{ name: string }[]>`select tablename as name from pg_tables where schemaname = 'public' order by 1`;
  const queries = tables.map(
    ({ name }) =>
      `select '${name}' as name, count(*)::int, md5(coalesce(string_agg(row::text, '|' order by row::text), ''))
       from (select to_jsonb(t) - 'lastUsedTime' as row from "${name}" t) rows where ${where}`,
  );
  return prisma.$queryRawUnsafe(queries.join(" union all "));
}

/** Another transaction's write to an entity's row, which is not committed until `release`. */
export async function holdRow(database: TestDatabase, { table, key }: Fixture) {
  const client = new pg.Client(database.url);
  await client.connect();
  const columns = Object.keys(key).map((column, index) => `"${column}" = $${index + 1}`);
  await client.query("begin");
  const { rowCount } = await client.query(`update "${table}" set version = version + 1 where ${columns.join(" and ")}`, Object.values(key));
  expect(rowCount).toBe(1);
  return {
    /** Resolves when a request waits for the row. */
    async waiting(): Promise<void> {
      const sql = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      await waitFor(async () => expect((await client.query(sql)).rowCount).toBeGreaterThan(0));
    },
    async release(): Promise<void> {
      await client.query("commit");
      await client.end();
    },
  };
}
