import { name } from "../database/row.ts";
import type { ColumnName, Table } from "../database/table.ts";
import type { Db } from "../database/unit-of-work.ts";

/** Tables whose rows can have a due action. */
export type DueTable = { [T in Table]: "dueTime" extends ColumnName<T> ? T : never }[Table];

/** An entity of any project with a due action. */
type DueEntity = { projectID: string; id: string };

/** Entities per query. */
const BATCH_SIZE = 100;

/** The entities with an action due by `now`, ms since the epoch. The longest overdue come first. */
export function findDue(db: Db, table: DueTable, now: number): Promise<DueEntity[]> {
  return db.$queryRaw<DueEntity[]>`
    select "projectID", id from ${name(table)} where "dueTime" <= ${now} order by "dueTime", "projectID", id limit ${BATCH_SIZE}`;
}
