import { connect, type Socket } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

// Other processes ask the holder of a folder's lock through its socket: a request is one line. Only the holder's user and root can connect.

/** Answers to requests, by name. */
export type LockRequests = Record<string, () => AsyncIterator<Buffer>>;

/** A connection without a request is closed after this time. */
const REQUEST_TIMEOUT_MS = 5_000;
const DONE = "ok\n";
const FAILED = "error ";

/** The holder of the lock cannot fulfil the request. */
class RequestFailed extends Error {}

/** Answers a request: `ok`, then the data, or `error` with a message. */
export function answerRequest(socket: Socket, requests: LockRequests): void {
  socket.on("error", () => {});
  socket.setTimeout(REQUEST_TIMEOUT_MS, () => socket.destroy());
  socket.once("data", (line) => {
    const request = requests[line.toString().trim()];
    if (request === undefined) return void socket.destroy();
    socket.setTimeout(0);
    void send(socket, request());
  });
}

async function send(socket: Socket, data: AsyncIterator<Buffer>): Promise<void> {
  try {
    const first = await data.next();
    await pipeline(Readable.from(following(first, data), { objectMode: false }), socket);
  } catch (error) {
    socket.end(`${FAILED}${(error as Error).message}\n`);
  }
}

async function* following(first: IteratorResult<Buffer>, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield Buffer.from(DONE);
    for (let next = first; next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

/** The data that the holder of the lock answers. It may be incomplete, if the holder ends. @throws RequestFailed */
export async function* requestFromHolder(socketPath: string, request: string): AsyncGenerator<Buffer> {
  const socket = connect(socketPath);
  socket.write(`${request}\n`);
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    if (head === undefined) yield chunk;
    else {
      head = Buffer.concat([head, chunk]);
      if (head.length < DONE.length) continue;
      if (!head.subarray(0, DONE.length).equals(Buffer.from(DONE))) break;
      yield head.subarray(DONE.length);
      head = undefined;
    }
  }
  if (head === undefined) return;
  const text = head.toString();
  throw new RequestFailed(text.startsWith(FAILED) ? text.slice(FAILED.length).trim() : "The server does not know the request.");
}
