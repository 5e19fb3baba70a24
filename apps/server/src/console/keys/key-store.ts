import { notFound } from "../../errors.ts";
import type { StoreContext } from "../../store/store-context.ts";
import type { Db } from "../../store/unit-of-work.ts";
import type { Key } from "./key.ts";

export function createKeyStore({ db, projectID, log }: StoreContext) {
  const subject = (id: string) => ({ table: "key", key: { projectID, id }, type: "key", id }) as const;
  return {
    /** Oldest first. */
    async list(): Promise<Key[]> {
      const rows = await db.key.findMany({ where: { projectID }, orderBy: [{ createdTime: "asc" }, { id: "asc" }] });
      return rows.map(toKey);
    },

    /** @throws AppError not_found */
    async get(id: string): Promise<Key> {
      const row = await db.key.findUnique({ where: { projectID_id: { projectID, id } } });
      if (!row) throw notFound("Key", id);
      return toKey(row);
    },

    async create(key: Key): Promise<void> {
      await log.create(subject(key.id), withoutHash(key), toColumns(key));
    },

    async replace(before: Key, after: Key): Promise<void> {
      await log.replace(subject(before.id), withoutHash(before), withoutHash(after), toColumns(after));
    },
  };
}

/** The active key with this hash, of whichever project. */
export async function findActiveKey(db: Db, hash: string): Promise<Key | undefined> {
  const row = await db.key.findUnique({ where: { hash } });
  return row && row.revokedTime === null ? toKey(row) : undefined;
}

/** The change log shows that a key was made or revoked, and nothing that would help to guess it. */
function withoutHash({ hash: _, ...key }: Key): Omit<Key, "hash"> {
  return key;
}

type KeyRow = Omit<Key, "createdTime" | "revokedTime"> & { createdTime: bigint; revokedTime: bigint | null };

function toKey(row: KeyRow): Key {
  return { ...row, createdTime: Number(row.createdTime), revokedTime: row.revokedTime === null ? null : Number(row.revokedTime) };
}

function toColumns({ projectID: _, id: __, ...columns }: Key) {
  return columns;
}
