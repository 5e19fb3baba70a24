import { Prisma } from "../../generated/prisma/client.ts";
import { readEntries, readEntriesInParts, type StoredEntry } from "../../store/change-log/read-entries.ts";
import { shownEntry } from "../../store/change-log/shown-entry.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { visibleKinds } from "../../store/entities/visible-kinds.ts";
import type { Window } from "../common/page.ts";
import { type Change, type ChangeEntry, toChange } from "./change.ts";

type ChangeFilter = {
  entityType?: string;
  entityID?: string;
  actorID?: string;
  /** At or after, ms since the epoch. */
  startTime?: number;
  /** Before, ms since the epoch. */
  endTime?: number;
  /** The cursor: only changes with a lower number. */
  before?: number;
};

/** The changes of the entities that the caller may read. Log entries that are not changes of an entity have no kind. */
export function createChangeStore(deps: StoreDeps) {
  const { db, projectID } = deps;
  return {
    /** One page of the changes that match every filter, the newest first. */
    async list(filter: ChangeFilter, { skip, take }: Window): Promise<Change[]> {
      const rows = await db.$queryRaw<{ seq: bigint }[]>`
        select "seq" from change where ${matching(filter)} order by "seq" desc limit ${take} offset ${skip}`;
      const changes: Change[] = [];
      const seqs = rows.map(({ seq }) => Number(seq));
      // Few entries are in memory at a time with their whole texts.
      for await (const part of readEntriesInParts(seqs, (rest) => readEntries(db, projectID, rest, "desc"))) {
        changes.push(...part.map((entry) => toChange(toChangeEntry(entry))));
      }
      return changes;
    },
  };

  function matching({ entityType, entityID, actorID, startTime, endTime, before }: ChangeFilter): Prisma.Sql {
    const types = visibleKinds(deps).map(({ type }) => type);
    const asked = entityType === undefined ? types : types.filter((type) => type === entityType);
    const conditions = [
      Prisma.sql`"projectID" = ${projectID} and "seq" is not null and "version" > 0 and "entityType" = any(${asked}::text[])`,
      ...(entityID === undefined ? [] : [Prisma.sql`"entityID" = ${entityID}`]),
      ...(actorID === undefined ? [] : [Prisma.sql`"actorID" = ${actorID}`]),
      ...(startTime === undefined ? [] : [Prisma.sql`"time" >= ${startTime}::bigint`]),
      ...(endTime === undefined ? [] : [Prisma.sql`"time" < ${endTime}::bigint`]),
      ...(before === undefined ? [] : [Prisma.sql`"seq" < ${before}::bigint`]),
    ];
    return Prisma.join(conditions, " and ");
  }
}

/** An entry with the fields that it changed. */
export function toChangeEntry(entry: StoredEntry): ChangeEntry {
  const { seq, time, actorID, actorName, operationID, entityType, entityID, version, reason, requestID, actorEmail, after } = entry;
  return {
    ...{ seq, time, actorID, actorName, actorEmail, operationID, entityType, entityID, version, reason, requestID },
    isDeletion: after === null,
    ...shownEntry(entry),
  };
}
