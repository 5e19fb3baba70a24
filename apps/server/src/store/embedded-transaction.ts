import type { PGlite, QueryOptions, Transaction } from "@electric-sql/pglite";
import type { Prisma } from "../generated/prisma/client.ts";
import { createDb, type Db, type Explain, type QueryResult } from "./db.ts";
import { TRANSACTION_TIMEOUT_MS, timedOut } from "./transaction-timeout.ts";

const INT8 = 20;
/** Parses int8 as `pg` statements do. */
const OPTIONS: QueryOptions = { parsers: { [INT8]: BigInt } };

export async function runEmbedded(connection: PGlite | Transaction, { text, values }: Prisma.Sql): Promise<QueryResult> {
  const { rows, affectedRows = 0 } = await connection.query(text, values, OPTIONS);
  return { rows, count: affectedRows };
}

type Options = { dryRun: boolean; onCommit(): void; timeoutMs?: number };

/**
 * Runs a transaction after those before it, since there is one connection. It is rolled back at the timeout, but only between statements.
 */
export function embeddedTransaction<T>(
  pglite: PGlite,
  work: (db: Db) => Promise<T>,
  { dryRun, onCommit, timeoutMs = TRANSACTION_TIMEOUT_MS }: Options,
): Promise<T> {
  return pglite.transaction(async (transaction) => {
    let last: Promise<unknown> = Promise.resolve();
    /** Runs statements one after the other, and none after a failed one. */
    const run = (statement: Prisma.Sql, explain: Explain = (error) => error): Promise<QueryResult> => {
      const answer = last.then(() =>
        runEmbedded(transaction, statement).catch((error: unknown) => {
          throw explain(error);
        }),
      );
      last = answer;
      last.catch(() => {});
      return answer;
    };
    const db = createDb(run, (statement, explain) => void run(statement, explain));
    const result = await within(timeoutMs, async () => {
      const done = await work(db);
      await last;
      return done;
    });
    if (dryRun) await transaction.rollback();
    else onCommit();
    return result;
  });
}

/** The result of the work. @throws AppError unavailable at the timeout; the work then fails with its next statement */
async function within<T>(timeoutMs: number, work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(timedOut(timeoutMs)), timeoutMs).unref();
  });
  return Promise.race([work(), expired]).finally(() => clearTimeout(timer));
}
