import { readFileSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { QueuedBatch } from "./event-queue.ts";

/** Batches of events on disk, so that a relay that restarts while the origin is away loses none. */
export type EventJournal = {
  /** The batches of an earlier run. */
  read(): QueuedBatch[];
  /** Resolves when the batch is durable. */
  append(batch: QueuedBatch): Promise<void>;
  /** Removes all batches. */
  clear(): Promise<void>;
  close(): Promise<void>;
};

/** Readable only by the owner. */
const MODE = 0o600;

/** A file with a line for each batch. Batches that arrive during a write are written together. */
export function openJournal(path: string): EventJournal {
  let handle: Promise<FileHandle> | undefined;
  let isEmpty = false;
  /** The last operation. One runs at a time. */
  let last: Promise<unknown> = Promise.resolve();
  let next: { lines: string[]; written: Promise<void> } | undefined;

  function inTurn<T>(work: (file: FileHandle) => Promise<T>): Promise<T> {
    handle ??= open(path, "a", MODE);
    const done = last.then(async () => work(await (handle as Promise<FileHandle>)));
    last = done.catch(() => {});
    return done;
  }

  return {
    read() {
      const text = readIfExists(path);
      isEmpty = text === "";
      // A line that is not complete was not acknowledged.
      return text
        .split("\n")
        .slice(0, -1)
        .flatMap((line) => readLine(line) ?? []);
    },

    append({ key, count, text }) {
      const line = `${JSON.stringify({ key, count, text })}\n`;
      if (next) {
        next.lines.push(line);
        return next.written;
      }
      const lines = [line];
      const written = inTurn(async (file) => {
        next = undefined;
        isEmpty = false;
        // If an earlier write was cut off, its last line ends here.
        await file.appendFile(`\n${lines.join("")}`);
        await file.datasync();
      });
      next = { lines, written };
      return written;
    },

    clear: () =>
      isEmpty
        ? Promise.resolve()
        : inTurn(async (file) => {
            await file.truncate(0);
            isEmpty = true;
          }),

    async close() {
      await last;
      await (await handle)?.close();
    },
  };
}

function readIfExists(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return "";
  }
}

function readLine(line: string): QueuedBatch | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
