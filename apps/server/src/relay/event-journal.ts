import { createReadStream } from "node:fs";
import { type FileHandle, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { ConfigError } from "../common/config-error.ts";
import type { QueuedBatch } from "./event-queue.ts";

/** Batches of events on disk, so that a relay that restarts while the origin is away loses none. */
export type EventJournal = {
  /** The batches of earlier runs that were not removed. */
  restored: QueuedBatch[];
  /** Resolves when the batch is durable. */
  append(batch: QueuedBatch): Promise<void>;
  /** Removes batches. After a crash, the last ones may be there again. */
  remove(keys: string[]): Promise<void>;
  /** Removes all batches. */
  clear(): Promise<void>;
  /** Whether most of the file may be about batches that were removed. */
  isLarge(): boolean;
  /** Replaces the file by one with only these batches. */
  rewrite(batches: QueuedBatch[]): Promise<void>;
  close(): Promise<void>;
};

type Line = QueuedBatch | { removed: string[] };

/** Readable only by the owner. */
const MODE = 0o600;
/** A smaller file is never rewritten. In characters. */
const MIN_LARGE = 4 * 2 ** 20;
const CHUNK_BYTES = 2 ** 20;

/** A file with a line for each batch. Batches that arrive during a write are written together. @throws ConfigError */
export async function openJournal(path: string): Promise<EventJournal> {
  let file: FileHandle | undefined = await openIn(dirname(path), path);
  const { batches: restored, characters } = await readBatches(path);
  let size = characters;
  let large = Math.max(MIN_LARGE, 2 * size);
  /** The last operation. One runs at a time. */
  let last: Promise<unknown> = Promise.resolve();
  let next: { lines: string[]; written: Promise<void> } | undefined;
  let isClosed = false;

  /** Operations run in the order of the calls. A file that fails is opened again for the next one. */
  function inTurn<T>(work: (file: FileHandle) => Promise<T>): Promise<T> {
    if (isClosed) return Promise.reject(new Error("The relay has stopped."));
    const done = last.then(async () => {
      file ??= await open(path, "a", MODE);
      return work(file).catch(async (error: unknown) => {
        await file?.close().catch(() => {});
        file = undefined;
        throw error;
      });
    });
    last = done.catch(() => {});
    return done;
  }

  return {
    restored,

    append(batch) {
      const line = toLine(batch);
      size += line.length;
      if (next) {
        next.lines.push(line);
        return next.written;
      }
      const lines = [line];
      const mine = {
        lines,
        written: inTurn(async (to) => {
          if (next === mine) next = undefined;
          // If an earlier write was cut off, its last line ends here.
          await to.appendFile(`\n${lines.join("")}`);
          await to.datasync();
        }),
      };
      next = mine;
      return mine.written;
    },

    remove(keys) {
      const line = `\n${toLine({ removed: keys })}`;
      size += line.length;
      next = undefined;
      return inTurn((to) => to.appendFile(line));
    },

    async clear() {
      if (size === 0) return;
      const before = size;
      size = 0;
      // Later batches are not written together with earlier ones, which are removed.
      next = undefined;
      try {
        await inTurn((to) => to.truncate(0));
        large = MIN_LARGE;
      } catch (error) {
        size += before;
        throw error;
      }
    },

    isLarge: () => size > large,

    async rewrite(batches) {
      const part = `${path}.part`;
      const lines = batches.map(toLine);
      // Until the file is replaced, it has these lines and more. A failed attempt is repeated when it has doubled.
      size = lines.reduce((sum, { length }) => sum + length, 0);
      large = Math.max(MIN_LARGE, 2 * size);
      next = undefined;
      await inTurn(async (old) => {
        const fresh = await open(part, "w", MODE);
        try {
          for (const line of lines) await fresh.appendFile(line);
          await fresh.datasync();
          await rename(part, path);
        } catch (error) {
          await fresh.close().catch(() => {});
          await rm(part, { force: true });
          throw error;
        }
        await fresh.close();
        await old.close();
        file = undefined;
      });
    },

    async close() {
      isClosed = true;
      await last;
      await file?.close().catch(() => {});
    },
  };
}

function toLine(line: Line): string {
  if ("removed" in line) return `${JSON.stringify(line)}\n`;
  const { key, projectID, count, text } = line;
  return `${JSON.stringify({ key, projectID, count, text })}\n`;
}

async function openIn(folder: string, path: string): Promise<FileHandle> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return await open(path, "a", MODE);
  } catch (error) {
    throw new ConfigError([`GATEHOUSE_RELAY_DATA cannot be used: ${(error as Error).message}`]);
  }
}

async function readBatches(path: string): Promise<{ batches: QueuedBatch[]; characters: number }> {
  const batches = new Map<string, QueuedBatch>();
  let characters = 0;
  let rest = "";
  for await (const chunk of createReadStream(path, { encoding: "utf8", highWaterMark: CHUNK_BYTES })) {
    characters += chunk.length;
    const lines = `${rest}${chunk}`.split("\n");
    // A last line without an end was not acknowledged.
    rest = lines.pop() ?? "";
    for (const line of lines) apply(batches, readLine(line));
  }
  return { batches: [...batches.values()], characters };
}

function apply(batches: Map<string, QueuedBatch>, line: Line | undefined): void {
  if (!line) return;
  if ("removed" in line) for (const key of line.removed) batches.delete(key);
  else batches.set(line.key, line);
}

function readLine(line: string): Line | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
