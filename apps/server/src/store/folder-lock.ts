import { rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join, relative } from "node:path";

/** The folder is in use by another process. */
export class FolderInUse extends Error {}

/**
 * Takes a folder for this process until the returned function is called or the process ends, however it ends: the lock is
 * a socket that this process listens on, and a socket that nobody answers on is left over from a process that is gone.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const path = socketPath(folder);
  if (await isAnswered(path)) {
    throw new FolderInUse(
      `The data folder ${folder} is in use by another Gatehouse process. Stop that one first, or set GATEHOUSE_DATA_DIR to another folder or DATABASE_URL to a Postgres.`,
    );
  }
  if (process.platform !== "win32") rmSync(path, { force: true });
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(path, resolve));
  server.unref();
  return () => new Promise((resolve) => server.close(() => resolve()));
}

/** The shorter way to the socket, since systems bound the length of its path to about 100 characters. */
function socketPath(folder: string): string {
  const path = join(folder, "lock");
  if (process.platform === "win32") return `\\\\.\\pipe\\gatehouse-${path.replace(/[^A-Za-z0-9]+/g, "-")}`;
  const fromHere = relative(process.cwd(), path);
  return fromHere.length < path.length ? fromHere : path;
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("close", () => socket.destroy());
    socket.once("connect", () => socket.destroy());
  });
}
