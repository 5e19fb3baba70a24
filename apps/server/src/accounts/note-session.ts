import type { OperationId } from "@gatehouse/contract/console";
import { actorOf } from "../console/people/person.ts";
import { INSTANCE_PROJECT } from "../context.ts";
import { noteEvent } from "../store/trail.ts";
import type { Db } from "../store/unit-of-work.ts";
import type { AccountEnv } from "./account-env.ts";
import type { Session } from "./session-store.ts";

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
