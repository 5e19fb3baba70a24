import type { OperationId } from "@gatehouse/contract/console";
import { INSTANCE_PROJECT } from "../common/context.ts";
import { toActor } from "../console/people/person.ts";
import { recordAuditEvent } from "../store/change-log/audit-event.ts";
import type { Db } from "../store/database/unit-of-work.ts";
import type { AccountEnv } from "./account-env.ts";
import type { Session } from "./session-store.ts";

/** The actor before the person has proved their identity. */
export const NOBODY = { id: "anonymous", name: "ANONYMOUS", email: null };

/** Adds an event of a session to the audit log of the instance, in the name of its person. */
export function noteSession(
  db: Db,
  { person, id }: Pick<Session, "person" | "id">,
  reason: string,
  { operationID, now, origin }: Pick<AccountEnv, "now" | "origin"> & { operationID: OperationId },
): Promise<void> {
  const event = { projectID: INSTANCE_PROJECT, actor: toActor(person), operationID, now, origin };
  return recordAuditEvent(db, { ...event, entityType: "session", entityID: id, reason });
}

/** Notes a failed proof of identity in the audit log. Many failures are added up. @param details the cause, if it's known */
export function noteFailure(
  email: string,
  operationID: OperationId,
  { now, origin, repeatedEvents }: Pick<AccountEnv, "now" | "origin" | "repeatedEvents">,
  details?: { cause: string },
): Promise<void> {
  const subject = { entityType: "session", entityID: email, reason: "Failed to sign in.", ...(details && { details }) } as const;
  return repeatedEvents.note({ projectID: INSTANCE_PROJECT, actor: NOBODY, operationID, now, origin, ...subject });
}
