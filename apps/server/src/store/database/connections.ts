import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { untilAborted } from "../../common/signals.ts";
import { getSocket } from "./client.ts";
import { queueForConnections } from "./connection-queue.ts";
import { isConnectionLoss, isReadOnly } from "./database-errors.ts";

/** A request waits this long for a connection. */
const CONNECT_TIMEOUT_MS = 5_000;
/** Connections per server. Sixteen saturate one server core. */
const POOL_SIZE = 16;
/** The timeout of a statement and of an idle transaction. Postgres enforces it. */
export const STATEMENT_TIMEOUT_MS = 30_000;
/** A connection without data for this long is dead: a reachable Postgres would have ended the statement before. */
const SOCKET_TIMEOUT_MS = 35_000;
/** The socket timeout after another connection to the same server was found dead. */
const SUSPECTED_SOCKET_TIMEOUT_MS = 5_000;
/** Connections that take longer to close are abandoned. */
const CLOSE_TIMEOUT_MS = 2_500;

export type Connections = {
  pool: pg.Pool;
  /**
   * Takes a connection from the pool. If Postgres has no connection left for the role, waits for one, as long as for a busy pool.
   * Rejects when the signal aborts, and leaves the connection to others.
   */
  acquire(signal?: AbortSignal): Promise<pg.PoolClient>;
  /** Calls the listener with the time that each connection took to acquire, ms. There is one listener. */
  watchWaits(listener: (waitMs: number) => void): void;
  /**
   * Returns a connection to the pool. Discards it if it broke, or if the server rejected a write because it is read-only: after a failover
   * only new connections reach the new primary.
   * @param failure why the work failed
   */
  release(client: pg.PoolClient, failure?: unknown): void;
  /** Closes a connection, and all idle ones, which are probably as useless. So a retry gets a new connection. */
  discard(client: pg.PoolClient): void;
  /** Call it if a connection to the same server is dead. Idle connections are closed, and those in use get a short socket timeout. */
  suspect(): void;
  /** Removes the socket timeout of a connection, for work of unbounded duration. */
  disableSocketTimeout(client: pg.ClientBase): void;
  close(): Promise<void>;
};

/**
 * A pool of connections that are opened when needed and replaced when they break. A connection whose peer has disappeared is destroyed, so
 * its waiting callers get an error.
 */
export function openConnections(connectionString: string, { isPooled = false, size = POOL_SIZE } = {}): Connections {
  const clients = new Set<pg.ClientBase>();
  const inUse = new Set<pg.ClientBase>();
  const onConnect = async (client: pg.ClientBase) => {
    clients.add(client);
    client.once("end", () => clients.delete(client));
    const socket = getSocket(client);
    socket.setTimeout(SOCKET_TIMEOUT_MS, () => socket.destroy());
    // A broken connection fails its statement. The pool listens for errors only while the connection is idle.
    client.on("error", () => {});
    // Settings would stay on the pooler's connection.
    if (isPooled) return;
    await client.query(
      `set statement_timeout = ${STATEMENT_TIMEOUT_MS}; set idle_in_transaction_session_timeout = ${STATEMENT_TIMEOUT_MS}`,
    );
  };
  const pool = new pg.Pool({ connectionString, max: size, connectionTimeoutMillis: CONNECT_TIMEOUT_MS, onConnect });
  pool.on("acquire", (client) => inUse.add(client)).on("release", (_error, client) => inUse.delete(client));
  let onWait = (_waitMs: number) => {};
  const takeConnection = queueForConnections(pool, CONNECT_TIMEOUT_MS);
  const connect = async () => {
    const startedAt = performance.now();
    try {
      return await takeConnection();
    } finally {
      onWait(performance.now() - startedAt);
    }
  };
  // An idle connection that the server ends is dropped from the pool; the next query opens another.
  pool.on("error", () => {});
  const closeIdle = () => {
    for (const client of clients) if (!inUse.has(client)) getSocket(client).destroy();
  };
  const discard = (client: pg.PoolClient) => {
    client.release(true);
    closeIdle();
  };
  return {
    pool,
    async acquire(signal) {
      signal?.throwIfAborted();
      const acquired = connect();
      if (!signal) return acquired;
      try {
        return await untilAborted(signal, acquired);
      } catch (error) {
        if (signal.aborted) acquired.then((client) => client.release()).catch(() => {});
        throw error;
      }
    },
    watchWaits(listener) {
      onWait = listener;
    },
    release(client, failure) {
      if (isReadOnly(failure) || isConnectionLoss(failure)) discard(client);
      else client.release();
    },
    discard,
    suspect() {
      closeIdle();
      for (const client of inUse) {
        if (!clients.has(client)) continue;
        const socket = getSocket(client);
        socket.setTimeout(SUSPECTED_SOCKET_TIMEOUT_MS).once("data", () => socket.setTimeout(SOCKET_TIMEOUT_MS));
      }
    },
    disableSocketTimeout(client) {
      clients.delete(client);
      getSocket(client).setTimeout(0);
    },
    async close() {
      const ended = pool.end();
      await Promise.race([ended, sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
      for (const client of clients) getSocket(client).destroy();
      await ended;
    },
  };
}
