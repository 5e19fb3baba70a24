import type { Bind } from "../../results/sql/statement.ts";
import { isAboutUnit, type Unit } from "../../results/sql/unit-events.ts";
import { eventReader } from "../../store/database/ask.ts";
import { lock } from "../../store/database/locks.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { KEPT_EVENTS } from "../events/kept-events-lock.ts";
import { type EventPosition, type EventTable, FIRST_POSITION, type StoredEvent } from "./unit-data.ts";

/** The events of a day in a table, which are one file of blocks. `kept_event` has one file for all days. */
type EventFile = { table: EventTable; day: number; blocks: number };

/** Blocks that one statement searches, which takes about 20 ms. */
const BLOCKS = 1_024;
/** Maximum size of the events that one statement returns, in bytes, unless a single event is larger. */
const MAX_BYTES = 4 * 2 ** 20;

export const EVENT_COLUMNS = [
  ...["name", "time", "source", "userID", "customIDs", "value", "environment", "exposed", "ruleID", "metadata", "userFields"],
  "secondaryExposures",
]
  .map((column) => `"${column}"`)
  .join(", ");

/**
 * Events of a unit in the database. No index finds them, which every event would pay for. So statements read the table's blocks in their order, a
 * bounded number each. Events never move to another block.
 */
export function createUnitEventStore({ db, projectID }: Pick<StoreDeps, "db" | "projectID">) {
  const { dialect, read } = eventReader(db);

  /** Files from a position on, in their order. */
  async function filesFrom({ table, day }: EventPosition): Promise<EventFile[]> {
    const files = await read<EventFile>(
      () => `select 'event' as "table", substring(pg_get_expr(relpartbound, oid) from '[(]([0-9]+)[)]')::int as day, (pg_relation_size(oid) / current_setting('block_size')::int)::int as blocks
        from pg_inherits join pg_class on oid = inhrelid where inhparent = 'event'::regclass
        union all select 'kept_event', 0, (pg_relation_size('kept_event') / current_setting('block_size')::int)::int
        order by "table", day`,
    );
    return files.filter((file) => (table === file.table ? file.day >= day : file.table === "kept_event"));
  }

  function isOwn({ table, day }: EventFile, unit: Unit, bind: Bind): string {
    const ofDay = table === "event" ? ` and "day" = ${bind.integer(day)}::int` : "";
    return `"projectID" = ${bind.text(projectID)}${ofDay} and ${isAboutUnit(unit, dialect, bind.text)}`;
  }

  async function deleteFrom(file: EventFile, from: number, to: number, unit: Unit): Promise<number> {
    const [row] = await read<{ count: number }>(
      (bind) => `with deleted as (
          delete from ${file.table} where ctid >= ${bind.text(`(${from},0)`)}::tid and ctid < ${bind.text(`(${to},0)`)}::tid
            and ${isOwn(file, unit, bind)} returning 1
        ) select count(*)::int as count from deleted`,
    );
    return row?.count ?? 0;
  }

  return {
    /**
     * Deletes events from a position on, in a transaction.
     * @param budget blocks to search
     * @returns the number of deleted events of each table, and the reached position if more are left
     */
    async delete(
      unit: Unit,
      from: EventPosition,
      budget: number,
    ): Promise<Record<EventTable, number> & { next: EventPosition | undefined }> {
      const deleted = { event: 0, kept_event: 0 };
      let left = budget;
      for (let file of await filesFrom(from)) {
        // Events that were being copied are in the table now, and later statements copy no deleted events.
        if (file.table === "kept_event") {
          await lock(db, KEPT_EVENTS);
          [file] = (await filesFrom({ ...FIRST_POSITION, table: "kept_event" })) as [EventFile];
        }
        const isFirst = file.table === from.table && file.day === from.day;
        for (let block = isFirst ? from.block : 0; block < file.blocks; ) {
          if (left <= 0) return { ...deleted, next: { table: file.table, day: file.day, block, row: 0 } };
          const end = block + Math.min(BLOCKS, left);
          deleted[file.table] += await deleteFrom(file, block, end, unit);
          left -= end - block;
          block = end;
        }
      }
      return { ...deleted, next: undefined };
    },

    /** The next events after a position, and the position that is reached, if there may be more. */
    async read(unit: Unit, from: EventPosition): Promise<{ events: StoredEvent[]; next: EventPosition | undefined }> {
      const [file, following] = await filesFrom(from);
      if (!file) return { events: [], next: undefined };
      const isFirst = file.table === from.table && file.day === from.day;
      const { block, row } = isFirst ? from : { block: 0, row: 0 };
      const end = block + BLOCKS;
      const found = await read<StoredEvent & { place: string; found: bigint }>((bind) => {
        // As long as the day of a kept event has its partition, `event` has it as well.
        const counts = file.table === "event" ? "true" : `"day" in (select "day" from dropped_event_day)`;
        return `select ${EVENT_COLUMNS}, place::text as place, found from (
            select *, ctid as place, count(*) over () as found, row_number() over (order by ctid) as number,
              sum(octet_length("metadata") + coalesce(octet_length("secondaryExposures"), 0) + 8192) over (order by ctid) as size
            from ${file.table} where ctid > ${bind.text(`(${block},${row})`)}::tid and ctid < ${bind.text(`(${end},0)`)}::tid
              and ${counts} and ${isOwn(file, unit, bind)}
          ) as own where size <= ${MAX_BYTES} or number = 1 order by own.place`;
      });
      const last = found.at(-1);
      const events = found.map(({ place: _place, found: _found, ...event }) => event);
      const { table, day } = file;
      if (last && Number(last.found) > found.length) return { events, next: { table, day, ...toPlace(last.place) } };
      if (end < file.blocks) return { events, next: { table, day, block: end, row: 0 } };
      return { events, next: following && { table: following.table, day: following.day, block: 0, row: 0 } };
    },
  };
}

/** `(12,3)` */
function toPlace(text: string): { block: number; row: number } {
  const [block = 0, row = 0] = text.slice(1, -1).split(",").map(Number);
  return { block, row };
}
