import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";

/** A part of a relay's state, which has a file of its own. */
export type StatePart = {
  /** The name of its file. */
  name: string;
  /** Differs if the content differs. Only changed parts are written. */
  mark: string;
  content(): object;
};

/** The mark of a part, and the size of its file. */
type Sized = { mark: string; bytes: number };

/** The folder in which a relay keeps its state. */
export type RelayFolder = {
  /**
   * The contents of the files by name. Files of another origin, another key of the relay or another version are left out, and so are those
   * that cannot be read, with a warning.
   */
  read(): Promise<Map<string, unknown>>;
  /** Writes the parts that changed soon. Changes that follow shortly are written once. */
  note(): void;
  /** Writes the parts that changed. */
  close(): Promise<void>;
};

const FILE = /^(keys|list|ruleset)-[0-9a-f]+\.json$/;
/** Files that are half written, and the single file of an earlier format. */
const STRAY = /\.json\.\d+$|^state\.json$/;
const DELAY_MS = 1_000;
/** Limits of the state on disk. Parts beyond them are not stored. */
const MAX_STATE = { files: 10_000, bytes: 2 ** 30 };

/**
 * `owner` identifies the relay's origin, its key, and its version, since each version may write another format. `current` returns the
 * parts, the most important first; for the last time when the relay closes.
 */
type Options = { path: string; owner: string; current: (isLast: boolean) => StatePart[]; log: Logger; limits?: typeof MAX_STATE };

/** The files have hashes of keys, and whole rulesets: only the owner may read them. Each is replaced by a rename, so it is never half written. */
export async function openRelayFolder({ path, owner, current, log, limits = MAX_STATE }: Options): Promise<RelayFolder> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  for (const name of await readdir(path)) if (STRAY.test(name)) await rm(join(path, name));
  /** The mark and the size of each file as this process wrote it. */
  const written = new Map<string, Sized>();
  /** The parts that did not fit, so that they are only serialized again once they do, or changed. */
  let refused = new Map<string, Sized>();
  let writing: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let isFull = false;

  async function write(isLast: boolean): Promise<void> {
    const parts = current(isLast);
    // A relay that never reached its origin leaves the state of an earlier one, which may be started again.
    if (parts.length === 0) return;
    const kept = new Set<string>();
    let bytes = 0;
    let left = 0;
    const refusedNow = new Map<string, Sized>();
    for (const part of parts) {
      const { name, mark } = part;
      const known = [written.get(name), refused.get(name)].find((one) => one?.mark === mark);
      if (kept.size >= limits.files || bytes + (known?.bytes ?? 0) > limits.bytes) {
        if (known) refusedNow.set(name, known);
        left++;
        continue;
      }
      let size = known?.bytes ?? 0;
      if (known === undefined || known !== written.get(name)) {
        const text = JSON.stringify({ owner, content: part.content() });
        size = Buffer.byteLength(text);
        if (bytes + size > limits.bytes) {
          refusedNow.set(name, { mark, bytes: size });
          left++;
          continue;
        }
        await replace(part, text, size);
      }
      kept.add(name);
      bytes += size;
    }
    refused = refusedNow;
    for (const name of await readdir(path)) if (FILE.test(name) && !kept.has(name)) await remove(name);
    if (left > 0 && !isFull)
      log.warn({ left, limits }, "The state of the relay exceeds its limit. The rest is not stored in GATEHOUSE_RELAY_DATA.");
    isFull = left > 0;
  }

  async function replace({ name, mark }: StatePart, text: string, bytes: number): Promise<void> {
    const part = join(path, `${name}.${process.pid}`);
    await writeFile(part, text, { mode: 0o600, flush: true });
    await rename(part, join(path, name));
    written.set(name, { mark, bytes });
  }

  async function remove(name: string): Promise<void> {
    written.delete(name);
    await rm(join(path, name), { force: true });
  }

  function writeNow(isLast: boolean): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing = writing
      .then(() => write(isLast))
      .catch((err: unknown) => log.error({ err }, "The state of the relay could not be written to GATEHOUSE_RELAY_DATA."));
    return writing;
  }

  async function readAll(): Promise<Map<string, unknown>> {
    const names = (await readdir(path)).filter((name) => FILE.test(name)).slice(0, limits.files);
    const found = new Map<string, unknown>();
    let bytes = 0;
    for (const name of names) {
      try {
        bytes += (await stat(join(path, name))).size;
        if (bytes > limits.bytes) {
          log.warn({ limits }, "The files in GATEHOUSE_RELAY_DATA exceed their limit. The rest is ignored, and the relay asks its origin.");
          break;
        }
        const { owner: of, content } = JSON.parse(await readFile(join(path, name), "utf8")) as { owner?: string; content: unknown };
        if (of === owner) found.set(name, content);
      } catch (err) {
        log.warn({ err, file: name }, "A file in GATEHOUSE_RELAY_DATA cannot be read and is ignored. The relay asks its origin.");
      }
    }
    return found;
  }

  return {
    read: readAll,
    note() {
      timer ??= setTimeout(() => void writeNow(false), DELAY_MS);
    },
    close: () => writeNow(true),
  };
}
