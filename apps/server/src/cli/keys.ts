import type { Context } from "../common/context.ts";
import { DEFAULT_PROJECT } from "../common/context.ts";
import type { Violation } from "../common/errors.ts";
import { systemContext } from "../common/system-context.ts";
import {
  deactivateKey,
  KEY_MANAGEMENT_SCOPES,
  type Key,
  type NewKey,
  newKey,
  readAllowedAddresses,
  readScopes,
} from "../console/keys/key.ts";
import { resolveLimits } from "../console/keys/limits.ts";
import { createStores, type Stores } from "../console/stores.ts";
import { createChangeLog } from "../store/change-log/change-log.ts";
import type { Database } from "../store/database/database.ts";
import { type Db, reading, writing } from "../store/database/unit-of-work.ts";
import type { KeyInput } from "./key-input.ts";

/** The database has no project yet, so no server has started with it. */
export class NoProject extends Error {}

/**
 * Creates a key. By default a console key has all scopes.
 * @returns the key with its secret, which is shown only now
 * @throws AppError invalid_request
 */
export async function createKey(database: Database, given: KeyInput, now = Date.now()): Promise<NewKey> {
  const { type, description } = given;
  return writing(database, async (db) => {
    const { stores, context } = await begin(db, "createKey", now);
    const violations: Violation[] = [];
    const scopes = readScopes(type, given.scopes ?? (type === "CONSOLE" ? [...KEY_MANAGEMENT_SCOPES] : []), violations);
    const addresses = readAllowedAddresses(given.allowedAddresses, violations);
    const limits = await resolveLimits(given, stores, violations);
    const made = newKey({ type, description, ...scopes, ...addresses, ...limits }, context);
    await stores.keys.create(made.key, made.secret);
    return made;
  });
}

/** The most keys that are listed. */
const MAX_LISTED = 1_000;

export type ListedKey = { key: Key; lastUsed: string | null };

/** Newest first. */
export async function listKeys(database: Database): Promise<ListedKey[]> {
  return reading(database, async (db) => {
    const { stores } = await begin(db, "listKeys");
    const { data } = await stores.keys.list({ skip: 0, take: MAX_LISTED });
    const lastUsed = await stores.keys.lastUsed(data);
    return data.map((key) => ({ key, lastUsed: lastUsed.get(key.id) ?? null }));
  });
}

/**
 * Deactivates a key. Servers reject it within half a second. Without effect on a deactivated key.
 * @throws AppError not_found; conflict if no key that manages keys would be left
 */
export async function deactivate(database: Database, id: string, now = Date.now()): Promise<Key> {
  return writing(database, async (db) => {
    const { stores, context } = await begin(db, "deactivateKey", now);
    const key = await stores.keys.get(id);
    return key.status === "deactivated" ? key : stores.keys.replace(key, deactivateKey(key, context));
  });
}

async function begin(db: Db, operationID: string, now = Date.now()): Promise<{ stores: Stores; context: Context }> {
  const projects = await db.$queryRaw`select 1 from project where "id" = ${DEFAULT_PROJECT}`;
  if (projects.length === 0)
    throw new NoProject("The database is empty. Start the server once: its first start makes the project and a first key.");
  const context = systemContext(operationID, now);
  return { stores: createStores({ db, context, log: createChangeLog(db, context) }), context };
}
