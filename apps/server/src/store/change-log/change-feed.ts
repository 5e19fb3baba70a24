import { DATABASE_TIME } from "../database/restores.ts";
import type { Db } from "../database/unit-of-work.ts";

/** A row of the change log without its texts. */
export type FeedItem = {
  seq: number;
  /** Milliseconds since the epoch. */
  time: number;
  entityType: string;
  entityID: string;
  /** 0 for entries that are not changes of an entity. */
  version: number;
  operationID: string;
};

/** The end of a project's changes. */
export type FeedEnd = {
  seq: number;
  /** Later after each restore of the database, which uses numbers again. */
  restoredTime: number;
  /** Whether the last restore was within a day, so that a number from before it may still be in use. */
  isRestored: boolean;
};

/** The time within which readers may return with a number from before a restore, ms. */
const RETURN_MS = 86_400_000;

/** The first of the project's changes after a number, in the order of commits. Numbers have no gaps, so none can appear later. */
export async function readFeed(db: Db, projectID: string, after: number, limit: number): Promise<FeedItem[]> {
  const rows = await db.$queryRaw<(Omit<FeedItem, "seq" | "time"> & { seq: bigint; time: bigint })[]>`
    select "seq", "time", "entityType", "entityID", "version", "operationID" from change
    where "projectID" = ${projectID} and "seq" > ${after}::bigint order by "seq" limit ${limit}`;
  return rows.map((row) => ({ ...row, seq: Number(row.seq), time: Number(row.time) }));
}

/** Reads the end of the project's changes. */
export async function readFeedEnd(db: Db, projectID: string): Promise<FeedEnd> {
  const [row] = await db.$queryRaw<{ lastSeq: bigint; restoredTime: bigint; isRestored: boolean }[]>`
    select "lastSeq", "restoredTime", "restoredTime" > ${DATABASE_TIME} - ${RETURN_MS}::bigint as "isRestored"
    from project where "id" = ${projectID}`;
  return { seq: Number(row?.lastSeq ?? 0), restoredTime: Number(row?.restoredTime ?? 0), isRestored: row?.isRestored ?? false };
}
