import { LRUCache } from "lru-cache";
import type { Credentials, Origin } from "../../common/context.ts";
import type { Database } from "../database/database.ts";
import { type Db, writing } from "../database/unit-of-work.ts";
import { type AuditEvent, insertAuditEvent } from "./audit-event.ts";
import type { RepeatedEvents } from "./repeated-events.ts";

/** The addresses that are kept of a key. Uses from further ones are counted together. */
const MAX_ADDRESSES = 100;
/** Pairs of a key and an address that a replica knows: about 200 bytes each. */
const MAX_KNOWN = 10_000;

/** Notes in the audit log where console keys are used from. */
export type KeyAddresses = {
  /** Adds an entry if the key has not been used from this address before. Costs a query once for each replica. */
  note(credentials: Credentials, origin: Origin, now: number): Promise<void>;
};

export function createKeyAddresses(database: Database, repeated: RepeatedEvents): KeyAddresses {
  const known = new LRUCache<string, Promise<void>>({ max: MAX_KNOWN });
  return {
    async note({ projectID, actor }, origin, now) {
      const { address } = origin;
      if (address === null) return;
      const key = `${projectID} ${actor.id} ${address}`;
      const noted = known.get(key);
      if (noted) return noted;
      const event = { projectID, actor, origin, now, operationID: "useKey", entityType: "console_key_use", entityID: actor.id } as const;
      const noting = store(event, address);
      known.set(key, noting);
      await noting.catch((error: unknown) => {
        known.delete(key);
        throw error;
      });
    },
  };

  async function store(event: AuditEvent, address: string): Promise<void> {
    const place = await writing(database, (db) => addAddress(db, event, address));
    if (place === "full") await repeated.note({ ...event, origin: { address: null, userAgent: null, requestID: null } });
  }
}

async function addAddress(db: Db, event: AuditEvent, address: string): Promise<"added" | "known" | "full"> {
  const { projectID, entityID: keyID, now } = event;
  const [row] = await db.$queryRaw<[{ count: number; isKnown: boolean }]>`
    select count(*)::int as count, coalesce(bool_or("address" = ${address}), false) as "isKnown"
    from key_address where "projectID" = ${projectID} and "keyID" = ${keyID}`;
  if (row.isKnown) return "known";
  if (row.count >= MAX_ADDRESSES) return "full";
  const added = await db.$executeRaw`
    insert into key_address ("projectID", "keyID", "address", "time") values (${projectID}, ${keyID}, ${address}, ${now})
    on conflict do nothing`;
  // Another replica was first.
  if (added === 0) return "known";
  await db.$executeRaw(insertAuditEvent(event, db.auditKey));
  return "added";
}

/** Deletes the addresses of deleted keys. */
export async function deleteOrphanedAddresses(db: Db): Promise<void> {
  await db.$executeRaw`
    delete from key_address as known where not exists (
      select 1 from key where key."projectID" = known."projectID" and key.id = known."keyID"
    )`;
}
