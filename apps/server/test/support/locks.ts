import type { TestDatabase } from "./database.ts";

/**
 * The number of statements that wait for a lock in a database on Postgres. The query has its own transaction: within another one, Postgres
 * repeats its first answer.
 */
export async function countWaiting({ prisma }: TestDatabase): Promise<number> {
  const [row] = await prisma.$queryRaw<[{ count: number }]>`
    select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return row.count;
}
