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

const message = (type: string, ...parts: (string | Buffer)[]) => {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  const head = Buffer.alloc(5, type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};
const READY = message("Z", "T");
const done = (command: string) => message("C", `${command}\0`);
/** The answer to a statement with parameters: a row of texts. */
function row(values: Record<string, string>): Buffer {
  const count = Buffer.from([0, Object.keys(values).length]);
  const fields = Object.keys(values).map((name) => Buffer.concat([Buffer.from(`${name}\0`), Buffer.alloc(18)]));
  const texts = Object.values(values).flatMap((text) => [Buffer.from([0, 0, 0, text.length]), text]);
  return Buffer.concat([
    message("1"),
    message("2"),
    message("T", count, ...fields),
    message("D", count, ...texts),
    done("SELECT 1"),
    READY,
  ]);
}

/** Answers of a Postgres warehouse before a statement: the start, the beginning of the transaction, the session and its schema. */
export const UNTIL_STATEMENT = [
  STARTED,
  Buffer.concat([done("BEGIN"), done("SET"), READY]),
  row({ pid: "7", system: "2", name: "shop" }),
  Buffer.concat([done("SET"), READY]),
];

/** The last bytes that a server sends on a connection before it is silent. */
export const LAST_ANSWERS = {
  nothing: undefined,
  /** To the request for TLS. The handshake never begins. */
  tls: Buffer.from("S"),
  started: STARTED,
  headers: Buffer.from("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"),
} as const;

export type SilentServer = Awaited<ReturnType<typeof startSilentServer>>;

/**
 * Accepts connections, answers at most the first message of each, and never closes them.
 * @param answers to the messages of the first connection, in place of that
 */
export async function startSilentServer(lastAnswer: keyof typeof LAST_ANSWERS = "nothing", answers: Buffer[] = []) {
  const open = new Set<Socket>();
  let silent = 0;
  const answer = LAST_ANSWERS[lastAnswer];
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket);
    const left = answers.splice(0);
    if (answer) left.push(answer);
    let isWaiting = false;
    socket.on("data", () => {
      const next = left.shift();
      if (next) socket.write(next);
      if (isWaiting || (next && next !== answer)) return;
      isWaiting = true;
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
