import { Prisma } from "../../generated/prisma/client.ts";
import type { Db } from "../database/unit-of-work.ts";
import type { NewEntry } from "./entry.ts";

/** An entry of the change log as the database has it. */
export type StoredEntry = NewEntry & {
  /** Digits. */
  id: string;
  /** Its number in its project. */
  seq: number;
  signature: string | null;
};

/** Entries are read until their texts have this many bytes together, and at least one. An entity's text has at most 1 MiB or so. */
const MAX_BYTES = 4 * 1024 * 1024;

/** The first of the project's entries with these numbers, ascending or descending: as many as may be in memory together. */
export async function readEntries(db: Db, projectID: string, seqs: number[], order: "asc" | "desc" = "asc"): Promise<StoredEntry[]> {
  const direction = Prisma.raw(order);
  const rows = await db.$queryRaw<(Omit<StoredEntry, "seq" | "time"> & { seq: bigint; time: bigint })[]>`
    select "projectID", "id"::text, "seq", "time", "actorID", "actorName", "actorEmail", "operationID", "entityType", "entityID", "version",
           "reason", "before", "after", "altersLists", "movesRuleset", "address", "userAgent", "requestID", "signature"
    from (
      select *, sum("size") over (order by "seq" ${direction} rows between unbounded preceding and 1 preceding) as "sizeBefore" from (
        select *, coalesce(octet_length("before"), 0) + coalesce(octet_length("after"), 0) as "size"
        from change where "projectID" = ${projectID} and "seq" = any(${seqs}::bigint[])
      ) as sized
    ) as entry
    where coalesce("sizeBefore", 0) < ${MAX_BYTES} order by "seq" ${direction}`;
  return rows.map((row) => ({ ...row, seq: Number(row.seq), time: Number(row.time) }));
}

/** All of the project's entries with these numbers, a part at a time. Numbers without an entry are skipped. */
export async function* readEntriesInParts(
  seqs: number[],
  read: (seqs: number[]) => Promise<StoredEntry[]>,
): AsyncGenerator<StoredEntry[], void, undefined> {
  let rest = seqs;
  while (rest.length > 0) {
    const entries = await read(rest);
    const last = entries.at(-1);
    if (!last) return;
    yield entries;
    rest = rest.slice(rest.indexOf(last.seq) + 1);
  }
}
