import type { Authenticate, Credentials } from "../common/context.ts";
import { unauthorized } from "../common/errors.ts";
import { principalOfKey } from "../console/keys/key-permissions.ts";
import type { Database } from "../store/database/database.ts";
import { reading } from "../store/database/unit-of-work.ts";
import { hashSecret } from "../tokens/secret.ts";
import { type ActiveKey, findActiveKeys, findKeysOfApplications, isExpired, noteUse } from "./active-key-store.ts";
import { type AllowedAddresses, allowedAddresses, type OnForeignAddress } from "./allowed-addresses.ts";
import { createKeyMemory } from "./key-memory.ts";

/** The same message for a missing, an unknown, a deactivated and an expired key. */
const UNAUTHENTICATED_MESSAGE = "An active API key is required in the header SERVICE-API-KEY.";

export type KeyCheck = {
  authenticate: Authenticate;
  /** Call it after creating a key whose secret may have been presented before: the first key, which the operator may choose. */
  forgetRefused(): void;
  /** Whether any key would be trusted if the database were away. */
  hasTrustedKey(): boolean;
};

export function createKeyCheck(database: Database, now: () => number, onForeign?: OnForeignAddress): KeyCheck {
  const memory = createKeyMemory(find, now, database);
  return {
    async authenticate(secret, address) {
      const known = secret ? await memory.get(hashSecret(secret)) : undefined;
      // Compared with each request, so that a key expires on time, and while the database is away too.
      if (known === undefined || isExpired(known, now())) throw unauthorized(UNAUTHENTICATED_MESSAGE);
      known.addresses.require(address);
      return known.credentials;
    },
    forgetRefused: memory.forgetRefused,
    hasTrustedKey: memory.hasTrusted,
  };

  async function find(hashes: string[]): Promise<Map<string, Known>> {
    const keys = await reading(database, (db) => findActiveKeys(db, hashes));
    const time = now();
    // No request depends on this, and the next look-up retries.
    for (const key of keys) if (!isExpired(key, time)) noteUse(database.db, key, time).catch(() => {});
    return new Map(keys.map((key) => [key.hash, toKnown(key, onForeign)]));
  }
}

type Known = { credentials: Credentials; expiresTime: number | null; addresses: AllowedAddresses };

function toKnown(key: ActiveKey, onForeign?: OnForeignAddress): Known {
  return { credentials: toCredentials(key), expiresTime: key.expiresTime, addresses: allowedAddresses(key, onForeign) };
}

export async function isActiveKey(database: Database, secret: string, now = Date.now()): Promise<boolean> {
  const keys = await reading(database, (db) => findActiveKeys(db, [hashSecret(secret)]));
  return keys.some((key) => !isExpired(key, now));
}

const RECENT_MS = 7 * 24 * 60 * 60 * 1000;
const MAX_RECENT_KEYS = 20;

/** The credentials of the application keys that were used last, at most MAX_RECENT_KEYS, within RECENT_MS. */
export async function recentlyUsedByApplications(database: Database, now: number): Promise<Credentials[]> {
  const keys = await reading(database, (db) => findKeysOfApplications(db, now - RECENT_MS, MAX_RECENT_KEYS));
  return keys.filter((key) => !isExpired(key, now)).map(toCredentials);
}

/** The credentials of an active key. */
export function toCredentials({ id, projectID, type, environments, targetApps, ...key }: ActiveKey): Credentials {
  const { scopes, targetAppNames } = key;
  const scope = { type, environments, targetApps };
  const limits = { type, environments, targetApps: targetAppNames, targetAppIDs: targetApps.slice(targetAppNames.length) };
  const worksAnywhere = key.allowedAddresses.length === 0;
  const actor = { id, name: "CONSOLE API", email: null };
  return { actor, projectID, scope, scopes, worksAnywhere, ...principalOfKey({ ...key, ...limits }) };
}
