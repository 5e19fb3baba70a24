import type { Connections } from "./connections.ts";
import type { AnalysisOptions } from "./engines.ts";

/**
 * Without statistics, which young tables do not have and the embedded database never has, the planner expects few rows and compares each with
 * each. Statements of analyses join on equality only.
 */
export const WITHOUT_LOOPS = "set_config('enable_nestloop', 'off', true)";

/** What a loop that cannot be avoided costs by that setting makes Postgres compile the statement, which takes longer than to run it. */
const WITHOUT_COMPILER = "set_config('jit', 'off', true)";

/** Runs a statement in a read-only transaction of a connection, which is closed afterwards: nothing tells it from one that is dead. */
export async function analyseOn<Row>(
  { pool, disableSocketTimeout }: Connections,
  sql: string,
  parameters: unknown[],
  { timeoutMs, signal }: AnalysisOptions,
): Promise<Row[]> {
  const client = await pool.connect();
  try {
    disableSocketTimeout(client);
    await client.query("begin read only");
    const { rows } = await client.query<{ pid: number }>(
      `select pg_backend_pid() as pid, set_config('statement_timeout', $1, true), ${WITHOUT_LOOPS}, ${WITHOUT_COMPILER}`,
      [String(timeoutMs)],
    );
    signal.throwIfAborted();
    // If the statement has ended meanwhile, nothing is cancelled.
    const cancel = () => void pool.query("select pg_cancel_backend($1)", [rows[0]?.pid]).catch(() => {});
    signal.addEventListener("abort", cancel, { once: true });
    try {
      return (await client.query(sql, parameters)).rows as Row[];
    } finally {
      signal.removeEventListener("abort", cancel);
    }
  } finally {
    client.release(true);
  }
}
