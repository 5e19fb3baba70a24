import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { deadline } from "../../common/signals.ts";
import { type OpenClient, withClient } from "./client.ts";

/** Timeouts of connecting and of the test notification. */
const CONNECT_TIMEOUT_MS = 5_000;
const NOTIFICATION_TIMEOUT_MS = 2_000;
/** The timeout of everything, which those of its steps precede. */
const TEST_TIMEOUT_MS = 30_000;

/**
 * Whether a transaction pooler, such as PgBouncer in transaction mode, is in front of the database. It loses the state of sessions:
 * prepared statements, settings, locks, and `LISTEN`, which this test uses. The test is skipped if the connection is directly to Postgres.
 */
export async function isTransactionPooler(connectionString: string): Promise<boolean> {
  const options = { connectionString, connectionTimeoutMillis: CONNECT_TIMEOUT_MS, query_timeout: CONNECT_TIMEOUT_MS };
  const limit = deadline(TEST_TIMEOUT_MS);
  try {
    return await withClient(options, limit.signal, async (listener) => {
      if (await isDirect(listener)) return false;
      const channel = `gatehouse_${randomUUID()}`;
      const heard = new Promise<boolean>((resolve) => listener.once("notification", () => resolve(true)));
      await listener.query(`listen ${pg.escapeIdentifier(channel)}`);
      return withClient(options, limit.signal, async (notifier) => {
        await notifier.query("select pg_notify($1, '')", [channel]);
        const timeout = new AbortController();
        const missed = sleep(NOTIFICATION_TIMEOUT_MS, false, { signal: timeout.signal }).catch(() => false);
        const isHeard = await Promise.race([heard, missed]);
        timeout.abort();
        return !isHeard;
      });
    });
  } finally {
    limit.release();
  }
}

/**
 * Whether any pooler is in front of a standby. Its mode is unknown, since a standby has no notifications, so statements must not depend on the
 * state of sessions.
 */
export async function isPooledStandby(connectionString: string): Promise<boolean> {
  const limit = deadline(CONNECT_TIMEOUT_MS);
  try {
    const options = { connectionString, connectionTimeoutMillis: CONNECT_TIMEOUT_MS, query_timeout: CONNECT_TIMEOUT_MS };
    return await withClient(options, limit.signal, async (client) => !(await isDirect(client)));
  } finally {
    limit.release();
  }
}

/** Whether a connection is to the process of Postgres that serves it. A pooler makes up the process that it announces. */
async function isDirect(client: OpenClient): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  return rows[0]?.pid === (client as OpenClient & { processID: number }).processID;
}
