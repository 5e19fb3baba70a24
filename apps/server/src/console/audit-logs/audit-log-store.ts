import { DAY_MS } from "../../common/utc-day.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import { readEntries, readEntriesInParts, type StoredEntry } from "../../store/change-log/read-entries.ts";
import { shownEntry } from "../../store/change-log/shown-entry.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import type { Window } from "../common/page.ts";
import { havingActionTypes } from "./action-types.ts";
import type { AuditLogEntry } from "./audit-log.ts";

type SortKey = "id" | "name" | "changeLog" | "actionType" | "date" | "time" | "updatedBy" | "updatedByUserID";
type SortOrder = "asc" | "desc";

type AuditLogFilter = {
  id?: string;
  /** The cursor: only entries after it, in the order of the numbers. */
  latestID?: string;
  tags?: string[];
  actionType?: string;
  actionTypes?: string[];
  /** Days of UTC, both included: `2025-11-01` */
  startDate?: string;
  endDate?: string;
};

/** Numbers follow the order of commits, and so do days and times. */
const ORDERS: Record<SortKey, string> = {
  id: "",
  date: "",
  time: "",
  name: '"entityID" ^, ',
  changeLog: '"operationID" ^, "entityType" ^, "entityID" ^, ',
  actionType: '"operationID" ^, ',
  updatedBy: '"actorName" ^, ',
  updatedByUserID: '"actorID" ^, ',
};

/** The audit log is the change log. Only writes and events add to it. */
export function createAuditLogStore({ db, projectID }: StoreDeps) {
  return {
    /** The numbers of the entries that match every filter. */
    async find(filter: AuditLogFilter, order: { sortKey: SortKey; sortOrder: SortOrder }, { skip, take }: Window): Promise<number[]> {
      const { sortKey, sortOrder } = order;
      const columns = Prisma.raw(`${ORDERS[sortKey].replaceAll("^", `collate "C" ${sortOrder}`)}"seq" ${sortOrder}`);
      const rows = await db.$queryRaw<{ seq: bigint }[]>`
        select "seq" from change where ${matching(filter, sortOrder)} order by ${columns} limit ${take} offset ${skip}`;
      return rows.map(({ seq }) => Number(seq));
    },

    async count(filter: AuditLogFilter, sortOrder: SortOrder): Promise<number> {
      const [counted] = await db.$queryRaw<{ total: number }[]>`
        select count(*)::int as total from change where ${matching(filter, sortOrder)}`;
      return counted?.total ?? 0;
    },

    /** The entries with these numbers, in the same order. Few are in memory at a time with their whole texts. */
    async read(seqs: number[]): Promise<AuditLogEntry[]> {
      const entries = new Map<number, AuditLogEntry>();
      const sorted = seqs.toSorted((a, b) => a - b);
      for await (const part of readEntriesInParts(sorted, (rest) => readEntries(db, projectID, rest))) {
        for (const entry of part) entries.set(entry.seq, toAuditLogEntry(entry));
      }
      return seqs.flatMap((seq) => entries.get(seq) ?? []);
    },

    /** The first of the entries with these numbers, which are in this order: as many as may be in memory together. */
    async readPart(seqs: number[], sortOrder: SortOrder): Promise<AuditLogEntry[]> {
      return (await readEntries(db, projectID, seqs, sortOrder)).map(toAuditLogEntry);
    },
  };

  function matching(filter: AuditLogFilter, sortOrder: SortOrder): Prisma.Sql {
    const { id, latestID, tags = [], startDate, endDate, actionType } = filter;
    const types = actionType === undefined ? filter.actionTypes : [actionType, ...(filter.actionTypes ?? [])];
    const conditions = [
      Prisma.sql`"projectID" = ${projectID} and "seq" is not null`,
      ...(id === undefined ? [] : [Prisma.sql`"seq" = ${id}::bigint`]),
      ...(latestID === undefined
        ? []
        : [sortOrder === "asc" ? Prisma.sql`"seq" > ${latestID}::bigint` : Prisma.sql`"seq" < ${latestID}::bigint`]),
      ...(startDate === undefined ? [] : [Prisma.sql`"time" >= ${Date.parse(startDate)}::bigint`]),
      ...(endDate === undefined ? [] : [Prisma.sql`"time" < ${Date.parse(endDate) + DAY_MS}::bigint`]),
      ...(types === undefined ? [] : [ofTypes(types)]),
      ...(tags.length === 0 ? [] : [carrying(tags)]),
    ];
    return Prisma.join(conditions, " and ");
  }
}

function ofTypes(names: string[]): Prisma.Sql {
  const { operationIDs, entityTypes } = havingActionTypes(names);
  return Prisma.sql`("operationID" = any(${names}::text[])
    or ("version" > 0 and "operationID" = any(${operationIDs}::text[]))
    or ("version" = 0 and "entityType" = any(${entityTypes}::text[])))`;
}

/** Changes of entities with these tags. Only texts that contain all of them are parsed. */
function carrying(tags: string[]): Prisma.Sql {
  const text = Prisma.sql`coalesce("after", "before")`;
  const named = tags.map((tag) => Prisma.sql`strpos(${text}, ${JSON.stringify(tag)}) > 0`);
  return Prisma.sql`"version" > 0 and case
    when not (${Prisma.join(named, " and ")}) then false
    when json_typeof(${text}::json -> 'tags') = 'array'
      then (select array_agg(tag) from json_array_elements_text(${text}::json -> 'tags') as tag) @> ${tags}::text[]
    else false end`;
}

function toAuditLogEntry(entry: StoredEntry): AuditLogEntry {
  const { entityType, entityID, operationID, reason, address, userAgent, requestID } = entry;
  const { seq, time, actorID, actorName, actorEmail, version } = entry;
  return {
    ...{ seq, time, actorID, actorName, actorEmail, version },
    ...{ operationID, entityType, entityID, reason, address, userAgent, requestID },
    ...shownEntry(entry),
  };
}
