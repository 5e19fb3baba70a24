import type { Credentials } from "../context.ts";
import type { Db } from "./unit-of-work.ts";

/** How long an Idempotency-Key is remembered, ms. */
const REMEMBERED_FOR = 24 * 60 * 60 * 1000;

/** A request that carries an Idempotency-Key. Keys belong to who sends them. */
export type KeyedRequest = {
  credentials: Pick<Credentials, "actor" | "projectID">;
  key: string;
  /** Hash of what makes the request that request. */
  fingerprint: string;
  /** Milliseconds since the epoch. */
  now: number;
};

export type Answer = { status: number; etag: string | null; body: string };

/**
 * Keeps the answer to a write, in its transaction. A concurrent request with the key is waited for. False if the key was used before:
 * then the transaction must be rolled back.
 */
export async function keepAnswer(db: Db, request: KeyedRequest, { status, etag, body }: Answer): Promise<boolean> {
  const { credentials, key, fingerprint, now } = request;
  const count = await db.$executeRaw`
    insert into idempotency_record as kept ("projectID", "actorID", "key", "fingerprint", "status", "etag", "body", "time")
    values (${credentials.projectID}, ${credentials.actor.id}, ${key}, ${fingerprint}, ${status}, ${etag}, ${body}, ${now})
    on conflict ("projectID", "actorID", "key") do update
    set "fingerprint" = excluded."fingerprint", "status" = excluded."status", "etag" = excluded."etag", "body" = excluded."body", "time" = excluded."time"
    where kept."time" <= ${now - REMEMBERED_FOR}`;
  return count > 0;
}

/** The answer that was kept for the request's key, and whether it was given to another request. */
export async function findAnswer(db: Db, request: KeyedRequest): Promise<{ answer: Answer; isOther: boolean } | undefined> {
  const { credentials, key, fingerprint, now } = request;
  const rows = await db.$queryRaw<(Answer & { fingerprint: string })[]>`
    select "fingerprint", "status", "etag", "body" from idempotency_record
    where "projectID" = ${credentials.projectID} and "actorID" = ${credentials.actor.id} and "key" = ${key} and "time" > ${now - REMEMBERED_FOR}`;
  const [row] = rows;
  if (!row) return undefined;
  const { fingerprint: kept, ...answer } = row;
  return { answer, isOther: kept !== fingerprint };
}

/** Forgets the keys that are no longer remembered. */
export async function forgetAnswers(db: Db, now: number): Promise<void> {
  await db.$executeRaw`delete from idempotency_record where "time" <= ${now - REMEMBERED_FOR}`;
}
