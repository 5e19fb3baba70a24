import { Prisma } from "../../generated/prisma/client.ts";
import type { Database } from "../database/database.ts";
import { type Db, writing } from "../database/unit-of-work.ts";
import { type AuditEvent, insertAuditEvent } from "./audit-event.ts";

/** Events of one actor, operation and address within this time after the first are counted, and written as one entry. */
export const REPEAT_WINDOW_MS = 15 * 60 * 1000;
/** How long further events are counted in memory before they are added to the count in the database. */
const FLUSH_INTERVAL_MS = 5_000;
/** The open windows of a project and type of event. Events beyond these are counted together, for all actors. */
const MAX_WINDOWS = 100;
/** The windows that a replica knows, of all projects. */
const MAX_KNOWN = 10_000;
/** Windows per transaction. */
const BATCH_SIZE = 100;
/** Replaces actors, operations and addresses of events that are counted together. */
const SEVERAL = "several";
/** Longer names that callers choose are cut. In characters. */
const MAX_NAME_LENGTH = 200;

/**
 * Events that callers can cause at will, such as failures: the first of an actor, an operation and an address is an entry at once. Further
 * ones are counted, and are one entry when the window has ended. So an attack cannot fill the audit log, and costs one statement in 5 s.
 */
export type RepeatedEvents = {
  /** Rejects if the first event of a window cannot be stored. */
  note(event: AuditEvent): Promise<void>;
  /** Adds the counts in memory to those in the database. */
  flush(): Promise<void>;
};

/** A window that this replica knows, and the events that it has counted since it last wrote to the database. */
type Known = { until: number; count: number; last: AuditEvent };

export function createRepeatedEvents(database: Database): RepeatedEvents {
  const known = new Map<string, Known>();
  let timer: NodeJS.Timeout | undefined;
  return { note, flush };

  async function note(given: AuditEvent): Promise<void> {
    const event = cut(given);
    const key = toKey(event);
    const window = known.get(key);
    if (window !== undefined && window.until > event.now) {
      window.count += 1;
      window.last = event;
      timer ??= setTimeout(() => void flush().catch(() => {}), FLUSH_INTERVAL_MS).unref();
      return;
    }
    // Events that come while the first is stored are counted.
    const opened = { until: event.now + REPEAT_WINDOW_MS, count: window?.count ?? 0, last: event };
    remember(key, opened);
    opened.until = await add(event, 1).catch((error: unknown) => {
      known.delete(key);
      throw error;
    });
  }

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    for (const window of [...known.values()].filter(({ count }) => count > 0)) {
      const { count, last } = window;
      window.count = 0;
      window.until = await add(last, count).catch((error: unknown) => {
        // They are added by the next flush.
        window.count += count;
        throw error;
      });
    }
  }

  /** @returns when the window ends, ms since the epoch */
  async function add(event: AuditEvent, count: number): Promise<number> {
    return (await writing(database, (db) => addTo(db, event, count))) + REPEAT_WINDOW_MS;
  }

  function remember(key: string, window: Known): void {
    known.delete(key);
    const [oldest] = known.keys();
    if (known.size >= MAX_KNOWN && oldest !== undefined) known.delete(oldest);
    known.set(key, window);
  }
}

function cut(event: AuditEvent): AuditEvent {
  const { id, name } = event.actor;
  const actor = { ...event.actor, id: id.slice(0, MAX_NAME_LENGTH), name: name.slice(0, MAX_NAME_LENGTH) };
  return { ...event, actor, entityID: event.entityID.slice(0, MAX_NAME_LENGTH) };
}

function toKey({ projectID, entityType, operationID, actor, origin }: AuditEvent): string {
  return JSON.stringify([projectID, entityType, operationID, actor.id, origin?.address]);
}

/** Counts events in the window of theirs, or of several. Writes the entry of the first. @returns when the window began, ms */
async function addTo(db: Db, event: AuditEvent, count: number): Promise<number> {
  const own = await upsert(db, event, count, { isBounded: true });
  const shared = severally(event);
  const window = own ?? (await upsert(db, shared, count, { isBounded: false }));
  if (!window) throw new Error("A window without a bound was not stored.");
  if (window.isFirst) await db.$executeRaw(insertAuditEvent(own ? event : shared, db.auditKey));
  return Number(window.windowStart);
}

/** The event without the fields that differ between events that are counted together. */
function severally({ projectID, entityType, now }: AuditEvent): AuditEvent {
  return { projectID, entityType, now, entityID: SEVERAL, operationID: SEVERAL, actor: { id: SEVERAL, name: SEVERAL, email: null } };
}

async function upsert(db: Db, event: AuditEvent, count: number, { isBounded }: { isBounded: boolean }) {
  const { projectID, entityType, operationID, actor, origin, now } = event;
  const key = Prisma.sql`"projectID" = ${projectID} and "entityType" = ${entityType}`;
  const address = origin?.address ?? "";
  const hasPlace = Prisma.sql`
    (select count(*) from repeated_event where ${key}) < ${MAX_WINDOWS} or exists (
      select 1 from repeated_event where ${key} and "operationID" = ${operationID} and "actorID" = ${actor.id} and "address" = ${address}
    )`;
  const rows = await db.$queryRaw<{ windowStart: bigint; isFirst: boolean }[]>`
    insert into repeated_event as known ("projectID", "entityType", "operationID", "actorID", "address", "windowStart", "count", "event")
    select ${projectID}, ${entityType}, ${operationID}, ${actor.id}, ${address}, ${now}::bigint, ${count - 1}::int, ${JSON.stringify(event)}
    where ${isBounded ? hasPlace : Prisma.sql`true`}
    on conflict ("projectID", "entityType", "operationID", "actorID", "address") do update
    set "count" = known."count" + ${count}::int, "event" = excluded."event"
    returning "windowStart", xmax = 0 as "isFirst"`;
  return rows[0];
}

/** Writes an entry for the events of each window that has ended by `now`, in one transaction. @returns the number of windows */
export async function closeWindows(db: Db, now: number): Promise<number> {
  const rows = await db.$queryRaw<{ event: string; count: number; windowStart: bigint; hasProject: boolean }[]>`
    delete from repeated_event as ended using (
      select * from repeated_event where "windowStart" <= ${now - REPEAT_WINDOW_MS} order by "windowStart" limit ${BATCH_SIZE}
      for update skip locked
    ) as due
    where ended."projectID" = due."projectID" and ended."entityType" = due."entityType" and ended."operationID" = due."operationID"
      and ended."actorID" = due."actorID" and ended."address" = due."address"
    returning ended."event", ended."count", ended."windowStart",
      exists (select 1 from project where project."id" = ended."projectID") as "hasProject"`;
  for (const { event: text, count, windowStart, hasProject } of rows) {
    if (count === 0 || !hasProject) continue;
    const event = JSON.parse(text) as AuditEvent;
    const details = { ...event.details, repetitions: count, since: new Date(Number(windowStart)).toISOString() };
    await db.$executeRaw(insertAuditEvent({ ...event, now, details }, db.auditKey));
  }
  return rows.length;
}
