import { Prisma } from "../generated/prisma/client.ts";
import type { Db } from "../store/database/unit-of-work.ts";

/** A table that is moved, and the columns of its key, in whose order its rows are read. */
export type MovedTable = { name: keyof typeof KEYS; day?: number };

const KEYS = {
  event: ["projectID", "name", "time", "id"],
  kept_event: ["projectID", "name", "time", "id"],
  dropped_event_day: ["day"],
  experiment_exposure: ["projectID", "experimentID", "groupID", "unitID", "environment"],
  check_exposure: ["projectID", "entityType", "entityID", "ruleID", "passed", "unitID", "environment"],
} as const;

/** Rows that one statement reads. */
const BATCH_SIZE = 5_000;

const quoted = (names: readonly string[]) => Prisma.raw(names.map((name) => `"${name}"`).join(", "));
const from = ({ name, day }: MovedTable) =>
  Prisma.sql`${quoted([name])} where ${day === undefined ? Prisma.sql`true` : Prisma.sql`"day" = ${day}`}`;

export async function countRows(db: Db, table: MovedTable): Promise<number> {
  const [row] = await db.$queryRaw<{ count: bigint }[]>`select count(*) as count from ${from(table)}`;
  return Number(row?.count ?? 0);
}

/** The days that the rows of a table arrived on, the earliest first. */
export async function readDays(db: Db, name: "event" | "kept_event"): Promise<number[]> {
  const rows = await db.$queryRaw<{ day: number }[]>`select distinct "day" from ${quoted([name])} order by 1`;
  return rows.map(({ day }) => day);
}

/** The rows of a table in batches, each row a line of JSON. */
export async function* readRows(db: Db, table: MovedTable): AsyncGenerator<string> {
  const key = KEYS[table.name];
  // The last row that was read, as JSON: its values come back with their types.
  let last: string | null = null;
  for (;;) {
    const after: Prisma.Sql =
      last === null
        ? Prisma.sql`true`
        : Prisma.sql`(${quoted(key)}) > (select ${quoted(key)} from json_populate_record(null::${quoted([table.name])}, ${last}::json))`;
    const [row] = await db.$queryRaw<{ lines: string | null; last: string | null; count: number }[]>`
      with batch as materialized (
        select * from ${from(table)} and ${after} order by ${quoted(key)} limit ${BATCH_SIZE}
      )
      select string_agg(row_to_json(batch)::text, E'\\n') as lines, count(*)::int as count, (
        select row_to_json(batch)::text from batch order by ${descending(key)} limit 1
      ) as last from batch`;
    if (!row?.lines) return;
    yield row.lines;
    if (row.count < BATCH_SIZE) return;
    last = row.last;
  }
}

const descending = (key: readonly string[]) => Prisma.raw(key.map((name) => `"${name}" desc`).join(", "));
