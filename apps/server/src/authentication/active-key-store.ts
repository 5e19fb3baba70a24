import type { KeyScope, Permission } from "../context.ts";
import type { Prisma } from "../generated/prisma/client.ts";
import { matches } from "../store/row.ts";
import type { Db } from "../store/unit-of-work.ts";

/** How often it is noted at most that a key was used, ms. */
const NOTED_EVERY = 60_000;

/** What authentication needs of an active key, of whichever project. */
export type ActiveKey = KeyScope & { id: string; projectID: string; hash: string; permissions: Permission[]; lastUsedTime: number | null };

/** The active key with this hash. */
export function findActiveKey(db: Db, hash: string): Promise<ActiveKey | undefined> {
  return findActive(db, matches({ hash }));
}

export function findActiveKeyByID(db: Db, projectID: string, id: string): Promise<ActiveKey | undefined> {
  return findActive(db, matches({ projectID, id }));
}

async function findActive(db: Db, condition: Prisma.Sql): Promise<ActiveKey | undefined> {
  const rows = await db.$queryRaw<(Omit<ActiveKey, "lastUsedTime"> & { lastUsedTime: bigint | null })[]>`
    select id, "projectID", hash, type, scopes as permissions, environments, "lastUsedTime", "targetApps" || array(
      select app.id from target_app as app where app."projectID" = key."projectID" and app.name = any(key."targetApps")
    ) as "targetApps"
    from key where ${condition} and status = 'active'`;
  const [row] = rows;
  return row && { ...row, lastUsedTime: row.lastUsedTime === null ? null : Number(row.lastUsedTime) };
}

/** Notes that a key was used, unless any server has done so within the last minute. */
export async function noteUse(db: Db, { projectID, id, lastUsedTime }: ActiveKey, now: number): Promise<void> {
  const before = now - NOTED_EVERY;
  if (lastUsedTime !== null && lastUsedTime > before) return;
  await db.$executeRaw`
    update key set "lastUsedTime" = ${now}
    where "projectID" = ${projectID} and id = ${id} and ("lastUsedTime" is null or "lastUsedTime" <= ${before})`;
}
