import { deleteFromClickHouse } from "../console/events/outbox-store.ts";
import { PROJECT_TABLES } from "../results/sql/clickhouse-tables.ts";
import { eventReader } from "../store/database/ask.ts";
import { name } from "../store/database/row.ts";
import { unshareProjects } from "../store/database/shared-events.ts";
import type { Db } from "../store/database/unit-of-work.ts";

/** Rows that one statement deletes. */
const BATCH_SIZE = 1_000;
/** Tables whose rows stay: the audit log, and the project that it refers to. */
const KEPT = ["change", "project"];

/** The projects that were deleted since a time, ms, or at any time. */
export async function listDeletedProjects(db: Db, since = 0): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`select id from project where "deletedTime" >= ${since}`;
  return rows.map(({ id }) => id);
}

/** Lets no more events of the projects arrive, and lists the tables that may have rows of them. */
export async function beginRemoval(db: Db, projectIDs: string[]): Promise<string[]> {
  await unshareProjects(db, projectIDs);
  if (db.clickhouse) await deleteProjectsFromClickHouse(db, projectIDs);
  return tablesOfProjects(db);
}

/** Deletes some rows of projects from a table. @returns whether there may be more */
export async function deleteSomeRows(db: Db, table: string, projectIDs: string[]): Promise<boolean> {
  // A partitioned table has the same ctid once in each partition.
  const count = await db.$executeRaw`
    delete from ${name(table)} where (tableoid, ctid) in (
      select tableoid, ctid from ${name(table)} where "projectID" = any(${projectIDs}::text[]) limit ${BATCH_SIZE}
    )`;
  return count === BATCH_SIZE;
}

/** Deletes all rows of a table and project at once, unless that is waiting to be done. */
async function deleteProjectsFromClickHouse(db: Db, ids: string[]): Promise<void> {
  const { dialect, read } = eventReader(db);
  for (const table of PROJECT_TABLES) {
    const left = await read<{ projectID: string }>(
      (bind) => `select distinct "projectID" from ${table} where ${dialect.isIn(`"projectID"`, bind.texts(ids))}`,
    );
    for (const where of left) await deleteFromClickHouse(db, { table, where }, { unlessWaiting: true });
  }
}

/** All tables with rows of projects, so that none is forgotten. */
async function tablesOfProjects(db: Db): Promise<string[]> {
  const rows = await db.$queryRaw<{ table: string }[]>`
    select relname as table from pg_class
    join pg_attribute on attrelid = pg_class.oid and attname = 'projectID' and not attisdropped
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
      and relname <> all(${KEPT}::text[])
    order by relname`;
  return rows.map(({ table }) => table);
}
