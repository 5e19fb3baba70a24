import type { Schema } from "@gatehouse/contract/evaluation";
import { applyLines, type IDListFile, type IDListFiles } from "../evaluation/sdk/id-list-file.ts";
import { originAway, type Upstream } from "./upstream.ts";

/** The file of an id list in memory. It only grows. */
type HeldList = IDListFile & { pieces: Buffer[]; hashes: Set<string> };

/** The files of the id lists that rulesets of a relay use. */
export type HeldIDLists = IDListFiles & {
  /**
   * Downloads the lists of a received ruleset, or what was added to them, and keeps those of all rulesets in use, which `inUse` returns when
   * the download begins.
   * @throws AppError unavailable, also if the origin does not name one of the received ruleset; RejectedRequest
   */
  update(received: readonly string[], inUse: () => ReadonlySet<string>): Promise<void>;
  /** The hashes of each list that is there. The sets grow with their files. */
  hashes(names: readonly string[]): Record<string, Set<string>>;
  /** The lists. `read` returns one as it is stored, and `mark` differs if that differs. */
  stored(): { name: string; mark: string; read(): StoredList }[];
  restore(lists: StoredList[]): void;
};

export type StoredList = IDListFile & { lines: string };

export function createIDLists(upstream: Upstream): HeldIDLists {
  /** By name, in the order of the origin. */
  let lists = new Map<string, HeldList>();

  /** The last update. One runs at a time. */
  let updating: Promise<void> = Promise.resolve();

  async function read({ name, fileID, size, creationTime, url }: Schema<"IDListFile">): Promise<HeldList> {
    const held = lists.get(name);
    const list: HeldList = held?.fileID === fileID ? held : { name, fileID, size: 0, creationTime, pieces: [], hashes: new Set() };
    if (list.size >= size) return list;
    const { pathname, search } = new URL(url);
    const piece = await upstream.download(pathname + search, { Range: `bytes=${list.size}-${size - 1}` });
    applyLines(list.hashes, piece.toString("latin1"));
    list.pieces.push(piece);
    list.size += piece.length;
    return list;
  }

  async function readAll(received: readonly string[], names: ReadonlySet<string>): Promise<void> {
    const files: Schema<"IDLists"> = JSON.parse(await upstream.post("/v1/get_id_lists", {}));
    const next = new Map<string, HeldList>();
    for (const file of Object.values(files)) if (names.has(file.name)) next.set(file.name, await read(file));
    // A replica of the origin that is behind does not name the newest lists.
    for (const [name, list] of lists) if (names.has(name) && !next.has(name)) next.set(name, list);
    lists = next;
    const missing = received.find((name) => !next.has(name));
    if (missing !== undefined) throw originAway(new Error(`The origin does not name the ID list ${missing} yet.`));
  }

  return {
    update(received, inUse) {
      if (received.length === 0) return Promise.resolve();
      const updated = updating.then(() => readAll(received, inUse()));
      updating = updated.catch(() => {});
      return updated;
    },

    hashes: (names) =>
      Object.fromEntries(names.flatMap((name) => (lists.has(name) ? [[name, lists.get(name)?.hashes as Set<string>]] : []))),

    async files(names) {
      const wanted = [...lists.values()].filter(({ name }) => names.includes(name));
      return wanted.map(({ name, fileID, size, creationTime }) => ({ name, fileID, size, creationTime }));
    },

    async readFile(name, from, to) {
      const list = lists.get(name);
      if (!list) return Buffer.alloc(0);
      if (list.pieces.length > 1) list.pieces.splice(0, list.pieces.length, Buffer.concat(list.pieces));
      return (list.pieces[0] ?? Buffer.alloc(0)).subarray(from, to);
    },

    stored: () =>
      Array.from(lists.values(), (list) => {
        const { name, fileID, creationTime, pieces } = list;
        const read = () => ({ name, fileID, size: list.size, creationTime, lines: Buffer.concat(pieces).toString("latin1") });
        return { name, mark: `${fileID} ${list.size}`, read };
      }),

    restore(given) {
      for (const { lines, ...file } of given) {
        const hashes = new Set<string>();
        applyLines(hashes, lines);
        lists.set(file.name, { ...file, hashes, pieces: [Buffer.from(lines, "latin1")] });
      }
    },
  };
}
