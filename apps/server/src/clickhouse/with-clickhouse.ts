import { CLICKHOUSE_TABLES } from "../results/clickhouse-tables.ts";
import type { Database } from "../store/database.ts";
import type { ClickHouse } from "./clickhouse.ts";

/** Creates ClickHouse's tables where they are missing. */
export async function prepareClickHouse(clickhouse: ClickHouse): Promise<void> {
  for (const statement of CLICKHOUSE_TABLES) await clickhouse.command(statement);
}

/** The same database, whose events and exposures are in ClickHouse. `close` closes both. */
export function withClickHouse(database: Database, clickhouse: ClickHouse): Database {
  return {
    ...database,
    db: { ...database.db, clickhouse },
    transaction: (work, options) => database.transaction((db) => work({ ...db, clickhouse }), options),
    analyse: (text, parameters, options) => clickhouse.ask(text, parameters, options),
    // Analyses do not hold its connection.
    isHeld: () => false,
    async close() {
      await Promise.all([database.close(), clickhouse.close()]);
    },
  };
}
