import type { Credentials } from "../../common/context.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import type { Db } from "../database/unit-of-work.ts";

/** Leases of windows that began longer ago are deleted. */
const RETENTION_MS = 24 * 60 * 60 * 1000;

/** The caller that writes: each key and each person has its own limit. */
export type Writer = Pick<Credentials, "projectID"> & { actor: Pick<Credentials["actor"], "id"> };

export type LeaseTerms = {
  /** The most writes in one window, of all servers together. */
  limit: number;
  /** The length of a window, ms. */
  windowMs: number;
  /** The most writes to lease. */
  wanted: number;
};

export type Lease = {
  /** The writes that the caller of `leaseWrites` may let happen until the window ends. */
  granted: number;
  /** The writes of the window that no server has leased yet. */
  left: number;
  /** When the window began, ms since the epoch by the database's clock. */
  windowStart: bigint;
  /** The time left after the answer, ms. Negative if the window has ended since. */
  endsInMs: number;
};

/**
 * Leases a part of a writer's remaining writes in the present window, by the database's clock. If it runs twice, it leases twice: a lease
 * without an answer is lost for that window.
 */
export async function leaseWrites(db: Db, { projectID, actor }: Writer, { limit, windowMs, wanted }: LeaseTerms): Promise<Lease> {
  const rows = await db.$queryRaw<[{ granted: number; leased: number; windowStart: bigint; endsInMs: number }]>`
    insert into write_lease as lease ("projectID", "actorID", "windowStart", "leased", "granted")
    values (${projectID}, ${actor.id}, ${presentWindow(windowMs)}, least(${wanted}::int, ${limit}::int), least(${wanted}::int, ${limit}::int))
    on conflict ("projectID", "actorID") do update
    set ("windowStart", "leased", "granted") = (
      -- The clock is read once, and not before the row is locked: a statement that waited for another must not go back to an earlier window.
      with clock as materialized (select ${presentWindow(windowMs)} as "start"),
      earlier as (select "start", case "start" when lease."windowStart" then lease."leased" else 0 end as "leased" from clock),
      given as (select earlier.*, least(${wanted}::int, greatest(${limit}::int - "leased", 0)) as "granted" from earlier)
      select "start", "leased" + "granted", "granted" from given
    )
    returning "granted", "leased", "windowStart",
      ("windowStart" + ${windowMs}::bigint - extract(epoch from clock_timestamp()) * 1000)::float8 as "endsInMs"`;
  const [{ granted, leased, windowStart, endsInMs }] = rows;
  return { granted, left: Math.max(0, limit - leased), windowStart, endsInMs };
}

/** Returns unused writes of a lease. */
export async function returnLease(db: Db, { projectID, actor }: Writer, count: number): Promise<void> {
  await db.$executeRaw`
    update write_lease set "leased" = greatest("leased" - ${count}::int, 0) where "projectID" = ${projectID} and "actorID" = ${actor.id}`;
}

/** When the present window began, ms since the epoch. */
function presentWindow(windowMs: number): Prisma.Sql {
  return Prisma.sql`(
    select ms - ms % ${windowMs}::bigint from (select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as ms) as now
  )`;
}

/** Deletes the leases of writers that have not written for a day. */
export async function deleteLeases(db: Db): Promise<void> {
  await db.$executeRaw`
    delete from write_lease where "windowStart" < extract(epoch from clock_timestamp()) * 1000 - ${RETENTION_MS}::bigint`;
}
