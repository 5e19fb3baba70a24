import type { Permission, Scope } from "@gatehouse/contract";
import type { KeyScope } from "../common/context.ts";
import { Prisma } from "../generated/prisma/client.ts";
import type { Db } from "../store/database/unit-of-work.ts";

/** The use of a key is recorded at most once per interval. */
const LAST_USED_INTERVAL_MS = 60_000;

/** The fields of an active key that authentication needs. */
export type ActiveKey = KeyScope & {
  id: string;
  projectID: string;
  hash: string;
  /** Incremented by each change of the key. */
  version: number;
  scopes: Scope[];
  role: string | null;
  /** The permissions of a custom role. Null for a built-in role and without one. */
  rolePermissions: Permission[] | null;
  /** The only environments where a custom role publishes. Null if it publishes everywhere, and without a role. */
  rolePublishesIn: string[] | null;
  lastUsedTime: number | null;
  targetAppNames: string[];
  /** In canonical form. Empty means everywhere. */
  allowedAddresses: string[];
  /** Ms since the epoch. The caller compares it with its clock. */
  expiresTime: number | null;
};

/** Whether a key that is not deactivated is refused because it expired. */
export function isExpired({ expiresTime }: Pick<ActiveKey, "expiresTime">, now: number): boolean {
  return expiresTime !== null && expiresTime <= now;
}

/** Identifies a key, regardless of its secret. */
export type KeyName = { projectID: string; id: string };

/** The keys with these hashes that are not deactivated. */
export function findActiveKeys(db: Db, hashes: string[]): Promise<ActiveKey[]> {
  return findActive(db, Prisma.sql`hash = any(${hashes}::text[])`);
}

export function findActiveKeysByName(db: Db, names: KeyName[]): Promise<ActiveKey[]> {
  const [projectIDs, ids] = [names.map(({ projectID }) => projectID), names.map(({ id }) => id)];
  return findActive(db, Prisma.sql`("projectID", id) in (select * from unnest(${projectIDs}::text[], ${ids}::text[]))`);
}

/** Application keys that were used since a time, ms since the epoch; most recently used first. */
export function findKeysOfApplications(db: Db, since: number, limit: number): Promise<ActiveKey[]> {
  return findActive(
    db,
    Prisma.sql`type in ('SERVER', 'CLIENT') and "lastUsedTime" >= ${since}`,
    Prisma.sql`order by "lastUsedTime" desc limit ${limit}`,
  );
}

/** Whether a key that is not deactivated has exactly these environments and target apps. Target apps are named by name and by ID. */
export async function hasKeyWithReach(db: Db, projectID: string, { environments, targetApps }: Omit<KeyScope, "type">): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    select 1 from key, lateral (select key."targetApps" || array(
      select app.id from target_app as app where app."projectID" = key."projectID" and app.name = any(key."targetApps")
    ) as reached) as apps
    where key."projectID" = ${projectID} and status = 'active'
    and environments @> ${environments}::text[] and environments <@ ${environments}::text[]
    and reached @> ${targetApps}::text[] and reached <@ ${targetApps}::text[] limit 1`;
  return rows.length > 0;
}

type Times = "lastUsedTime" | "expiresTime";

async function findActive(db: Db, condition: Prisma.Sql, page = Prisma.empty): Promise<ActiveKey[]> {
  const rows = await db.$queryRaw<(Omit<ActiveKey, Times> & Record<Times, bigint | null>)[]>`
    select id, "projectID", hash, version, type, scopes, role, environments, "allowedAddresses", "lastUsedTime", "expiresTime", (
      select permissions from role as given where given."projectID" = key."projectID" and given.id = key.role
    ) as "rolePermissions", (
      select given."publishesIn" from role as given
      where given."projectID" = key."projectID" and given.id = key.role and not given."publishesEverywhere"
    ) as "rolePublishesIn", "targetApps" as "targetAppNames", "targetApps" || array(
      select app.id from target_app as app where app."projectID" = key."projectID" and app.name = any(key."targetApps")
    ) as "targetApps"
    from key where ${condition} and status = 'active'
    and not exists (select 1 from project where project.id = key."projectID" and project."deletedTime" is not null) ${page}`;
  const toTime = (time: bigint | null) => (time === null ? null : Number(time));
  return rows.map((row) => ({ ...row, lastUsedTime: toTime(row.lastUsedTime), expiresTime: toTime(row.expiresTime) }));
}

/** Records that a key was used, unless a replica has done so within the last minute. */
export async function noteUse(db: Db, { projectID, id, lastUsedTime }: ActiveKey, now: number): Promise<void> {
  const before = now - LAST_USED_INTERVAL_MS;
  if (lastUsedTime !== null && lastUsedTime > before) return;
  await db.$executeRaw`
    update key set "lastUsedTime" = ${now}
    where "projectID" = ${projectID} and id = ${id} and ("lastUsedTime" is null or "lastUsedTime" <= ${before})`;
}
