import { clickhouse, toLiteral } from "../../results/sql/clickhouse-dialect.ts";
import { inPlace, type PROJECT_TABLES } from "../../results/sql/clickhouse-tables.ts";
import { isAboutUnit, type Unit } from "../../results/sql/unit-events.ts";
import type { Db } from "../../store/database/unit-of-work.ts";

/** The most that is sent at once: characters, unless a single item is larger, and items. */
const MAX_PARCEL = { size: 8 * 2 ** 20, items: 500 };
/** A parcel that was claimed so long ago is sent again, perhaps by another replica. */
const LEASE_MS = 60_000;

/** Rows that ClickHouse no longer has to have: those with these values, and of them only events about a unit, if there is one. */
export type Deletion = {
  table: (typeof PROJECT_TABLES)[number];
  where: Readonly<Record<string, string | readonly string[]>>;
  unit?: Unit;
};

/** Data that is sent at once: rows, each a line of JSON, or a deletion. */
export type Parcel = {
  id: string;
  events: string;
  experimentExposures: string;
  checkExposures: string;
  deletion: Deletion | undefined;
  /** Whether the outbox has no further rows for it. */
  isLast: boolean;
};

type Row = { events: string | null; experimentExposures: string | null; checkExposures: string | null; deletion: string | null };

/**
 * Deletes rows from ClickHouse once the transaction is committed: after all rows that are in the outbox before it, and before later ones.
 * So exposures of a new run are never taken for those of the previous run.
 * @param unlessWaiting for a deletion that need not be repeated for rows that came since it began to wait
 */
export async function deleteFromClickHouse(db: Db, deletion: Deletion, { unlessWaiting = false } = {}): Promise<void> {
  const text = JSON.stringify(deletion);
  await db.$executeRaw`
    insert into event_outbox ("deletion", "size") select ${text}, 0
    where not (${unlessWaiting} and exists (select from event_outbox where "deletion" = ${text}))`;
}

/** Whether a unit's deletion waits to be sent, and whether rows do that come after it and may name the unit. */
export async function readWaiting(db: Db, projectID: string, unit: Unit): Promise<{ deletion: boolean; rows: boolean }> {
  // In rows, as a text of JSON, and as one of JSON in JSON.
  const [once, twice] = [JSON.stringify(unit.id).slice(1, -1), JSON.stringify(JSON.stringify(unit.id)).slice(3, -3)];
  const same = JSON.stringify(toEventDeletion("event", projectID, unit));
  const [row] = await db.$queryRaw<{ deletion: boolean; rows: boolean }[]>`
    with last as (select max("id") as "id" from event_outbox where "deletion" = ${same})
    select last."id" is not null as "deletion", exists (
      select from event_outbox cross join lateral unnest(array["events", "experimentExposures", "checkExposures"]) as waiting
      where event_outbox."id" > coalesce(last."id", 0) and (strpos(waiting, ${once}) > 0 or strpos(waiting, ${twice}) > 0)
    ) as "rows" from last`;
  return row ?? { deletion: false, rows: false };
}

/** The deletion of the events about a unit. */
export function toEventDeletion(table: "event" | "kept_event", projectID: string, unit: Unit): Deletion {
  return { table, where: { projectID }, unit };
}

/**
 * Claims the next parcel: one whose replica has not finished it, or else rows without a parcel. A statement; a replica that does not finish
 * leaves the parcel to others.
 * @param id of a new parcel
 */
export async function claimParcel(db: Db, id: string, now: number): Promise<Parcel | undefined> {
  const left = await db.$queryRaw<(Row & { parcel: string })[]>`
    with abandoned as materialized (
      select "id" from event_outbox
      where "parcel" = (select "parcel" from event_outbox where "claimedTime" <= ${now - LEASE_MS}::bigint order by "id" limit 1)
        and "claimedTime" <= ${now - LEASE_MS}::bigint
      -- Waits for whoever claims it at the same time: a parcel is never divided.
      order by "id" for update
    ), claimed as (
      update event_outbox set "claimedTime" = ${now}::bigint where "id" in (select "id" from abandoned)
      returning "id", "parcel", "events", "experimentExposures", "checkExposures", "deletion"
    )
    select * from claimed order by "id"`;
  if (left[0]) return toParcel(left[0].parcel, left, false);
  const rows = await db.$queryRaw<(Row & { left: number })[]>`
    with head as (select min("id") as first, min("id") filter (where "deletion" is not null) as barrier from event_outbox),
    next as materialized (
      select "id", "size" from event_outbox cross join head
      where "parcel" is null and ("id" < barrier or barrier is null or ("id" = barrier and barrier = first))
      order by "id" limit ${MAX_PARCEL.items} for update of event_outbox skip locked
    ), measured as (
      select "id", sum("size") over (order by "id") as total, row_number() over (order by "id") as place from next
    ), claimed as (
      update event_outbox set "parcel" = ${id}, "claimedTime" = ${now}::bigint
      where "id" in (select "id" from measured where total <= ${MAX_PARCEL.size} or place = 1)
      returning "id", "events", "experimentExposures", "checkExposures", "deletion"
    )
    select *, (select count(*) from next)::int as "left" from claimed order by "id"`;
  const isLast = rows[0]?.left === rows.length && rows.length < MAX_PARCEL.items && !rows[0].deletion;
  return rows.length === 0 ? undefined : toParcel(id, rows, isLast);
}

/** Leaves a parcel that could not be sent to the next replica that claims one. */
export async function releaseParcel(db: Db, { id }: Parcel): Promise<void> {
  await db.$executeRaw`update event_outbox set "claimedTime" = 0 where "parcel" = ${id}`;
}

export async function finishParcel(db: Db, { id }: Parcel): Promise<void> {
  await db.$executeRaw`delete from event_outbox where "parcel" = ${id}`;
}

/** Whether no events of a project wait to be sent. */
export async function areDelivered(db: Db, projectID: string): Promise<boolean> {
  if (!db.clickhouse) return true;
  const named = `%${JSON.stringify(projectID)}%`;
  const rows = await db.$queryRaw<object[]>`
    select from event_outbox where events like ${named} or "experimentExposures" like ${named} or "checkExposures" like ${named} limit 1`;
  return rows.length === 0;
}

/** The characters that wait to be sent, and the first item among them. */
export async function readOutbox(db: Db): Promise<{ size: number; firstID: string | null }> {
  const [row] = await db.$queryRaw<{ size: number; firstID: string | null }[]>`
    select coalesce(sum("size"), 0)::float8 as size, min("id")::text as "firstID" from event_outbox`;
  return row ?? { size: 0, firstID: null };
}

function toParcel(id: string, rows: Row[], isLast: boolean): Parcel {
  const lines = (column: "events" | "experimentExposures" | "checkExposures") => rows.flatMap((row) => row[column] ?? []).join("\n");
  const deletion = rows[0]?.deletion;
  return {
    id,
    events: lines("events"),
    experimentExposures: lines("experimentExposures"),
    checkExposures: lines("checkExposures"),
    deletion: deletion ? JSON.parse(deletion) : undefined,
    isLast,
  };
}

/** The statement that deletes rows. ClickHouse answers when they are gone. @param cluster the name of the cluster, if there is one */
export function deletionStatement({ table, where, unit }: Deletion, cluster: string | undefined): string {
  const isEqual = ([column, value]: [string, string | readonly string[]]) =>
    typeof value === "string" ? `"${column}" = ${toLiteral(value)}` : clickhouse.isIn(`"${column}"`, toLiteral(value));
  const conditions = [...Object.entries(where).map(isEqual), ...(unit ? [isAboutUnit(unit, clickhouse, toLiteral)] : [])];
  return `alter table ${inPlace(table, cluster)} delete where ${conditions.join(" and ")} settings mutations_sync = 2`;
}
