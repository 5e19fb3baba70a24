import type { PGlite, QueryOptions, Transaction } from "@electric-sql/pglite";
import type { Prisma } from "../generated/prisma/client.ts";
import { type Answer, createDb, type Db, type Explain } from "./db.ts";
import { TRANSACTION_TIMEOUT_MS, timedOut } from "./transaction-timeout.ts";

const INT8 = 20;
/** As the statements on Postgres have it. */
const OPTIONS: QueryOptions = { parsers: { [INT8]: BigInt } };

export async function runEmbedded(connection: PGlite | Transaction, { text, values }: Prisma.Sql): Promise<Answer> {
  const { rows, affectedRows = 0 } = await connection.query(text, values, OPTIONS);
  return { rows, count: affectedRows };
}

type Options = { dryRun: boolean; onCommit(): void; timeoutMs?: number };

/**
 * Waits for the transactions and statements before it: there is one connection. It is rolled back at the timeout, ms, though not within a
 * statement.
 */
export function embeddedTransaction<T>(
  pglite: PGlite,
  work: (db: Db) => Promise<T>,
  { dryRun, onCommit, timeoutMs = TRANSACTION_TIMEOUT_MS }: Options,
): Promise<T> {
  return pglite.transaction(async (transaction) => {
    let last: Promise<unknown> = Promise.resolve();
    /** One after the other, and none after one that failed. */
    const run = (statement: Prisma.Sql, explain: Explain = (error) => error): Promise<Answer> => {
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

/** What the work makes. @throws AppError unavailable at the timeout, ms; the work then fails with its next statement */
async function within<T>(timeoutMs: number, work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(timedOut(timeoutMs)), timeoutMs).unref();
  });
  return Promise.race([work(), expired]).finally(() => clearTimeout(timer));
}
