import type { Socket } from "node:net";
import pg from "pg";
import { untilAborted } from "../../common/signals.ts";

/** An open connection. Only `withClient` opens and closes it. */
export type OpenClient = Pick<pg.Client, "query" | "on" | "once">;

/** Why a connection was destroyed that received more than it may. */
export class AnswerTooLarge extends Error {
  readonly maxBytes: number;

  constructor(maxBytes: number) {
    super(`more than ${maxBytes} bytes were received`);
    this.maxBytes = maxBytes;
  }
}

type Config = pg.ClientConfig & {
  /** The most bytes that the work receives, if they are bounded. The connection is destroyed with `AnswerTooLarge` beyond. */
  maxBytes?: number;
};

/**
 * Does work on a separate connection, which is closed afterwards. When the signal aborts, at any point from the lookup of the host's name
 * on, this rejects with the signal's reason and the socket is destroyed: `connect` and `end` of `pg` may never settle.
 */
export async function withClient<T>(
  { maxBytes, ...config }: Config,
  signal: AbortSignal,
  work: (client: OpenClient) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  // A broken connection fails its statement.
  const client = new pg.Client(config).on("error", () => {});
  const destroy = () => getSocket(client).destroy();
  signal.addEventListener("abort", destroy, { once: true });
  try {
    return await untilAborted(
      signal,
      client.connect().then(() => {
        if (maxBytes !== undefined) limitReceived(getSocket(client), maxBytes);
        return work(client);
      }),
    );
  } finally {
    signal.removeEventListener("abort", destroy);
    // After `end`, a connection that is being opened would never settle.
    if (!signal.aborted) {
      client.end().catch(() => {});
      destroySoon(client);
    }
  }
}

function limitReceived(socket: Socket, maxBytes: number): void {
  let received = 0;
  socket.on("data", (chunk: Buffer) => {
    received += chunk.length;
    if (received > maxBytes) socket.destroy(new AnswerTooLarge(maxBytes));
  });
}

/** Destroys the socket of a client that ends, as soon as the last message is sent. A server that is silent does not close it. */
export function destroySoon(client: pg.ClientBase): void {
  getSocket(client).destroySoon();
}

/** With TLS, this is a TLSSocket. */
export function getSocket(client: pg.ClientBase): Socket {
  return (client as pg.Client).connection.stream as Socket;
}
