import { principalOfKey } from "../console/keys/key-permissions.ts";
import { hashSecret } from "../console/keys/secret.ts";
import type { Authenticate, Credentials } from "../context.ts";
import { unauthorized } from "../errors.ts";
import type { Database } from "../store/database.ts";
import { reading } from "../store/unit-of-work.ts";
import { type ActiveKey, findActiveKeys, findKeysOfApplications, noteUse } from "./active-key-store.ts";
import { createKeyMemory } from "./key-memory.ts";

/** The same message for a missing, an unknown and a deactivated key. */
const UNAUTHENTICATED_MESSAGE = "An active API key is required in the header SERVICE-API-KEY.";

export type KeyCheck = {
  authenticate: Authenticate;
  /** Call it after creating a key whose secret may have been presented before: the first key, which the operator may choose. */
  forgetRefused(): void;
  /** Whether any key would be trusted if the database were away. */
  hasTrustedKey(): boolean;
};

export function createKeyCheck(database: Database, now: () => number): KeyCheck {
  const memory = createKeyMemory(find, now);
  return {
    async authenticate(secret) {
      const credentials = secret ? await memory.get(hashSecret(secret)) : undefined;
      if (credentials === undefined) throw unauthorized(UNAUTHENTICATED_MESSAGE);
      return credentials;
    },
    forgetRefused: memory.forgetRefused,
    hasTrustedKey: memory.hasTrusted,
  };

  async function find(hashes: string[]): Promise<Map<string, Credentials>> {
    const keys = await reading(database, (db) => findActiveKeys(db, hashes));
    // No request depends on this, and the next look-up retries.
    for (const key of keys) noteUse(database.db, key, now()).catch(() => {});
    return new Map(keys.map((key) => [key.hash, toCredentials(key)]));
  }
}

export async function isActiveKey(database: Database, secret: string): Promise<boolean> {
  return (await reading(database, (db) => findActiveKeys(db, [hashSecret(secret)]))).length > 0;
}

const RECENT_MS = 7 * 24 * 60 * 60 * 1000;
const MAX_RECENT_KEYS = 20;

/** The credentials of the application keys that were used last, at most MAX_RECENT_KEYS, within RECENT_MS. */
export async function recentlyUsedByApplications(database: Database, now: number): Promise<Credentials[]> {
  return (await reading(database, (db) => findKeysOfApplications(db, now - RECENT_MS, MAX_RECENT_KEYS))).map(toCredentials);
}

/** The credentials of an active key. */
export function toCredentials({ id, projectID, type, environments, targetApps, ...key }: ActiveKey): Credentials {
  const { scopes } = key;
  return {
    actor: { id, name: "CONSOLE API", email: null },
    projectID,
    scope: { type, environments, targetApps },
    scopes,
    ...principalOfKey(key),
  };
}
