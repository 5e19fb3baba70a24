import type { OperationId } from "@gatehouse/contract/console";
import { INSTANCE_PROJECT } from "../common/context.ts";
import { actorOf } from "../console/people/person.ts";
import { noteEvent } from "../store/change-log/trail.ts";
import type { Db } from "../store/database/unit-of-work.ts";
import type { AccountEnv } from "./account-env.ts";
import type { Session } from "./session-store.ts";

/** Who acts before anybody has proved who they are. */
const NOBODY = { id: "anonymous", name: "ANONYMOUS", email: null };

/** Adds what happened to a session to the trail of the instance, in the name of its person. */
export function noteSession(
  db: Db,
  { person, id }: Pick<Session, "person" | "id">,
  reason: string,
  { operationID, now, origin }: Pick<AccountEnv, "now" | "origin"> & { operationID: OperationId },
): Promise<void> {
  const event = { projectID: INSTANCE_PROJECT, actor: actorOf(person), operationID, now, origin };
  return noteEvent(db, { ...event, entityType: "session", entityID: id, reason });
}

/** Notes for the trail that somebody failed to prove who they are. Many failures are added up. */
export function noteFailure(
  email: string,
  operationID: OperationId,
  { now, origin, repeatedEvents }: Pick<AccountEnv, "now" | "origin" | "repeatedEvents">,
): Promise<void> {
  const subject = { entityType: "session", entityID: email, reason: "Failed to sign in." } as const;
  return repeatedEvents.note({ projectID: INSTANCE_PROJECT, actor: NOBODY, operationID, now, origin, ...subject });
}
