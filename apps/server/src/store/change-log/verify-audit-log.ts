import type { AuditKey, SealKind } from "../database/audit-key.ts";
import type { Db } from "../database/unit-of-work.ts";
import { readEntries, readEntriesInParts, type StoredEntry } from "./read-entries.ts";
import { type Period, signersIn } from "./seal-periods.ts";

/** An entry that a server did not write in this form, or the last entry of an entity that differs from it. `seq` is 0 without an entry. */
export type Finding = { projectID: string; seq: number; fault: "altered" | "removed" | "added"; detail: string };

/** The output of `audit head`: the seal that an entry had. */
export type Anchor = { projectID: string; seq: number; seal: string };

type SealRow = {
  seq: number;
  kind: SealKind;
  signature: string;
  seal: string;
  droppedFrom: number | null;
  dropProof: string | null;
};

/** The counts of a project's check. */
export type Counts = { checked: number; dropped: number; before: number };

/** Seals per query. */
const BATCH_SIZE = 500;

/**
 * Compares every entry of a project with its seal. All entries must be sealed. Uses a bounded amount of memory.
 * @param periods the keys in the order of their periods: after a key's first seal, earlier keys no longer count
 * @param counts receives the checked entries
 */
export async function* verifyProject(
  db: Db,
  periods: readonly Period[],
  projectID: string,
  counts: Counts,
  anchors: Anchor[] = [],
): AsyncGenerator<Finding, void, undefined> {
  const found = (seq: number, fault: Finding["fault"], detail: string): Finding => ({ projectID, seq, fault, detail });
  /** The seal before, as it is stored, and as it should be. */
  let previous = { stored: "", expected: "" };
  let expected = 1;
  let current = 0;
  /** The latest time of an entry so far. An entry with an earlier time is taken for as late. */
  let latest = 0;
  const lastKey = periods.at(-1)?.key;
  const left = new Map(anchors.map((anchor) => [anchor.seq, anchor]));
  for (;;) {
    const seals = await readSeals(db, projectID, expected);
    const last = seals.at(-1);
    if (!last) break;
    const entries = await readRange(db, periods, projectID, expected, last.seq);
    for (const row of seals) {
      const { seq, kind, signature, seal } = row;
      const from = row.droppedFrom ?? seq;
      for (; expected < from; expected++) {
        yield found(expected, entries.has(expected) ? "added" : "removed", "it has no seal");
      }
      const entry = entries.get(seq);
      latest = Math.max(latest, entry?.time ?? 0);
      const anchor = left.get(seq);
      left.delete(seq);
      if (anchor && anchor.seal !== seal) yield found(seq, "altered", "its seal is not that of the anchor");
      for (const between of left.keys()) if (between >= from && between < seq) left.delete(between);
      expected = seq + 1;
      if (row.droppedFrom !== null) {
        counts.dropped += seq - from + 1;
        if (lastKey?.proveDrop(projectID, from, seq, seal) !== row.dropProof) {
          yield found(from, "removed", `retention did not drop the entries ${from} to ${seq}`);
        }
        for (let dropped = from; dropped <= seq; dropped++) {
          if (entries.has(dropped)) yield found(dropped, "added", "retention had dropped the entry of this number");
        }
        previous = { stored: seal, expected: seal };
        continue;
      }
      counts.checked += 1;
      const link = { projectID, seq, kind, id: entry?.id ?? null, signature };
      const sealWith = ({ key }: Period) => [previous.expected, previous.stored].map((before) => key.seal({ ...link, previous: before }));
      const match = periods.findIndex((period, index) => index >= current && sealWith(period).includes(seal));
      const isSealed = match >= 0;
      if (isSealed) current = match;
      previous = { stored: seal, expected: sealWith(periods[current] as Period)[0] ?? "" };
      if (kind === "missing") yield found(seq, entry ? "added" : "removed", "it was missing when it was to be sealed");
      else if (!entry) yield found(seq, "removed", "it has a seal");
      else if (!entry.isSignedBy(signersIn(periods, current, latest), signature)) yield found(seq, "altered", describe(entry));
      else if (!isSealed) yield found(seq, "altered", `its number, its id or its seal: ${describe(entry)}`);
      else if (kind === "unsigned") yield found(seq, "added", `no server with this key wrote it: ${describe(entry)}`);
      else if (kind === "before") counts.before += 1;
    }
  }
  for (const { seq } of left.values()) yield found(seq, "removed", `the anchor has it, and the audit log ends at ${expected - 1}`);
  yield* outsideTheChain(db, projectID, found);
  yield* copies(db, projectID, found);
}

/** Entries without a number, or with one that the project has not given. */
async function* outsideTheChain(db: Db, projectID: string, found: (seq: number, fault: "added", detail: string) => Finding) {
  const rows = await db.$queryRaw<{ seq: bigint | null; id: string }[]>`
    select "seq", "id"::text from change where "projectID" = ${projectID} and (
      "seq" is null or "seq" < 1 or "seq" > (select "lastSeq" from project where project."id" = ${projectID})
    ) order by "id" limit ${BATCH_SIZE}`;
  for (const { seq, id } of rows) yield found(Number(seq ?? 0), "added", `the row with the id ${id} has no number that the project gave`);
}

/** Entries that are copies of others, signature and all. */
async function* copies(db: Db, projectID: string, found: (seq: number, fault: "added", detail: string) => Finding) {
  const rows = await db.$queryRaw<{ seq: bigint; first: bigint }[]>`
    select "seq", "first" from (
      select "seq", min("seq") over (partition by "signature") as "first" from seal
      where "projectID" = ${projectID} and "kind" <> 'missing' and "droppedFrom" is null
    ) as numbered where "seq" <> "first" order by "seq" limit ${BATCH_SIZE}`;
  for (const { seq, first } of rows) yield found(Number(seq), "added", `it is a copy of the entry ${first}`);
}

function describe({ operationID, entityType, entityID }: Pick<StoredEntry, "operationID" | "entityType" | "entityID">): string {
  return `${operationID} of ${entityType} ${entityID}`;
}

async function readSeals(db: Db, projectID: string, from: number): Promise<SealRow[]> {
  type Raw = Omit<SealRow, "seq" | "droppedFrom"> & { seq: bigint; droppedFrom: bigint | null };
  const rows = await db.$queryRaw<Raw[]>`
    select "seq", "kind", "signature", "seal", "droppedFrom", "dropProof" from seal
    where "projectID" = ${projectID} and "seq" >= ${from} order by "seq" limit ${BATCH_SIZE}`;
  return rows.map((row) => ({ ...row, seq: Number(row.seq), droppedFrom: row.droppedFrom === null ? null : Number(row.droppedFrom) }));
}

type Checked = Pick<StoredEntry, "id" | "time" | "operationID" | "entityType" | "entityID"> & {
  isSignedBy(keys: AuditKey[], signature: string): boolean;
};

/** The entries from one number to another, with their signatures and without their texts. */
async function readRange(db: Db, periods: readonly Period[], projectID: string, from: number, to: number): Promise<Map<number, Checked>> {
  const rows = await db.$queryRaw<{ seq: bigint }[]>`
    select "seq" from change where "projectID" = ${projectID} and "seq" >= ${from} and "seq" <= ${to} order by "seq"`;
  const entries = new Map<number, Checked>();
  const keys = new Set(periods.map(({ key }) => key));
  const seqs = rows.map(({ seq }) => Number(seq));
  for await (const part of readEntriesInParts(seqs, (rest) => readEntries(db, projectID, rest))) {
    for (const entry of part) {
      const { id, time, operationID, entityType, entityID } = entry;
      const computed = new Map([...keys].map((key) => [key, key.sign(entry)]));
      const isSignedBy: Checked["isSignedBy"] = (signers, signature) => signers.some((key) => computed.get(key) === signature);
      entries.set(entry.seq, { id, time, operationID, entityType, entityID, isSignedBy });
    }
  }
  return entries;
}
