import { randomUUID } from "node:crypto";
import { DAY_MS, utcDay } from "../common/utc-day.ts";
import { inPlace } from "../results/sql/clickhouse-tables.ts";
import type { Database } from "../store/database/database.ts";
import type { ClickHouse } from "../store/database/engines.ts";
import { repeating, writing } from "../store/database/unit-of-work.ts";
import { acceptEvents, isInClickHouse, refuseEvents, storeInClickHouse } from "./event-engine-store.ts";
import { countRows, type MovedTable, readDays, readRows } from "./move-store.ts";
import { prepareClickHouse } from "./with-clickhouse.ts";

/** The rows in ClickHouse differ from those of the database. Its events stay where they are. */
export class MoveFailed extends Error {}

type Moving = { database: Database; clickhouse: ClickHouse; now: number; onCopied: (what: string, rows: number) => void };

/**
 * Moves events and exposures from the database to ClickHouse. Past days are copied while servers store events. Then events are refused
 * until the rest is copied. A day with as many rows in ClickHouse as in the database is not copied again, so an interrupted move can be
 * repeated. The rows in the database stay.
 * @param moving `onCopied` is called with each copied part
 * @throws MoveFailed
 */
export async function moveEvents(moving: Moving): Promise<void> {
  const { database, clickhouse, now } = moving;
  if (await repeating(database, isInClickHouse)) throw new MoveFailed("The events of this instance are in ClickHouse already.");
  await prepareClickHouse(clickhouse);
  const today = utcDay(now);
  for (const day of await repeating(database, (db) => readDays(db, "event"))) if (day < today) await copy(moving, { name: "event", day });
  await writing(database, refuseEvents);
  try {
    for (const name of ["event", "kept_event"] as const)
      for (const day of await repeating(database, (db) => readDays(db, name))) await copy(moving, { name, day });
    for (const name of ["dropped_event_day", "experiment_exposure", "check_exposure"] as const) await copy(moving, { name });
    await writing(database, storeInClickHouse);
  } catch (error) {
    await writing(database, acceptEvents);
    throw error;
  }
}

/** Copies the rows of a table, or of one of its days unless ClickHouse has it already: rows of a day do not change. @throws MoveFailed */
async function copy({ database, clickhouse, onCopied }: Moving, table: MovedTable): Promise<void> {
  const { name, day } = table;
  const what = day === undefined ? name : `${name} of ${new Date(day * DAY_MS).toISOString().slice(0, 10)}`;
  const counts = async () => [await repeating(database, (db) => countRows(db, table)), await countIn(clickhouse, table)] as const;
  const [before, there] = await counts();
  if (day !== undefined && before === there) return;
  const place = inPlace(name, clickhouse.cluster);
  await clickhouse.command(day === undefined ? `truncate table ${place}` : `alter table ${place} drop partition ${day}`);
  for await (const rows of readRows(database.db, table)) await clickhouse.insert(name, rows, `move ${randomUUID()}`);
  const [own, copied] = await counts();
  if (own !== copied) throw new MoveFailed(`The database has ${own} rows of ${what}, and ClickHouse ${copied}. Repeat the command.`);
  if (copied > 0) onCopied(what, copied);
}

async function countIn(clickhouse: ClickHouse, { name, day }: MovedTable): Promise<number> {
  const where = day === undefined ? "" : ` where "day" = ${day}`;
  const [row] = await clickhouse.ask<{ count: number }>(`select count(*) as count from ${name}${where}`, []);
  return row?.count ?? 0;
}
