import type { Credentials } from "../../common/context.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import { matches } from "../database/row.ts";
import type { Db } from "../database/unit-of-work.ts";

/** An Idempotency-Key is remembered for this long. */
const RETENTION_MS = 24 * 60 * 60 * 1000;
/** The stored responses of one API key are evicted beyond this. A server may exceed it by the interval below. */
const MAX_KEPT_BYTES = 256 * 2 ** 20;
/** A server checks for eviction each time an API key has stored this much more. */
const EVICTION_INTERVAL_BYTES = 8 * 2 ** 20;
/** The size of a record without its response body. */
const RECORD_OVERHEAD_BYTES = 512;
/** The most API keys whose stored bytes are counted in memory. */
const MAX_COUNTED = 10_000;

/** A request with an Idempotency-Key, which is unique within an API key. */
export type KeyedRequest = {
  credentials: Pick<Credentials, "actor" | "projectID">;
  key: string;
  /** Hash of method, URL, If-Match and body: a retry has the same. */
  fingerprint: string;
  /** Milliseconds since the epoch. */
  now: number;
};

export type Answer = { status: number; etag: string | null; body: string };

export type KeptAnswers = {
  /**
   * Stores the response to a write with the commit of its transaction. Waits for a concurrent request with the same key. If the key was
   * used before, the transaction fails: the record has no time, which violates a constraint.
   */
  keep(db: Db, request: KeyedRequest, answer: Answer): void;
};

/** One per server. It counts the stored responses, so that the oldest ones of an API key are evicted. */
export function createKeptAnswers(): KeptAnswers {
  /** Bytes stored for each API key since the last check for eviction. */
  const kept = new Map<string, number>();
  return {
    keep(db, request, answer) {
      const { credentials, key, fingerprint, now } = request;
      const { status, etag, body } = answer;
      db.$defer(Prisma.sql`
        insert into idempotency_record as kept ("projectID", "actorID", "key", "fingerprint", "status", "etag", "body", "time")
        values (${credentials.projectID}, ${credentials.actor.id}, ${key}, ${fingerprint}, ${status}, ${etag}, ${body}, ${now})
        on conflict ("projectID", "actorID", "key") do update
        set "fingerprint" = excluded."fingerprint", "status" = excluded."status", "etag" = excluded."etag", "body" = excluded."body",
            "time" = case when kept."time" <= ${now - RETENTION_MS} then excluded."time" end`);
      const owner = `${credentials.projectID} ${credentials.actor.id}`;
      const bytes = (kept.get(owner) ?? EVICTION_INTERVAL_BYTES) + Buffer.byteLength(body) + RECORD_OVERHEAD_BYTES;
      if (bytes > EVICTION_INTERVAL_BYTES) db.$defer(eviction(credentials));
      kept.delete(owner);
      kept.set(owner, bytes > EVICTION_INTERVAL_BYTES ? 0 : bytes);
      if (kept.size > MAX_COUNTED) kept.delete(kept.keys().next().value as string);
    },
  };
}

/** Evicts the oldest responses of an API key beyond MAX_KEPT_BYTES. Skips those that another request is evicting. */
function eviction({ projectID, actor }: KeyedRequest["credentials"]): Prisma.Sql {
  const ofKey = matches({ projectID, actorID: actor.id });
  return Prisma.sql`
    delete from idempotency_record where ${ofKey} and "key" = any(array(
      select "key" from idempotency_record where ${ofKey} and "key" in (
        select "key" from (
          select "key", sum(octet_length("body") + ${RECORD_OVERHEAD_BYTES}::int) over (order by "time" desc, "key") as total
          from idempotency_record where ${ofKey}
        ) as newest where total > ${MAX_KEPT_BYTES}::int
      ) for update skip locked
    ))`;
}

/** The stored response for the request's key, and whether it is that of another request. */
export async function findAnswer(db: Db, request: KeyedRequest): Promise<{ answer: Answer; isOther: boolean } | undefined> {
  const { credentials, key, fingerprint, now } = request;
  const rows = await db.$queryRaw<(Answer & { fingerprint: string })[]>`
    select "fingerprint", "status", "etag", "body" from idempotency_record
    where "projectID" = ${credentials.projectID} and "actorID" = ${credentials.actor.id} and "key" = ${key} and "time" > ${now - RETENTION_MS}`;
  const [row] = rows;
  if (!row) return undefined;
  const { fingerprint: kept, ...answer } = row;
  return { answer, isOther: kept !== fingerprint };
}

/** Deletes expired keys. */
export async function deleteExpiredResponses(db: Db, now: number): Promise<void> {
  await db.$executeRaw`delete from idempotency_record where "time" <= ${now - RETENTION_MS}`;
}
