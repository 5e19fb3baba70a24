import { timingSafeEqual } from "node:crypto";
import { hashSecret } from "../console/keys/secret.ts";
import type { Authenticate, Credentials } from "../context.ts";
import { AppError, unauthorized, unavailable } from "../errors.ts";
import type { Database } from "../store/database.ts";
import { reading } from "../store/unit-of-work.ts";
import { type ActiveKey, findActiveKey, noteUse } from "./active-key-store.ts";

/** How long an active key is trusted from the start of a look into the database, ms: one that is not active any more stops within this on every replica. */
const TRUSTED_FOR = 500;
/** How long a key is trusted after the last look while the database is away, ms: applications go on reading their flags meanwhile. */
const TRUSTED_WHILE_AWAY = 3_600_000;
/** How long a look may take, ms, before the database counts as away for a key that was known to be active. */
const PATIENCE = 2_000;
/** Keys remembered at once. Unknown ones are not remembered. */
const REMEMBERED = 10_000;

/** One text for a missing, unknown and deactivated key. */
const REFUSAL = "An active key is needed in the header SERVICE-API-KEY.";

/** `lookedAt` is when the database last said that the key is active, ms; `until` when it is to be asked again. */
type Remembered = { credentials: Promise<Credentials>; lookedAt: number; until: number };

export function createAuthenticate(database: Database, now: () => number): Authenticate {
  const remembered = new Map<string, Remembered>();
  return async (secret) => {
    if (!secret) throw unauthorized(REFUSAL);
    const hash = hashSecret(secret);
    const known = remembered.get(hash);
    if (known && known.until > now()) return known.credentials;
    // Requests that come while the key is looked up wait for the same look.
    const looked: Remembered = { credentials: lookUp(database, hash, now), lookedAt: now(), until: now() + TRUSTED_FOR };
    if (known) {
      // Also where it says so too late for those who asked.
      looked.credentials.catch((error: unknown) => isAway(error) || remembered.delete(hash));
      looked.credentials = orAsBefore(looked, known);
    }
    remember(hash, looked);
    looked.credentials.catch(() => {
      if (remembered.get(hash) === looked) remembered.delete(hash);
    });
    return looked.credentials;
  };

  /** What the look finds; what the one before found, if the database cannot be reached and that is not too long ago. */
  function orAsBefore(looked: Remembered, { credentials, lookedAt }: Remembered): Promise<Credentials> {
    return inTime(looked.credentials).catch((error: unknown) => {
      if (!isAway(error) || now() - lookedAt > TRUSTED_WHILE_AWAY) throw error;
      looked.lookedAt = lookedAt;
      return credentials;
    });
  }

  function remember(hash: string, looked: Remembered): void {
    remembered.delete(hash);
    const [oldest] = remembered.keys();
    if (oldest !== undefined && remembered.size >= REMEMBERED) remembered.delete(oldest);
    remembered.set(hash, looked);
  }
}

function isAway(error: unknown): boolean {
  return error instanceof AppError && error.code === "unavailable";
}

/** A connection whose other end is gone does not fail: it says nothing. @throws AppError unavailable */
function inTime<T>(look: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(unavailable(new Error(`The database took more than ${PATIENCE} ms.`))), PATIENCE);
    look.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

export async function isActiveKey(database: Database, secret: string): Promise<boolean> {
  return (await reading(database, (db) => findActiveKey(db, hashSecret(secret)))) !== undefined;
}

async function lookUp(database: Database, hash: string, now: () => number): Promise<Credentials> {
  const key = await reading(database, (db) => findActiveKey(db, hash));
  // The index compares byte by byte; what it found is compared once more in constant time.
  if (!key || !timingSafeEqual(Buffer.from(key.hash), Buffer.from(hash))) throw unauthorized(REFUSAL);
  // No request waits for the note or fails with it: the next look tries again.
  noteUse(database.prisma, key, now()).catch(() => {});
  return toCredentials(key);
}

/** What an active key opens. */
export function toCredentials({ id, projectID, type, environments, targetApps, permissions }: ActiveKey): Credentials {
  return { actor: { id, name: "CONSOLE API" }, projectID, scope: { type, environments, targetApps }, permissions };
}
