import { Prisma } from "../../generated/prisma/client.ts";
import type { AuditKey, Link, SealKind } from "../database/audit-key.ts";
import type { Database } from "../database/database.ts";
import { tryLock } from "../database/locks.ts";
import { type Db, reading, writing } from "../database/unit-of-work.ts";
import { readEntries } from "./read-entries.ts";
import { beginSealing, lockSeals, SEALS } from "./seal-periods.ts";

/** Entries per transaction. */
const BATCH_SIZE = 1_000;
/** The last seal of a project, and the number of its last entry. */
type End = { projectID: string; lastSeq: number; seq: number; seal: string };

type NewSeal = { seq: number; kind: SealKind; signature: string; seal: string };

/**
 * Seals the entries of all projects that are committed and not sealed yet, in the order of their numbers. Without `wait`, it returns at once
 * if another replica does.
 * @throws WrongAuditKey
 */
export async function sealAll(database: Database, auditKey: AuditKey, now: number, { wait = false } = {}): Promise<void> {
  for (const { projectID, lastSeq } of await reading(database, listUnsealed)) {
    for (let sealed = 0; sealed < lastSeq; ) {
      const upTo = await writing(database, async (db) => {
        if (wait) await lockSeals(db);
        else if (!(await tryLock(db, SEALS))) return undefined;
        const { adoptsUntil } = await beginSealing(db, auditKey, now);
        return sealNext(db, auditKey, projectID, now <= adoptsUntil ? "before" : "unsigned");
      });
      if (upTo === undefined || upTo === sealed) return;
      sealed = upTo;
    }
  }
}

/** The projects with entries that are not sealed, and the numbers of their last entries. */
async function listUnsealed(db: Db): Promise<{ projectID: string; lastSeq: number }[]> {
  const rows = await db.$queryRaw<{ projectID: string; lastSeq: bigint }[]>`
    select "id" as "projectID", "lastSeq" from project
    where "lastSeq" > coalesce((select max("seq") from seal where seal."projectID" = project."id"), 0)`;
  return rows.map(({ projectID, lastSeq }) => ({ projectID, lastSeq: Number(lastSeq) }));
}

/** Seals a batch of a project's entries. `unsignedKind` is the kind of unsigned entries. @returns the number of the last sealed one */
async function sealNext(db: Db, auditKey: AuditKey, projectID: string, unsignedKind: SealKind): Promise<number> {
  const end = await readEnd(db, projectID);
  const last = Math.min(end.lastSeq, end.seq + BATCH_SIZE);
  const rows = await db.$queryRaw<{ seq: bigint; id: string; signature: string | null }[]>`
    select "seq", "id"::text, "signature" from change
    where "projectID" = ${projectID} and "seq" > ${end.seq} and "seq" <= ${last} order by "seq"`;
  const entries = new Map(rows.map(({ seq, ...entry }) => [Number(seq), entry]));
  const unsigned = rows.filter(({ signature }) => signature === null).map(({ seq }) => Number(seq));
  const read = unsigned.length === 0 ? [] : await readEntries(db, projectID, unsigned);
  const computed = new Map(read.map((entry) => [entry.seq, auditKey.sign(entry)]));

  const seals: NewSeal[] = [];
  let previous = end.seal;
  for (let seq = end.seq + 1; seq <= last; seq++) {
    const entry = entries.get(seq);
    const signature = entry ? (entry.signature ?? computed.get(seq)) : "";
    // Entries without a signature are read as a whole, as many as may be in memory together. The next batch has the rest.
    if (signature === undefined) break;
    const kind = entry ? (entry.signature === null ? unsignedKind : "signed") : "missing";
    const link: Link = { projectID, seq, kind, id: entry?.id ?? null, signature, previous };
    previous = auditKey.seal(link);
    seals.push({ seq, kind, signature, seal: previous });
  }
  if (seals.length === 0) return end.seq;
  await db.$executeRaw`
    insert into seal ("projectID", "seq", "kind", "signature", "seal")
    select ${projectID}, * from unnest(${column(seals, "seq")}::bigint[], ${column(seals, "kind")}::text[],
      ${column(seals, "signature")}::text[], ${column(seals, "seal")}::text[])`;
  return end.seq + seals.length;
}

function column<Name extends keyof NewSeal>(seals: NewSeal[], name: Name): NewSeal[Name][] {
  return seals.map((one) => one[name]);
}

async function readEnd(db: Db, projectID: string): Promise<End> {
  const [row] = await db.$queryRaw<{ lastSeq: bigint; seq: bigint | null; seal: string | null }[]>`
    select "lastSeq", last."seq", last."seal" from project left join lateral (
      select "seq", "seal" from seal where seal."projectID" = project."id" order by "seq" desc limit 1
    ) as last on true where "id" = ${projectID}`;
  return { projectID, lastSeq: Number(row?.lastSeq ?? 0), seq: Number(row?.seq ?? 0), seal: row?.seal ?? "" };
}

/** The last seal of each project, as `audit head` prints it. */
export async function readHeads(db: Db): Promise<{ projectID: string; seq: number; seal: string }[]> {
  const rows = await db.$queryRaw<{ projectID: string; seq: bigint; seal: string }[]>(Prisma.sql`
    select distinct on ("projectID") "projectID", "seq", "seal" from seal order by "projectID", "seq" desc`);
  return rows.map((row) => ({ ...row, seq: Number(row.seq) }));
}
