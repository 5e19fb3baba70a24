import { unavailable } from "../errors.ts";
import type { Prisma } from "../generated/prisma/client.ts";
import type { Database } from "./database.ts";
import { isConnectionLoss, isGivenUp, isOutOfTime } from "./database-errors.ts";

/** Prisma's client, bound to a transaction or not. */
export type Db = Prisma.TransactionClient;

/** How often a piece of work is begun when the connection breaks under it. */
const ATTEMPTS = 3;
/** How often a write is begun when the database gives it up for another one. Each time, one of those that met is done. */
const MEETINGS = 10;
/** How long a write may wait for a connection and take, ms. */
const MAX_WAIT = 5_000;
const TIMEOUT = 15_000;

class RolledBack<T> extends Error {
  readonly result: T;

  constructor(result: T) {
    super("A dry run was rolled back.");
    this.result = result;
  }
}

/** Reads outside a transaction; begun again on a new connection when one breaks. */
export function reading<T>(database: Database, work: (db: Db) => Promise<T>): Promise<T> {
  return repeating(database, work);
}

/** One statement that may be carried out twice to the same effect: begun again on a new connection when one breaks, also under the commit. */
export function repeating<T>(database: Database, statement: (db: Db) => Promise<T>): Promise<T> {
  return persevere(
    () => statement(database.prisma),
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
  const attempt = async () => {
    committing = false;
    const run = database.prisma.$transaction(
      async (db) => {
        const result = await work(db);
        if (dryRun) throw new RolledBack(result);
        committing = true;
        return result;
      },
      { maxWait: MAX_WAIT, timeout: TIMEOUT },
    );
    return run.catch((error: unknown) => {
      if (error instanceof RolledBack) return error.result as T;
      throw error;
    });
  };
  return persevere(attempt, () => !committing);
}

async function persevere<T>(attempt: () => Promise<T>, mayRepeat: () => boolean): Promise<T> {
  let [losses, meetings] = [0, 0];
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (isGivenUp(error)) {
        meetings += 1;
        if (meetings === MEETINGS) throw unavailable(error);
      } else if (isConnectionLoss(error)) {
        losses += 1;
        if (losses === ATTEMPTS || !mayRepeat()) throw unavailable(error);
      } else throw isOutOfTime(error) ? unavailable(error) : error;
    }
  }
}
