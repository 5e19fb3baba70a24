import { Prisma } from "../../generated/prisma/client.ts";
import type { Db } from "./db.ts";

// Locks are rows, since every login of the database can take advisory locks, such as one that reads a project's own events.

/** The row for a name. Few names share one. */
const lockSlot = (name: string) =>
  Prisma.sql`select "id" from lock_slot where "id" = (hashtextextended(${name}, 0) & 1023)::int for update`;

/** Locks a name until the transaction ends. */
export async function lock(db: Db, name: string): Promise<void> {
  await db.$executeRaw`${lockSlot(name)}`;
}

/** The same, unless another transaction has the lock. @returns whether it is locked now */
export async function tryLock(db: Db, name: string): Promise<boolean> {
  return (await db.$queryRaw<object[]>`${lockSlot(name)} skip locked`).length > 0;
}
