import { timingSafeEqual } from "node:crypto";
import type { Authenticate, Credentials } from "../../context.ts";
import { AppError } from "../../errors.ts";
import type { Database } from "../../store/database.ts";
import { reading } from "../../store/unit-of-work.ts";
import { hashKey } from "./key.ts";
import { findActiveKey } from "./key-store.ts";

/** How long an active key is trusted without a look into the database, ms: a revoked one stops within this on every replica. */
const TRUSTED_FOR = 500;
/** Keys remembered at once. */
const REMEMBERED = 10_000;

export function createAuthenticate(database: Database, now: () => number): Authenticate {
  const remembered = new Map<string, { credentials: Credentials; until: number }>();
  return async (secret) => {
    if (!secret) throw unauthorized();
    const hash = hashKey(secret);
    const known = remembered.get(hash);
    if (known && known.until > now()) return known.credentials;
    remembered.delete(hash);
    const key = await reading(database, (db) => findActiveKey(db, hash));
    // The index compares byte by byte; what it found is compared once more in constant time.
    if (!key || !timingSafeEqual(Buffer.from(key.hash), Buffer.from(hash))) throw unauthorized();
    const credentials: Credentials = {
      actor: { id: key.id, name: "CONSOLE API" },
      projectID: key.projectID,
      scope: { type: "CONSOLE", environments: [], targetApps: [] },
    };
    if (remembered.size >= REMEMBERED) remembered.clear();
    remembered.set(hash, { credentials, until: now() + TRUSTED_FOR });
    return credentials;
  };
}

export async function isActiveKey(database: Database, secret: string): Promise<boolean> {
  return (await reading(database, (db) => findActiveKey(db, hashKey(secret)))) !== undefined;
}

/** One text for a missing, unknown and revoked key. */
function unauthorized(): AppError {
  return new AppError("unauthorized", "An active console key is needed in the header SERVICE-API-KEY.");
}
