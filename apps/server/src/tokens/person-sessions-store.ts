import type { Origin } from "../common/context.ts";
import type { SessionLimits } from "../common/session-limits.ts";
import { Prisma } from "../generated/prisma/client.ts";
import type { Db } from "../store/database/unit-of-work.ts";

/** The place that a person signs in from. */
export type Place = Pick<Origin, "address" | "userAgent">;

/** The most sessions of a person at a time. */
export const MAX_SESSIONS = 100;

export type ListedSession = Place & { id: string; createdTime: number; lastUsedTime: number; endsTime: number };

/** The condition that a session has not ended. */
export function isCurrent(now: number, idleMs: number): Prisma.Sql {
  return Prisma.sql`session."endsTime" > ${now} and session."lastUsedTime" > ${now - idleMs}`;
}

/** The sessions of a person that have not ended, newest first. */
export async function listSessions(db: Db, personID: string, now: number, { idleMs }: SessionLimits): Promise<ListedSession[]> {
  const rows = await db.$queryRaw<(Place & { id: string; createdTime: bigint; lastUsedTime: bigint; endsTime: bigint })[]>`
    select id, "createdTime", "lastUsedTime", "endsTime", address, "userAgent" from session
    where "personID" = ${personID} and ${isCurrent(now, idleMs)} order by "createdTime" desc, id limit ${MAX_SESSIONS}`;
  return rows.map(({ createdTime, lastUsedTime, endsTime, ...row }) => ({
    ...row,
    createdTime: Number(createdTime),
    lastUsedTime: Number(lastUsedTime),
    endsTime: Number(endsTime),
  }));
}

/** Ends a session of a person. @returns whether there was one */
export async function endSession(db: Db, personID: string, id: string): Promise<boolean> {
  return (await db.$executeRaw`delete from session where id = ${id} and "personID" = ${personID}`) > 0;
}

/** Ends the sessions of a person except one. @returns whether it ended any */
export async function endSessions(db: Db, personID: string, except: string | null = null): Promise<boolean> {
  return (await db.$executeRaw`delete from session where "personID" = ${personID} and id is distinct from ${except}`) > 0;
}
