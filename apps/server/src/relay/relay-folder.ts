import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import type { StoredList } from "./id-lists.ts";
import type { KnownKey } from "./relay-keys.ts";
import type { StoredRuleset } from "./relay-rulesets.ts";

/** Everything that a relay needs to serve applications without its origin. */
type RelayState = { keys: KnownKey[]; rulesets: StoredRuleset[]; lists: StoredList[] };

/** The folder in which a relay keeps its state. */
export type RelayFolder = {
  /** Undefined if there is no state, or it was written for another origin, for another key of the relay or by another version. */
  read(): Promise<RelayState | undefined>;
  /** Writes the state soon. States that follow shortly are written once. */
  note(): void;
  /** Writes the state, with the times of the last look-ups, if there is any. */
  close(): Promise<void>;
};

const FILE = "state.json";
const DELAY_MS = 1_000;

/** `owner` identifies the relay's origin, its key, and its version, since each version may write another format. */
type Options = { path: string; owner: string; current: () => RelayState; log: Logger };

/** The file has hashes of keys, and whole rulesets: only the owner may read it. It is replaced by a rename, so it is never half written. */
export async function openRelayFolder({ path, owner, current, log }: Options): Promise<RelayFolder> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  for (const name of await readdir(path)) if (name.startsWith(`${FILE}.`)) await rm(join(path, name));
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    const part = join(path, `${FILE}.${process.pid}`);
    await writeFile(part, JSON.stringify({ owner, ...current() }), { mode: 0o600, flush: true });
    await rename(part, join(path, FILE));
  }

  function writeNow(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing = writing
      .then(write)
      .catch((err: unknown) => log.error({ err }, "The state of the relay could not be written to GATEHOUSE_RELAY_DATA."));
    return writing;
  }

  return {
    async read() {
      const text = await readFile(join(path, FILE), "utf8").catch((error: NodeJS.ErrnoException) => {
        if (error.code !== "ENOENT") throw error;
        return "{}";
      });
      const { owner: of, ...state } = JSON.parse(text) as RelayState & { owner?: string };
      return of === owner ? state : undefined;
    },
    note() {
      timer ??= setTimeout(() => void writeNow(), DELAY_MS);
    },
    async close() {
      const { keys, rulesets } = current();
      if (timer || keys.length > 0 || rulesets.length > 0) await writeNow();
      await writing;
    },
  };
}
