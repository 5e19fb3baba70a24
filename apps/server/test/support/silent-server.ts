import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect } from "vitest";
import { waitFor } from "./wait-for.ts";

/** Messages of Postgres: AuthenticationOk, BackendKeyData and ReadyForQuery. */
const STARTED = Buffer.concat([
  Buffer.from("R\0\0\0\x08\0\0\0\0", "latin1"),
  Buffer.from("K\0\0\0\x0c\0\0\0\x01\0\0\0\x01", "latin1"),
  Buffer.from("Z\0\0\0\x05I", "latin1"),
]);

/** The last bytes that a server sends on a connection before it is silent. */
export const LAST_ANSWERS = {
  nothing: undefined,
  /** To the request for TLS. The handshake never begins. */
  tls: Buffer.from("S"),
  started: STARTED,
  headers: Buffer.from("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"),
} as const;

export type SilentServer = Awaited<ReturnType<typeof startSilentServer>>;

/** A server that accepts connections, answers the first message of each at most, and then neither answers nor closes them. */
export async function startSilentServer(lastAnswer: keyof typeof LAST_ANSWERS = "nothing") {
  const open = new Set<Socket>();
  let silent = 0;
  const answer = LAST_ANSWERS[lastAnswer];
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket);
    socket.once("data", () => {
      if (answer) socket.write(answer);
      silent += 1;
    });
    socket.on("close", () => open.delete(socket)).on("error", () => {});
    socket.resume();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    port,
    /** Resolves when so many connections wait for an answer, or have waited. */
    reached: (count: number) => waitFor(() => expect(silent).toBeGreaterThanOrEqual(count)),
    /** Resolves when the other side has destroyed every socket. */
    left: () =>
      waitFor(() => {
        // A client that closed only its half accepts further bytes. One that destroyed its socket rejects them.
        for (const socket of open) if (socket.readableEnded) socket.write("?");
        expect(open.size).toBe(0);
      }),
    async close(): Promise<void> {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
