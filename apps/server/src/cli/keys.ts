import { DEFAULT_PROJECT, systemContext } from "../bootstrap.ts";
import { type Key, newKey, randomConsoleKey, revokeKey } from "../console/keys/key.ts";
import { createChangeLog } from "../store/change-log.ts";
import type { Database } from "../store/database.ts";
import { type Db, reading, writing } from "../store/unit-of-work.ts";
import { createStores, type Stores } from "../stores.ts";

/** The database has no project that a key could be of. */
export class NoProject extends Error {}

/** @returns the key with its secret, which cannot be read again */
export async function createKey(database: Database, name: string, now = Date.now()): Promise<{ key: Key; secret: string }> {
  const secret = randomConsoleKey();
  const key = newKey(DEFAULT_PROJECT, name, secret, now);
  await writing(database, async (db) => (await storesOf(db, "createKey", now)).keys.create(key));
  return { key, secret };
}

/** Oldest first. */
export async function listKeys(database: Database): Promise<Key[]> {
  return reading(database, async (db) => (await storesOf(db, "listKeys")).keys.list());
}

/** Servers refuse the key within half a second. A key that is revoked already stays as it is. @throws AppError not_found */
export async function revoke(database: Database, id: string, now = Date.now()): Promise<Key> {
  return writing(database, async (db) => {
    const { keys } = await storesOf(db, "revokeKey", now);
    const key = await keys.get(id);
    if (key.revokedTime !== null) return key;
    const revoked = revokeKey(key, now);
    await keys.replace(key, revoked);
    return revoked;
  });
}

async function storesOf(db: Db, operationID: string, now?: number): Promise<Stores> {
  const project = await db.project.findUnique({ where: { id: DEFAULT_PROJECT }, select: { id: true } });
  if (!project) throw new NoProject("The database is empty. Start the server once: its first start makes the project and a first key.");
  const context = systemContext(operationID, now);
  return createStores({ db, context, log: createChangeLog(db, context) });
}
