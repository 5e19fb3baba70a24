import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { withClient } from "./client.ts";

export type Listener = {
  onMessage(payload: string): void;
  /** The connection is open, for the first time or again. Notifications before this were missed. */
  onConnected(): void;
  /** The connection is lost. */
  onLost?(): void;
};

export type Listening = { close(): Promise<void> };

/** The delay between two attempts to connect. */
const RECONNECT_DELAY_MS = 250;
/** Keep-alive of the connection: the interval of pings, and the timeout of a reply. */
const PING_INTERVAL_MS = 5_000;
const PING_TIMEOUT_MS = 2_500;

/** Listens on a dedicated connection and reconnects until it is closed. */
export function listenOnPostgres(connectionString: string, channel: string, listener: Listener): Listening {
  const closing = new AbortController();
  const loop = (async () => {
    while (!closing.signal.aborted) {
      await listenOnce(connectionString, channel, listener, closing.signal).catch(() => {});
      await sleep(RECONNECT_DELAY_MS, undefined, { signal: closing.signal, ref: false }).catch(() => {});
    }
  })();
  return {
    async close() {
      closing.abort();
      await loop;
    },
  };
}

/** Resolves or rejects when the connection is lost. Rejects when `closing` aborts. */
async function listenOnce(connectionString: string, channel: string, listener: Listener, closing: AbortSignal): Promise<void> {
  const config = { connectionString, connectionTimeoutMillis: PING_TIMEOUT_MS, query_timeout: PING_TIMEOUT_MS, keepAlive: true };
  await withClient(config, closing, async (client) => {
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    client.once("error", end).once("end", end);
    client.on("notification", ({ payload = "" }) => listener.onMessage(payload));
    const asking = setInterval(() => client.query("select 1").catch(end), PING_INTERVAL_MS).unref();
    try {
      await client.query(`listen ${pg.escapeIdentifier(channel)}`);
      listener.onConnected();
      await ended;
      if (!closing.aborted) listener.onLost?.();
    } finally {
      clearInterval(asking);
    }
  });
}
