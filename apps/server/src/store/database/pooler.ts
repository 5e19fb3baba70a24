import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

/** Timeouts of connecting and of the test notification. */
const CONNECT_TIMEOUT_MS = 5_000;
const NOTIFICATION_TIMEOUT_MS = 2_000;

/**
 * Whether a transaction pooler, such as PgBouncer in transaction mode, is in front of the database. It loses the state of sessions:
 * prepared statements, settings, locks, and `LISTEN`, which this test uses. The test is skipped if the connection is directly to Postgres.
 */
export async function isTransactionPooler(connectionString: string): Promise<boolean> {
  const options = { connectionString, connectionTimeoutMillis: CONNECT_TIMEOUT_MS, query_timeout: CONNECT_TIMEOUT_MS };
  const [listener, notifier] = [new pg.Client(options), new pg.Client(options)];
  for (const client of [listener, notifier]) client.on("error", () => {});
  try {
    await listener.connect();
    const { rows } = await listener.query<{ pid: number }>("select pg_backend_pid() as pid");
    if (rows[0]?.pid === (listener as pg.Client & { processID: number }).processID) return false;
    const channel = `gatehouse_${randomUUID()}`;
    const heard = new Promise<boolean>((resolve) => listener.once("notification", () => resolve(true)));
    await listener.query(`listen ${pg.escapeIdentifier(channel)}`);
    await notifier.connect();
    await notifier.query("select pg_notify($1, '')", [channel]);
    const timeout = new AbortController();
    const missed = sleep(NOTIFICATION_TIMEOUT_MS, false, { signal: timeout.signal }).catch(() => false);
    const isHeard = await Promise.race([heard, missed]);
    timeout.abort();
    return !isHeard;
  } finally {
    await Promise.all([listener.end(), notifier.end()]);
  }
}
