import { mkdirSync, rmSync, statSync } from "node:fs";
import { connect, createServer } from "node:net";
import { dirname, join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { FolderUnusable } from "./data-folder.ts";
import { answerRequest, type LockRequests } from "./lock-requests.ts";

/** The folder is in use by another process. */
export class FolderInUse extends Error {}

/** The removal of a stale lock is considered abandoned after this time. */
const REMOVAL_TIMEOUT_MS = 10_000;

/**
 * Locks a folder for this process until the returned function is called or the process ends, even by a crash. The lock is
 * a socket that this process listens on. A socket without a listener is a stale lock.
 * @param requests answers to other processes
 * @throws FolderInUse, FolderUnusable
 */
export async function lockFolder(folder: string, requests: LockRequests = {}): Promise<() => Promise<void>> {
  const path = socketPath(folder);
  for (;;) {
    // Only one of several processes can create the socket.
    const unlock = await listen(path, requests);
    if (unlock) return unlock;
    const state = await probe(path);
    if (state === "answered") {
      throw new FolderInUse(
        `The data folder ${folder} is in use by another Gatehouse process. Stop that one first, or set GATEHOUSE_DATA_DIR to another folder or DATABASE_URL to a Postgres.`,
      );
    }
    if (state === "left over") await removeLeftOver(path);
  }
}

/** Undefined if the socket exists. */
function listen(path: string, requests: LockRequests): Promise<(() => Promise<void>) | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => answerRequest(socket.unref(), requests));
    server.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRINUSE" ? resolve(undefined) : reject(new FolderUnusable(dirname(path), error)),
    );
    server.listen(path, () => {
      server.unref();
      resolve(() => new Promise((done) => server.close(() => done())));
    });
  });
}

/** One process at a time removes a stale lock. It checks again first, since another process may have taken the lock. */
async function removeLeftOver(path: string): Promise<void> {
  const removal = `${path}.removal`;
  try {
    mkdirSync(removal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    const since = statSync(removal, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - since > REMOVAL_TIMEOUT_MS) rmSync(removal, { recursive: true, force: true });
    await sleep(20);
    return;
  }
  try {
    if ((await probe(path)) === "left over") rmSync(path, { force: true });
  } finally {
    rmSync(removal, { recursive: true, force: true });
  }
}

/** The shorter of the absolute and the relative path, since systems limit it to about 100 characters. */
export function socketPath(folder: string): string {
  const path = join(folder, "lock");
  if (process.platform === "win32") return `\\\\.\\pipe\\gatehouse-${path.replace(/[^A-Za-z0-9]+/g, "-")}`;
  const fromHere = relative(process.cwd(), path);
  return fromHere.length < path.length ? fromHere : path;
}

function probe(path: string): Promise<"answered" | "left over" | "absent"> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once("connect", () => {
      socket.destroy();
      resolve("answered");
    });
    socket.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ECONNREFUSED") resolve("left over");
      else if (error.code === "ENOENT") resolve("absent");
      // The owner's queue is full, or it accepted this connection and closed it.
      else if (error.code === "EAGAIN" || error.code === "ECONNRESET") resolve("answered");
      else reject(error);
    });
  });
}
