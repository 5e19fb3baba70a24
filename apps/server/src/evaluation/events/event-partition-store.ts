import { DAY_MS } from "../../common/utc-day.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import { lock } from "../../store/database/locks.ts";
import type { Db } from "../../store/database/unit-of-work.ts";

/** The lock for creating or dropping partitions. */
const PARTITIONS = "partitions of events";

/** Creates missing partitions of days, in a transaction. Attaching a partition does not block reads and writes of the others. */
export async function makePartitions(db: Db, days: number[]): Promise<void> {
  await lock(db, PARTITIONS);
  await attachPartitions(db, days);
}

/** The same for callers that are the only ones to do it. */
async function attachPartitions(db: Db, days: number[]): Promise<void> {
  const made = new Set((await listPartitions(db)).map(({ day }) => day));
  for (const day of days.filter((day) => !made.has(day))) {
    const partition = Prisma.raw(`"${partitionName(day)}"`);
    await db.$executeRaw`create table ${partition} (like event including defaults including constraints including storage)`;
    await db.$executeRaw`alter table event attach partition ${partition} for values from (${Prisma.raw(`${day}`)}) to (${Prisma.raw(`${day + 1}`)})`;
  }
}

/** The days before a day that have a partition. */
export async function expiredDays(db: Db, before: number): Promise<number[]> {
  return (await listPartitions(db)).map(({ day }) => day).filter((day) => day < before);
}

/** The last day whose partition was dropped; -1 before the first. Events that arrive later are kept. */
export async function lastDroppedDay(db: Db): Promise<number> {
  const [row] = await db.$queryRaw<{ day: number | null }[]>`select max("day") as "day" from dropped_event_day`;
  return row?.day ?? -1;
}

/** Deletes the events that arrived before a day, with their counts, in a transaction. Returns the number of deleted days. */
export async function dropPartitions(db: Db, before: number): Promise<number> {
  await lock(db, PARTITIONS);
  // Writers of events queue behind this lock. If it is not available soon, a later run tries again.
  await db.$executeRaw`set local lock_timeout = '1s'`;
  const old = (await listPartitions(db)).filter(({ day }) => day < before);
  for (const { partition } of old) await db.$executeRaw`drop table ${Prisma.raw(`"${partition}"`)}`;
  // Results count the kept events of a day from here on.
  await db.$executeRaw`
    insert into dropped_event_day ("day") select unnest(${old.map(({ day }) => day)}::int[]) on conflict do nothing`;
  await db.$executeRaw`delete from event_count where "day" < ${before}`;
  return old.length;
}

/** Each partition with its day. */
async function listPartitions(db: Db): Promise<{ partition: string; day: number }[]> {
  const rows = await db.$queryRaw<{ partition: string; day: number }[]>`
    select relname::text as partition, substring(pg_get_expr(relpartbound, oid) from '[(]([0-9]+)[)]')::int as day
    from pg_inherits join pg_class on oid = inhrelid where inhparent = 'event'::regclass`;
  return rows;
}

/** `event_2025_11_21` */
function partitionName(day: number): string {
  return `event_${new Date(day * DAY_MS).toISOString().slice(0, 10).replaceAll("-", "_")}`;
}
