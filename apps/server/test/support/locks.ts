import type { TestDatabase } from "./database.ts";

/**
 * How many statements wait for a lock in a database on Postgres. The question is a transaction of its own: within one, Postgres repeats what it
 * answered first.
 */
export async function countWaiting({ prisma }: TestDatabase): Promise<number> {
  const [row] = await prisma.$queryRaw<[{ count: number }]>`
    select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return row.count;
}
