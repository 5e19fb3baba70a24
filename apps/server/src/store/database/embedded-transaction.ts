import type { Prisma } from "../../generated/prisma/client.ts";
import { createDb, type Db, type Explain, type QueryResult } from "./db.ts";
import type { EmbeddedConnection, EmbeddedTransaction } from "./embedded-connection.ts";
import { TRANSACTION_TIMEOUT_MS, timedOut } from "./transaction-timeout.ts";

export async function runEmbedded(
  connection: EmbeddedConnection | EmbeddedTransaction,
  { text, values }: Prisma.Sql,
): Promise<QueryResult> {
  const { rows, affectedRows = 0 } = await connection.query<Record<string, unknown>>(text, values);
  return { rows, count: affectedRows };
}

type Options = { dryRun: boolean; onCommit(): void; timeoutMs?: number };

/**
 * Runs a transaction after those before it, since there is one connection. It is rolled back at the timeout, but only between statements.
 */
export function embeddedTransaction<T>(
  connection: EmbeddedConnection,
  work: (db: Db) => Promise<T>,
  { dryRun, onCommit, timeoutMs = TRANSACTION_TIMEOUT_MS }: Options,
): Promise<T> {
  return connection.transaction(async (transaction) => {
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
