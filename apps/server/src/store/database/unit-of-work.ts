import { setTimeout as sleep, setImmediate as yieldToSockets } from "node:timers/promises";
import { unavailable } from "../../common/errors.ts";
import type { Database } from "./database.ts";
import { asUnavailable, isConnectionLoss, isSerializationFailure } from "./database-errors.ts";
import type { Db } from "./db.ts";

export type { Db } from "./db.ts";

/** The most attempts at a unit of work if connections break. */
const MAX_ATTEMPTS = 3;
/** The most retries of a write after a deadlock or serialization failure. In each round one of the competing writes commits. */
const MAX_CONFLICT_RETRIES = 9;
/** The shortest delay before such a retry, with back-off and jitter. The winning transaction must take its locks first. */
const CONFLICT_DELAY_MS = 10;

/** Reads outside a transaction. Retried on a new connection if one breaks. */
export function reading<T>(database: Database, work: (db: Db) => Promise<T>): Promise<T> {
  return repeating(database, work);
}

/** Runs one idempotent statement. Retried on a new connection if one breaks, even during the commit. */
export function repeating<T>(database: Database, statement: (db: Db) => Promise<T>): Promise<T> {
  return withRetries(
    () => statement(database.db),
    () => true,
  );
}

/**
 * Runs the work in one transaction. Retries it after a deadlock or serialization failure, and if the connection breaks before the commit
 * was sent. After that the outcome is unknown, and the error says so. `dryRun` does everything and rolls back.
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
  return withRetries(attempt, () => !committing);
}

async function withRetries<T>(attempt: () => Promise<T>, mayRepeat: () => boolean): Promise<T> {
  let [losses, conflicts] = [0, 0];
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (isSerializationFailure(error)) {
        conflicts += 1;
        if (conflicts > MAX_CONFLICT_RETRIES) throw unavailable(error);
        await sleep(CONFLICT_DELAY_MS * conflicts * (1 + Math.random()));
      } else if (isConnectionLoss(error)) {
        losses += 1;
        if (losses === MAX_ATTEMPTS || !mayRepeat()) throw asUnavailable(error) ?? error;
        // The pool drops closed connections when it hears of them.
        await yieldToSockets();
      } else throw asUnavailable(error) ?? error;
    }
  }
}
