import type { Context } from "../../common/context.ts";
import type { Prisma } from "../../generated/prisma/client.ts";
import type { AuditKey } from "../database/audit-key.ts";
import type { Db } from "../database/unit-of-work.ts";
import { insertEntry, toEntry } from "./entry.ts";

/** An entry of the audit log that is not a change of an entity. */
type AuditEventType =
  | "code_references"
  | "console_key_use"
  | "experiment_health"
  | "export"
  | "guardrail_alert"
  | "ingestion_run"
  | "permission"
  | "prompt_evaluation"
  | "pulse_load"
  | "scim_group"
  | "session"
  | "topline_alert"
  | "unit_data"
  | "webhook_delivery";

/** An event of the audit log, with its actor, time, origin and operation. */
export type AuditEvent = Pick<Context, "projectID" | "actor" | "operationID" | "now" | "origin"> & {
  entityType: AuditEventType;
  /** The subject of the event: a session, the missing permission, or the key that was used. */
  entityID: string;
  /** Shown as the changed fields of the entry. Never a secret. */
  details?: Record<string, unknown>;
  /** A sentence for readers of the audit log. */
  reason?: string;
};

/**
 * Adds an event to the audit log of a project, which must exist. Events that callers can cause at will, such as failures, go through
 * `RepeatedEvents`.
 */
export async function recordAuditEvent(db: Db, event: AuditEvent): Promise<void> {
  await db.$executeRaw(insertAuditEvent(event, db.auditKey));
}

/** The statement of `noteEvent`, as part of another one. */
export function insertAuditEvent(event: AuditEvent, auditKey: AuditKey | undefined): Prisma.Sql {
  const { entityType, entityID, details, reason = null } = event;
  const texts = { reason, before: null, after: details ? JSON.stringify(details) : null };
  return insertEntry({ ...toEntry(event), entityType, entityID, version: 0, ...texts, altersLists: false, movesRuleset: false }, auditKey);
}
