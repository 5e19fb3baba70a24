import { Prisma } from "../../generated/prisma/client.ts";
import type { AuditKey } from "../database/audit-key.ts";
import type { Database } from "../database/database.ts";
import { type Db, reading, writing } from "../database/unit-of-work.ts";
import { beginSealing, lockSeals } from "./seal-periods.ts";

/** Entries per transaction. */
const BATCH_SIZE = 500;

type Dropped = {
  dropped: number;
  /** Whether the audit log is sealed and this server lacks the key, so that it cannot drop entries. */
  isSealedByOthers: boolean;
};

/**
 * Drops entries that are older than a time, ms since the epoch: events, and changes of deleted entities. Changes of existing entities stay,
 * since their versions are read from them. The seals of dropped entries become one for each run of numbers, so that the chain stays
 * complete.
 * @throws WrongAuditKey if the audit log is sealed with another key
 */
export async function dropOldEntries(database: Database, before: number, now: number): Promise<Dropped> {
  const { auditKey } = database.db;
  const projects = await reading(
    database,
    (db) => db.$queryRaw<{ projectID: string }[]>`
    select distinct "projectID" from change where "time" < ${before} order by 1`,
  );
  const [row] = await reading(database, (db) => db.$queryRaw<[{ isSealed: boolean }]>`select exists (select 1 from seal) as "isSealed"`);
  if (row.isSealed && !auditKey) return { dropped: 0, isSealedByOthers: projects.length > 0 };
  let dropped = 0;
  for (const { projectID } of projects) {
    for (let after: number | undefined = 0; after !== undefined; ) {
      const from: number = after;
      const seqs = await writing(database, async (db) => {
        if (auditKey) await lockSeals(db);
        // A replica with an earlier key drops no entries: its proofs would be wrong.
        if (auditKey && row.isSealed) await beginSealing(db, auditKey, now);
        return dropBatch(db, projectID, before, from, auditKey);
      });
      dropped += seqs.length;
      after = seqs.length === BATCH_SIZE ? seqs.at(-1) : undefined;
    }
  }
  return { dropped, isSealedByOthers: false };
}

/** @returns the numbers of the entries that it dropped, ascending */
async function dropBatch(db: Db, projectID: string, before: number, after: number, auditKey: AuditKey | undefined): Promise<number[]> {
  const isSealed = auditKey
    ? Prisma.sql`"seq" <= coalesce((select max("seq") from seal where "projectID" = ${projectID}), 0)`
    : Prisma.sql`true`;
  const rows = await db.$queryRaw<{ seq: bigint }[]>`
    delete from change where "projectID" = ${projectID} and "seq" in (
      select "seq" from change as entry where "projectID" = ${projectID} and "seq" > ${after} and "time" < ${before} and ${isSealed} and (
        "version" = 0 or exists (
          select 1 from change as later where later."projectID" = entry."projectID" and later."entityType" = entry."entityType"
            and later."entityID" = entry."entityID" and later."id" >= entry."id" and later."version" > 0 and later."after" is null
        )
      ) order by "seq" limit ${BATCH_SIZE}
    ) returning "seq"`;
  const seqs = rows.map(({ seq }) => Number(seq)).sort((a, b) => a - b);
  if (auditKey && seqs.length > 0) await joinSeals(db, projectID, groupRuns(seqs), auditKey);
  return seqs;
}

type Run = { from: number; to: number };

/** `[3, 4, 5, 9]` → from 3 to 5, from 9 to 9 */
function groupRuns(ascending: number[]): Run[] {
  const runs: Run[] = [];
  for (const seq of ascending) {
    const last = runs.at(-1);
    if (last && last.to === seq - 1) last.to = seq;
    else runs.push({ from: seq, to: seq });
  }
  return runs;
}

/** Leaves of each run the last seal alone, which says where the run began. A run continues one that ends before it. */
async function joinSeals(db: Db, projectID: string, runs: Run[], auditKey: AuditKey): Promise<void> {
  const ends = runs.flatMap(({ from, to }) => [from - 1, to]);
  const rows = await db.$queryRaw<{ seq: bigint; seal: string; droppedFrom: bigint | null }[]>`
    select "seq", "seal", "droppedFrom" from seal where "projectID" = ${projectID} and "seq" = any(${ends}::bigint[])`;
  const seals = new Map(rows.map(({ seq, ...row }) => [Number(seq), row]));
  const joined: (Run & { proof: string })[] = [];
  for (const { from, to } of runs) {
    const droppedBefore = seals.get(from - 1)?.droppedFrom ?? null;
    const start = droppedBefore === null ? from : Number(droppedBefore);
    joined.push({ from: start, to, proof: auditKey.proveDrop(projectID, start, to, seals.get(to)?.seal ?? "") });
  }
  const [froms, tos] = [joined.map(({ from }) => from), joined.map(({ to }) => to)];
  await db.$executeRaw`
    delete from seal using unnest(${froms}::bigint[], ${tos}::bigint[]) as run("from", "to")
    where "projectID" = ${projectID} and "seq" >= run."from" and "seq" < run."to"`;
  await db.$executeRaw`
    update seal set "droppedFrom" = run."from", "dropProof" = run."proof"
    from unnest(${froms}::bigint[], ${tos}::bigint[], ${joined.map(({ proof }) => proof)}::text[]) as run("from", "to", "proof")
    where "projectID" = ${projectID} and "seq" = run."to"`;
}
