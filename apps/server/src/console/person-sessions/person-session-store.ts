import { INSTANCE_PROJECT } from "../../common/context.ts";
import type { SessionLimits } from "../../common/session-limits.ts";
import { recordAuditEvent } from "../../store/change-log/audit-event.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { endSession, endSessions, type ListedSession, listSessions } from "../../tokens/person-sessions-store.ts";
import { requireActingAs, requireWritingAs } from "../people/acting-as-store.ts";
import type { Person } from "../people/person.ts";

/** The sessions of other people, for callers who may act as them. Every method throws AppError forbidden or not_found for others. */
export function createPersonSessionStore(deps: StoreDeps) {
  const { db, by } = deps;
  return {
    /** The sessions that have not ended, newest first. */
    async list(person: Person, limits: SessionLimits): Promise<ListedSession[]> {
      await requireActingAs(deps, person);
      return listSessions(db, person.id, by.now, limits);
    },

    /** @returns whether the person had the session */
    async end(person: Person, id: string): Promise<boolean> {
      await requireWritingAs(deps, person);
      const isEnded = await endSession(db, person.id, id);
      if (isEnded) await note(id, `Ended a session of ${person.email}.`);
      return isEnded;
    },

    async endAll(person: Person): Promise<void> {
      await requireWritingAs(deps, person);
      if (await endSessions(db, person.id)) await note(person.id, `Ended all sessions of ${person.email}.`);
    },
  };

  function note(entityID: string, reason: string): Promise<void> {
    const { actor, operationID, now, origin } = by;
    const event = { projectID: INSTANCE_PROJECT, actor, operationID, now, ...(origin && { origin }) };
    return recordAuditEvent(db, { ...event, entityType: "session", entityID, reason });
  }
}
