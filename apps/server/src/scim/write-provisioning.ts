import pLimit from "p-limit";
import { writeAccount } from "../accounts/write-account.ts";
import { AppError } from "../common/errors.ts";
import type { Database } from "../store/database/database.ts";
import { lock } from "../store/database/locks.ts";
import type { Db } from "../store/database/unit-of-work.ts";
import { ScimError } from "./scim-error.ts";

const LOCK = "scim";
/** Maximum number of waiting writes on a replica. */
const MAX_WAITING = 100;

export type WriteProvisioning = <T>(work: (db: Db) => Promise<T>) => Promise<T>;

/**
 * Runs writes of identity providers one after the other across all replicas, each in its own transaction. So roles are never computed from a mix
 * of two changes, and waiting writes hold no connections.
 * @throws AppError unavailable if too many writes are waiting
 */
export function createWriteProvisioning(database: Database): WriteProvisioning {
  const running = pLimit(1);
  return (work) => {
    if (running.pendingCount >= MAX_WAITING) throw new AppError("unavailable", "Too many writes are queued. Try again shortly.");
    const locked = async (db: Db) => {
      await lock(db, LOCK);
      return work(db);
    };
    return running(() => writeAccount(database, locked, (error) => error instanceof ScimError));
  };
}
