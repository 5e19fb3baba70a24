import { Prisma } from "../../generated/prisma/client.ts";
import { fromText } from "../../store/change-log/entity-text.ts";
import { entityStore } from "../../store/entities/entity-store.ts";
import { filters } from "../../store/entities/filters.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { requireUnlimited } from "../../store/entities/write-reach.ts";
import type { Window } from "../common/page.ts";
import { NOWHERE } from "../common/parts-elsewhere.ts";
import type { EntityKind } from "../slice.ts";
import { lastOccurrence } from "./repetition.ts";
import { entityKey, permissionsOf, type ScheduledChange } from "./scheduled-change.ts";

type Filter = { status?: string; entityType?: string; entityID?: string; authorID?: string; seriesID?: string };

export const scheduledChangeKind: EntityKind<"scheduled_change", ScheduledChange> = {
  table: "scheduled_change",
  type: "scheduled_change",
  getID: (change) => change.id,
  references: null,
  columns: {
    status: ({ status }) => status,
    applyAt: ({ applyAt }) => applyAt,
    dueTime: { unlisted: ({ status, applyAt }) => (status === "SCHEDULED" ? applyAt : null) },
    authorID: ({ author }) => author.id,
    seriesID: ({ seriesID }) => seriesID ?? null,
    entityTypes: ({ entities }) => [...new Set(entities.map(({ entityType }) => entityType))],
    entityKeys: ({ entities }) => entities.map(entityKey),
  },
  listing: null,
  named: null,
  ruleset: null,
  needs: (before, after) => permissionsOf((before ?? after) as ScheduledChange),
  reach: NOWHERE,
};

export function createScheduledChangeStore(deps: StoreDeps) {
  const store = entityStore(deps, scheduledChangeKind);
  const { db, projectID } = deps;
  return {
    ...store,

    /** In the order of their times if they are scheduled, and otherwise the latest first. */
    list({ status, entityType, entityID, authorID, seriesID }: Filter, window: Window) {
      const conditions = [
        ...filters.equal({ status, authorID, seriesID }),
        ...filters.holding({
          entityTypes: entityType,
          entityKeys: entityType === undefined || entityID === undefined ? undefined : entityKey({ entityType, entityID }),
        }),
      ];
      return store.listWhere(conditions, { ...window, sort: "applyAt", order: status === "SCHEDULED" ? "asc" : "desc" });
    },

    /** How many wait for their time. */
    async countWaiting(): Promise<number> {
      const rows = await db.$queryRaw<{ count: number }[]>`
        select count(*)::int as count from scheduled_change where "projectID" = ${projectID} and "dueTime" is not null`;
      return rows[0]?.count ?? 0;
    },

    /**
     * The change if it is due and nobody else is making it, locked until the transaction ends. An earlier change of one of its entities
     * comes first.
     */
    async lockDue(id: string, now: number): Promise<ScheduledChange | undefined> {
      const rows = await db.$queryRaw<{ id: string }[]>`
        select id from scheduled_change as own where "projectID" = ${projectID} and id = ${id} and "dueTime" <= ${now}
        and not exists (
          select from scheduled_change as earlier
          where earlier."projectID" = own."projectID" and earlier."dueTime" <= own."dueTime" and earlier."entityKeys" && own."entityKeys"
            and (earlier."dueTime", earlier."createdTime", earlier.id) < (own."dueTime", own."createdTime", own.id)
        ) for update skip locked`;
      return rows[0] && store.find(id);
    },

    /** @throws AppError forbidden if a limited key changes one of another author */
    async replace(before: ScheduledChange, after: ScheduledChange): Promise<ScheduledChange> {
      if (before.author.id !== deps.by.actor.id) requireUnlimited(`scheduled change ${before.id}`, deps.by.limits);
      return store.replace(before, after);
    },
  };
}

/** A change that waits, with what decides which others come before it. */
export type Waiting = { id: string; keys: string[] };

type WaitingRow = Waiting & { dueTime: bigint; entity: string | null };

/**
 * The changes of a project that wait until a time at most, in their order. A change that repeats has the place of its last occurrence up to
 * that time.
 */
export async function findWaiting({ db, projectID }: Pick<StoreDeps, "db" | "projectID">, applyAt: number): Promise<Waiting[]> {
  const rows = await db.$queryRaw<WaitingRow[]>`
    select id, "entityKeys" as keys, "dueTime", case when "seriesID" is not null then entity end as entity
    from scheduled_change where "projectID" = ${projectID} and "dueTime" <= ${applyAt} order by "dueTime", "createdTime", id`;
  const timed = rows.map(({ id, keys, dueTime, entity }) => ({
    id,
    keys,
    time: entity === null ? Number(dueTime) : lastTime(entity, applyAt),
  }));
  return timed.sort((one, other) => one.time - other.time);
}

function lastTime(text: string, until: number): number {
  const { applyAt, repeat } = fromText<ScheduledChange>(text);
  return repeat ? lastOccurrence({ applyAt, repeat }, until) : applyAt;
}

/** Due changes of any project. */
export type Due = { projectID: string; id: string };

/** Changes per query. */
const BATCH_SIZE = 100;

/** The changes that are due, in their order, except those that were tried. Changes of deleted projects are never due. */
export async function findDueChanges({ db }: Pick<StoreDeps, "db">, now: number, tried: readonly string[]): Promise<Due[]> {
  const but = tried.length > 0 ? Prisma.sql`and id <> all(${tried}::text[])` : Prisma.empty;
  return db.$queryRaw<Due[]>`
    select "projectID", id from scheduled_change as due where "dueTime" <= ${now} ${but}
    and not exists (select from project where project.id = due."projectID" and project."deletedTime" is not null)
    order by "dueTime", "createdTime", id limit ${BATCH_SIZE}`;
}

/** Deletes changes that don't wait, and whose time was before a time, ms. */
export async function deleteOldChanges({ db }: Pick<StoreDeps, "db">, before: number): Promise<void> {
  await db.$executeRaw`delete from scheduled_change where "dueTime" is null and "applyAt" < ${before}`;
}
