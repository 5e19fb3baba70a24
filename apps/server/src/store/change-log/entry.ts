import type { Context, Origin } from "../../common/context.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import type { AuditKey, SignedColumns } from "../database/audit-key.ts";

/** A row of the change log as it is written. The database adds its id, and its number (`seq`) at commit. */
export type NewEntry = SignedColumns;

const NO_ORIGIN: Origin = { address: null, userAgent: null, requestID: null };

/** The entry's actor, time, operation and origin. */
export function toEntry({ projectID, now, actor, operationID, origin = NO_ORIGIN }: Context) {
  const { address, userAgent, requestID } = origin;
  const { id: actorID, name: actorName, email: actorEmail } = actor;
  return { projectID, time: now, actorID, actorName, actorEmail, operationID, address, userAgent, requestID };
}

/**
 * Inserts an entry, signed if there is a key.
 * @param projectID the column's value, where it depends on another part of the statement
 */
export function insertEntry(entry: NewEntry, auditKey: AuditKey | undefined, projectID = Prisma.sql`${entry.projectID}`): Prisma.Sql {
  const { time, actorID, actorName, actorEmail, operationID, entityType, entityID, version, reason, before, after } = entry;
  const { altersLists, movesRuleset, address, userAgent, requestID } = entry;
  return Prisma.sql`
    insert into change
      ("projectID", "time", "actorID", "actorName", "actorEmail", "operationID", "entityType", "entityID", "version", "reason",
       "before", "after", "altersLists", "movesRuleset", "address", "userAgent", "requestID", "signature")
    select ${projectID}, ${time}, ${actorID}, ${actorName}, ${actorEmail}, ${operationID}, ${entityType}, ${entityID}, ${version}, ${reason},
           ${before}, ${after}, ${altersLists}, ${movesRuleset}, ${address}, ${userAgent}, ${requestID}, ${auditKey?.sign(entry) ?? null}`;
}
