import pg from "pg";
import { expect } from "vitest";
import { onClickHouse, type TestDatabase } from "./database.ts";
import type { Fixture } from "./fixture-entities.ts";
import { waitFor } from "./wait-for.ts";

/** Renames every table, so that queries fail. The server must have cached the caller's key before. */
export async function breakTables({ prisma }: TestDatabase): Promise<void> {
  const tables = await prisma.$queryRaw<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename <> '_prisma_migrations'`;
  for (const { name } of tables) await prisma.$executeRawUnsafe(`alter table "${name}" rename to "lost_${name}"`);
}

/** A hash of the rows of each table. Omits the last use of keys, which is stored asynchronously. */
export function rowsOf(database: TestDatabase): Promise<unknown[]> {
  return hashes(database, "true");
}

/** The same without events of the audit log, and without the number that they give to their project. */
export function rowsWithoutEvents(database: TestDatabase): Promise<unknown[]> {
  return hashes(database, "row ->> 'version' is distinct from '0' and not row ?| array['lastSeq', 'windowStart']");
}

/** A hash of the rows of each table, without some projects. */
export function rowsOutside(database: TestDatabase, ...projectIDs: string[]): Promise<unknown[]> {
  return hashes(database, `coalesce(row ->> 'projectID', row ->> 'id') not in (${projectIDs.map((id) => `'${id}'`).join()})`);
}

/** Its rows go to ClickHouse by themselves. */
const IN_TRANSIT = "event_outbox";

async function hashes({ prisma }: TestDatabase, where: string): Promise<unknown[]> {
  const tables = await prisma.$queryRaw<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename <> ${onClickHouse ? IN_TRANSIT : ""} order by 1`;
  const queries = tables.map(
    ({ name }) =>
      `select '${name}' as name, count(*)::int, md5(coalesce(string_agg(row::text, '|' order by row::text), ''))
       from (select to_jsonb(t) - 'lastUsedTime' as row from "${name}" t) rows where ${where}`,
  );
  // Postgres may read the tables in any order.
  return prisma.$queryRawUnsafe(`${queries.join(" union all ")} order by 1`);
}

/** Locks an entity's row by another transaction's write, until `release` commits it. */
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
