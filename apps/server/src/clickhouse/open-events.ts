import { ADMIN_COMMAND } from "../common/commands.ts";
import type { Database } from "../store/database/database.ts";
import { type Retry, untilReachable } from "../store/database/reachable.ts";
import { reading, writing } from "../store/database/unit-of-work.ts";
import { openClickHouse } from "./clickhouse.ts";
import { hasEvents, isInClickHouse, storeInClickHouse } from "./event-engine-store.ts";
import { prepareClickHouse, withClickHouse } from "./with-clickhouse.ts";

/** The events of this instance are not where the settings say. */
export class EventsElsewhere extends Error {}

/**
 * The database with its events at the place in the settings: in it, or in the ClickHouse at a URL, whose tables are created. Waits for one
 * that is still starting. If it fails, the database is closed.
 * @throws EventsElsewhere, DatabaseUnreachable
 */
export async function openEvents(database: Database, url: string | undefined, retry: Retry = {}): Promise<Database> {
  try {
    const isMoved = await reading(database, isInClickHouse);
    if (url === undefined) {
      if (isMoved) throw new EventsElsewhere("The events of this instance are in ClickHouse. Set GATEHOUSE_EVENTS_URL.");
      return database;
    }
    if (!isMoved && (await reading(database, hasEvents)))
      throw new EventsElsewhere(
        `The events of this instance are in its database. Move them first, with this setting: ${ADMIN_COMMAND} events move`,
      );
    const clickhouse = openClickHouse(url);
    try {
      const prepared = await untilReachable(() => prepareClickHouse(clickhouse), retry, "ClickHouse");
      if (!isMoved) await writing(database, storeInClickHouse);
      return withClickHouse(database, prepared);
    } catch (error) {
      await clickhouse.close();
      throw error;
    }
  } catch (error) {
    await database.close();
    throw error;
  }
}
