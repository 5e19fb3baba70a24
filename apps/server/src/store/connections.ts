import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { isReadOnly } from "./database-errors.ts";

/** A request waits this long for a connection. */
const CONNECT_TIMEOUT_MS = 5_000;
/** Connections per server. Sixteen saturate one server core. */
const POOL_SIZE = 16;
/** The timeout of a statement and of an idle transaction. Postgres enforces it. */
export const STATEMENT_TIMEOUT_MS = 30_000;
/** A connection that is silent for so long is dead: a Postgres that can be reached has ended the statement before. */
const SOCKET_TIMEOUT_MS = 35_000;
/** The same after another connection to the same server was found dead. */
const SUSPECTED_SOCKET_TIMEOUT_MS = 5_000;
/** Connections that take longer to close are abandoned. */
const CLOSE_TIMEOUT_MS = 2_500;

export type Connections = {
  pool: pg.Pool;
  /**
   * Returns a connection after its work. One on which a write was refused because the server is read-only is closed with those at rest: after
   * a failover a new connection reaches the new primary, and an old one never does.
   * @param failure why the work failed
   */
  release(client: pg.PoolClient, failure?: unknown): void;
  /** A connection to the same server is dead: those at rest are replaced, and those in use have to be heard of soon. */
  suspect(): void;
  /** Lets a connection be silent, for work that may take any time. */
  letBeSilent(client: pg.ClientBase): void;
  close(): Promise<void>;
};

/**
 * Connections that are opened when they are needed and replaced when they break. One whose other end is gone without a word is broken
 * here, so that whoever waits for its answer hears of it.
 */
export function openConnections(connectionString: string, { isPooled = false } = {}): Connections {
  const clients = new Set<pg.ClientBase>();
  const inUse = new Set<pg.ClientBase>();
  const onConnect = async (client: pg.ClientBase) => {
    clients.add(client);
    client.once("end", () => clients.delete(client));
    const socket = socketOf(client);
    socket.setTimeout(SOCKET_TIMEOUT_MS, () => socket.destroy());
    // A connection that breaks fails the statement that it carries; the pool listens for it only while nobody has the connection.
    client.on("error", () => {});
    // Settings of a connection would stay with the pooler's.
    if (isPooled) return;
    await client.query(
      `set statement_timeout = ${STATEMENT_TIMEOUT_MS}; set idle_in_transaction_session_timeout = ${STATEMENT_TIMEOUT_MS}`,
    );
  };
  const pool = new pg.Pool({ connectionString, max: POOL_SIZE, connectionTimeoutMillis: CONNECT_TIMEOUT_MS, onConnect });
  pool.on("acquire", (client) => inUse.add(client)).on("release", (_error, client) => inUse.delete(client));
  // An idle connection that the server ends is dropped from the pool; the next query opens another.
  pool.on("error", () => {});
  const closeIdle = () => {
    for (const client of clients) if (!inUse.has(client)) socketOf(client).destroy();
  };
  return {
    pool,
    release(client, failure) {
      client.release(isReadOnly(failure));
      if (isReadOnly(failure)) closeIdle();
    },
    suspect() {
      closeIdle();
      for (const client of inUse) {
        if (!clients.has(client)) continue;
        const socket = socketOf(client);
        socket.setTimeout(SUSPECTED_SOCKET_TIMEOUT_MS).once("data", () => socket.setTimeout(SOCKET_TIMEOUT_MS));
      }
    },
    letBeSilent(client) {
      clients.delete(client);
      socketOf(client).setTimeout(0);
    },
    async close() {
      const ended = pool.end();
      await Promise.race([ended, sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
      for (const client of clients) socketOf(client).destroy();
      await ended;
    },
  };
}

/** With TLS, its own kind of socket. */
function socketOf(client: pg.ClientBase): Socket {
  return (client as pg.Client).connection.stream as Socket;
}
