import { isAboutUnit, type Unit } from "../../results/sql/unit-events.ts";
import { eventReader } from "../../store/database/ask.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import type { ClickHousePosition, EventTable, StoredEvent } from "./unit-data.ts";
import { EVENT_COLUMNS } from "./unit-event-store.ts";

export const FIRST_IN_CLICKHOUSE: ClickHousePosition = { table: "event", day: -1, name: "", time: -1, id: -1 };

/** Maximum number of events, and their size in characters, that one statement returns, unless a single event is larger. */
const MAX_EVENTS = 1_000;
const MAX_CHARACTERS = 4 * 2 ** 20;

/** Events of a unit in ClickHouse, where a statement searches the column of ids of a day or of all days. */
export function createClickHouseUnitEventStore({ db, projectID }: Pick<StoreDeps, "db" | "projectID">) {
  const { dialect, read } = eventReader(db);

  async function filesFrom({ table, day }: ClickHousePosition): Promise<{ table: EventTable; day: number }[]> {
    const select = (one: EventTable) => `select distinct '${one}' as "table", toInt32(_partition_id) as "day" from ${one}`;
    const files = await read<{ table: EventTable; day: number }>(
      () => `select * from (${select("event")} union all ${select("kept_event")}) as file order by "table", "day"`,
    );
    return files.filter((file) => (table === file.table ? file.day >= day : file.table === "kept_event"));
  }

  return {
    async count(table: EventTable, unit: Unit): Promise<number> {
      const [row] = await read<{ count: number }>(
        (bind) =>
          `select count(*) as count from ${table} where "projectID" = ${bind.text(projectID)} and ${isAboutUnit(unit, dialect, bind.text)}`,
      );
      return row?.count ?? 0;
    },

    /** The next events after a position, and the position that is reached, if there may be more. */
    async read(unit: Unit, from: ClickHousePosition): Promise<{ events: StoredEvent[]; next: ClickHousePosition | undefined }> {
      const [file, following] = await filesFrom(from);
      if (!file) return { events: [], next: undefined };
      const { table, day } = file;
      const isFirst = table === from.table && day === from.day;
      const { name, time, id } = isFirst ? from : FIRST_IN_CLICKHOUSE;
      const found = await read<StoredEvent & { id: number; isLast: number }>(
        (bind) => `select * from (
          select ${EVENT_COLUMNS}, "id", row_number() over (order by "name", "time", "id") as number,
            sum(lengthUTF8("metadata") + ifNull(lengthUTF8("secondaryExposures"), 0) + 8192) over (
              order by "name", "time", "id" rows between unbounded preceding and current row) as size
          from (
            select * from ${table} where "projectID" = ${bind.text(projectID)} and "day" = ${bind.integer(day)}
              and ("name", "time", "id") > (${bind.text(name)}, ${bind.integer(time)}, ${bind.integer(id)})
              and ${isAboutUnit(unit, dialect, bind.text)}
            order by "name", "time", "id" limit ${MAX_EVENTS}
          ) as own
        ) as measured where size <= ${MAX_CHARACTERS} or number = 1 order by "name", "time", "id"`,
      );
      const last = found.at(-1);
      const next = last
        ? { table, day, name: last.name, time: Number(last.time), id: last.id }
        : following && { ...FIRST_IN_CLICKHOUSE, ...following };
      return { events: found, next };
    },
  };
}
