import { deadline, untilAborted } from "../../common/signals.ts";
import { destroySoon, getSocket } from "./client.ts";
import type { Connections } from "./connections.ts";
import type { AnalysisOptions } from "./engines.ts";

/**
 * Without statistics, which young tables do not have and the embedded database never has, the planner expects few rows and compares each with
 * each. Statements of analyses join on equality only.
 */
export const WITHOUT_LOOPS = "set_config('enable_nestloop', 'off', true)";

/** By that setting, an unavoidable loop costs so much that Postgres compiles the statement, which takes longer than to run it. */
const WITHOUT_COMPILER = "set_config('jit', 'off', true)";

/** A connection is destroyed if Postgres does not end its statement at its limit. */
const GRACE_MS = 2_000;

/**
 * Runs a statement in a read-only transaction of a connection, which is closed afterwards. When the signal aborts, and if Postgres does not end
 * the statement at its limit, the connection is destroyed.
 */
export async function analyseOn<Row>(
  connections: Connections,
  sql: string,
  parameters: unknown[],
  { timeoutMs, signal }: AnalysisOptions,
): Promise<Row[]> {
  const client = await connections.acquire(signal);
  const limit = deadline(timeoutMs + GRACE_MS, signal);
  let pid: number | undefined;
  const end = () => {
    // Has no effect if the statement has ended.
    if (pid !== undefined) connections.pool.query("select pg_cancel_backend($1)", [pid]).catch(() => {});
    getSocket(client).destroy();
  };
  async function analysis(): Promise<Row[]> {
    await client.query("begin read only");
    const { rows } = await client.query<{ pid: number }>(
      `select pg_backend_pid() as pid, set_config('statement_timeout', $1, true), ${WITHOUT_LOOPS}, ${WITHOUT_COMPILER}`,
      [String(timeoutMs)],
    );
    pid = rows[0]?.pid;
    return (await client.query(sql, parameters)).rows as Row[];
  }
  try {
    connections.disableSocketTimeout(client);
    limit.signal.addEventListener("abort", end, { once: true });
    return await untilAborted(limit.signal, analysis());
  } catch (error) {
    throw limit.isLate() ? noAnswer(timeoutMs, error) : error;
  } finally {
    limit.release();
    limit.signal.removeEventListener("abort", end);
    client.release(true);
    destroySoon(client);
  }
}

/** The error of Postgres for a statement that it ends at its limit. */
function noAnswer(timeoutMs: number, cause: unknown): Error {
  return Object.assign(new Error(`no answer within ${timeoutMs} ms`, { cause }), { code: "57014" });
}
