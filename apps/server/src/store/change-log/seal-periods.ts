import type { AuditKey } from "../database/audit-key.ts";
import { lock } from "../database/locks.ts";
import type { Db } from "../database/unit-of-work.ts";

/**
 * A replica that has not been restarted may write entries with the previous key within this time after a key began to seal. If it is the
 * first key, these entries have no signature.
 */
const ADOPTION_MS = 60 * 60 * 1000;
/** The lock that is held while entries are sealed. */
export const SEALS = "seals of the trail";

/** The audit log was sealed with another key, or its records of that were changed. */
export class WrongAuditKey extends Error {}

/** The period of one sealing key. */
type StoredPeriod = {
  id: number;
  /** Ms since the epoch. */
  since: number;
  /** By the key. */
  proof: string;
};

/** A period with its key. */
export type Period = { key: AuditKey; since: number };

/** Locks the seals of all projects until the transaction ends. */
export async function lockSeals(db: Db): Promise<void> {
  await lock(db, SEALS);
}

/** The periods, the first one first. Empty before the first seal. */
export async function readPeriods(db: Db): Promise<StoredPeriod[]> {
  const rows = await db.$queryRaw<{ id: number; since: bigint; proof: string }[]>`select "id", "since", "proof" from sealing order by "id"`;
  return rows.map((row) => ({ ...row, since: Number(row.since) }));
}

/** @throws WrongAuditKey if the last period's key is neither this one nor one before it */
export function requireKnownKey(auditKey: AuditKey, periods: StoredPeriod[]): void {
  const last = periods.at(-1);
  if (last && !findKey(auditKey, last))
    throw new WrongAuditKey("The audit log was sealed with another GATEHOUSE_AUDIT_KEY, or its row of the table sealing was changed.");
}

/**
 * Begins a period of this key, unless it is the last one's already. The seals are locked.
 * @returns until when entries without a signature count as older than the first key, ms since the epoch
 * @throws WrongAuditKey
 */
export async function beginSealing(db: Db, auditKey: AuditKey, now: number): Promise<{ adoptsUntil: number }> {
  const periods = await readPeriods(db);
  requireKnownKey(auditKey, periods);
  const last = periods.at(-1);
  if (!last) {
    const sealed = await db.$queryRaw`select 1 from seal limit 1`;
    if (sealed.length > 0)
      throw new WrongAuditKey("The record of when the audit log was first sealed is missing (the row of the table sealing).");
  }
  if (!last || !isOf(auditKey, last)) {
    if (last) await proveDropsAgain(db, findKey(auditKey, last) as AuditKey, auditKey);
    await db.$executeRaw`insert into sealing ("id", "since", "proof") values (${(last?.id ?? 0) + 1}, ${now}, ${auditKey.proveStart(now)})`;
    return { adoptsUntil: last ? 0 : now + ADOPTION_MS };
  }
  return { adoptsUntil: periods.length === 1 ? last.since + ADOPTION_MS : 0 };
}

/** The periods with their keys. @throws WrongAuditKey if the key of one is not given */
export function periodsWithKeys(auditKey: AuditKey, periods: StoredPeriod[]): Period[] {
  return periods.map((period) => {
    const key = findKey(auditKey, period);
    if (key) return { key, since: period.since };
    const since = new Date(period.since).toISOString();
    throw new WrongAuditKey(
      `The key that sealed the audit log from ${since} on is not given. Add it to GATEHOUSE_PREVIOUS_AUDIT_KEYS, or the table sealing was changed.`,
    );
  });
}

/**
 * The keys that may have signed an entry sealed in a period: its own, later ones (a restarted replica had them first), and shortly after it
 * began the previous one.
 */
export function signersIn(periods: readonly Period[], index: number, time: number): AuditKey[] {
  const own = periods[index];
  const earliest = own && time <= own.since + ADOPTION_MS ? index - 1 : index;
  return periods.slice(Math.max(0, earliest)).map(({ key }) => key);
}

function findKey(auditKey: AuditKey, period: StoredPeriod): AuditKey | undefined {
  return [auditKey, ...auditKey.previous].find((key) => isOf(key, period));
}

function isOf(key: AuditKey, { since, proof }: StoredPeriod): boolean {
  return key.proveStart(since) === proof;
}

/** Proofs of dropped entries are always of the last key, so that earlier keys prove nothing. Wrong proofs stay as they are. */
async function proveDropsAgain(db: Db, before: AuditKey, after: AuditKey): Promise<void> {
  const rows = await db.$queryRaw<{ projectID: string; seq: bigint; seal: string; from: bigint; proof: string }[]>`
    select "projectID", "seq", "seal", "droppedFrom" as "from", "dropProof" as "proof" from seal where "droppedFrom" is not null`;
  const proven = rows.flatMap(({ projectID, seq, seal, from, proof }) => {
    const run = [projectID, Number(from), Number(seq), seal] as const;
    return before.proveDrop(...run) === proof ? [{ projectID, seq, proof: after.proveDrop(...run) }] : [];
  });
  await db.$executeRaw`
    update seal set "dropProof" = given."proof"
    from unnest(${proven.map(({ projectID }) => projectID)}::text[], ${proven.map(({ seq }) => seq)}::bigint[],
      ${proven.map(({ proof }) => proof)}::text[]) as given("projectID", "seq", "proof")
    where seal."projectID" = given."projectID" and seal."seq" = given."seq"`;
}
