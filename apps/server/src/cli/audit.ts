import { kinds } from "../console/kinds.ts";
import { beginSealing, lockSeals, periodsWithKeys, readPeriods } from "../store/change-log/seal-periods.ts";
import { readHeads, sealAll } from "../store/change-log/sealing.ts";
import { type Anchor, type Counts, type Finding, verifyProject } from "../store/change-log/verify-audit-log.ts";
import { verifyEntities } from "../store/change-log/verify-entities.ts";
import type { AuditKey } from "../store/database/audit-key.ts";
import type { Database } from "../store/database/database.ts";
import { reading, writing } from "../store/database/unit-of-work.ts";

/** The command needs GATEHOUSE_AUDIT_KEY, or an anchor is not one. */
export class AuditError extends Error {}

const NO_KEY = "GATEHOUSE_AUDIT_KEY is not set. Without the key that sealed the audit log, nothing can be verified.";

/** @throws AuditError */
export function readAnchor(text: string): Anchor {
  const [, projectID, seq, seal] = /^(\S+) ([1-9]\d{0,14}) ([\w-]{43})$/.exec(text.trim()) ?? [];
  if (projectID === undefined || seal === undefined)
    throw new AuditError("An anchor is a line that audit head printed: PROJECT NUMBER SEAL.");
  return { projectID, seq: Number(seq), seal };
}

/** Seals unsealed entries. @returns the last seal of each project */
export async function auditHeads(database: Database, now = Date.now()): Promise<Anchor[]> {
  await sealPending(database, now);
  return reading(database, readHeads);
}

/**
 * Seals unsealed entries, and compares every entry with its seal, and every entity with its last entry.
 * @param onFinding called with each entry or entity that differs from what servers wrote
 * @returns the checked entries, by project
 * @throws AuditError, WrongAuditKey
 */
export async function verifyAuditLog(
  database: Database,
  anchors: Anchor[],
  onFinding: (finding: Finding) => void,
  now = Date.now(),
): Promise<Map<string, Counts>> {
  const auditKey = await sealPending(database, now);
  const periods = periodsWithKeys(auditKey, await reading(database, readPeriods));
  const heads = await reading(database, readHeads);
  const projectIDs = new Set([...heads, ...anchors].map(({ projectID }) => projectID));
  const checked = new Map<string, Counts>();
  for (const projectID of projectIDs) {
    const counts = { checked: 0, dropped: 0, before: 0 };
    const own = anchors.filter((anchor) => anchor.projectID === projectID);
    let isWhole = true;
    for await (const finding of verifyProject(database.db, periods, projectID, counts, own)) {
      isWhole = false;
      onFinding(finding);
    }
    // Entries of other origin than a server prove nothing about entities.
    const found = isWhole ? verifyEntities(database.db, projectID, kinds, { isWhole: counts.dropped === 0 }) : [];
    for await (const finding of found) onFinding(finding);
    checked.set(projectID, counts);
  }
  return checked;
}

/** @throws AuditError, WrongAuditKey */
async function sealPending(database: Database, now: number): Promise<AuditKey> {
  const { auditKey } = database.db;
  if (!auditKey) throw new AuditError(NO_KEY);
  await writing(database, async (db) => {
    await lockSeals(db);
    await beginSealing(db, auditKey, now);
  });
  await sealAll(database, auditKey, now, { wait: true });
  return auditKey;
}
