import type { Db } from "../database/unit-of-work.ts";

/** A row of the change log without its texts. */
export type FeedItem = {
  seq: number;
  /** Milliseconds since the epoch. */
  time: number;
  entityType: string;
  entityID: string;
  /** 0 for what is not a change of an entity. */
  version: number;
  operationID: string;
};

/** The first of the project's changes after a number, in the order of commits. Numbers have no gaps, so none can appear later. */
export async function readFeed(db: Db, projectID: string, after: number, limit: number): Promise<FeedItem[]> {
  const rows = await db.$queryRaw<(Omit<FeedItem, "seq" | "time"> & { seq: bigint; time: bigint })[]>`
    select "seq", "time", "entityType", "entityID", "version", "operationID" from change
    where "projectID" = ${projectID} and "seq" > ${after}::bigint order by "seq" limit ${limit}`;
  return rows.map((row) => ({ ...row, seq: Number(row.seq), time: Number(row.time) }));
}

/** The number of the project's last change. */
export async function readLastSeq(db: Db, projectID: string): Promise<number> {
  const [row] = await db.$queryRaw<{ lastSeq: bigint }[]>`select "lastSeq" from project where "id" = ${projectID}`;
  return Number(row?.lastSeq ?? 0);
}
