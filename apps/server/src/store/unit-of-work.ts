import { setTimeout as sleep } from "node:timers/promises";
import { unavailable } from "../errors.ts";
import type { Database } from "./database.ts";
import { asUnavailable, isConnectionLoss, isGivenUp } from "./database-errors.ts";
import type { Db } from "./db.ts";

export type { Db } from "./db.ts";

/** Attempts at a piece of work whose connections break. */
const MAX_ATTEMPTS = 3;
/** Retries of a write after a deadlock or serialization failure. Each time, one of those that met is done. */
const MAX_CONFLICT_RETRIES = 9;
/** The shortest pause before such a retry, ms: the transaction that won must take its locks first. Pauses grow, and differ at random. */
const CONFLICT_PAUSE_MS = 10;

/** Reads outside a transaction; begun again on a new connection when one breaks. */
export function reading<T>(database: Database, work: (db: Db) => Promise<T>): Promise<T> {
  return repeating(database, work);
}

/** One statement that may be carried out twice to the same effect: begun again on a new connection when one breaks, also under the commit. */
export function repeating<T>(database: Database, statement: (db: Db) => Promise<T>): Promise<T> {
  return persevere(
    () => statement(database.db),
    () => true,
  );
}

/**
 * Runs the work in one transaction: all of its writes or none. It is begun again when the database gives it up for another one, as in
 * a deadlock, and when the connection breaks before the commit was sent; after that the outcome is unknown and the caller is told so.
 * `dryRun` does everything and keeps nothing.
 */
export function writing<T>(database: Database, work: (db: Db) => Promise<T>, { dryRun = false } = {}): Promise<T> {
  let committing = false;
  const attempt = () => {
    committing = false;
    const onCommit = () => {
      committing = true;
    };
    return database.transaction(work, { dryRun, onCommit });
  };
  return persevere(attempt, () => !committing);
}

async function persevere<T>(attempt: () => Promise<T>, mayRepeat: () => boolean): Promise<T> {
  let [losses, conflicts] = [0, 0];
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (isGivenUp(error)) {
        conflicts += 1;
        if (conflicts > MAX_CONFLICT_RETRIES) throw unavailable(error);
        await sleep(CONFLICT_PAUSE_MS * conflicts * (1 + Math.random()));
      } else if (isConnectionLoss(error)) {
        losses += 1;
        if (losses === MAX_ATTEMPTS || !mayRepeat()) throw unavailable(error);
      } else throw asUnavailable(error) ?? error;
    }
  }
}
