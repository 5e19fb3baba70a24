import { CLICKHOUSE_TABLES, clusterTables, TABLE_NAMES } from "../results/clickhouse-tables.ts";
import type { Database } from "../store/database.ts";
import type { ClickHouse } from "./clickhouse.ts";

/** ClickHouse is not set up as the settings say. */
export class ClickHouseUnfit extends Error {}

/** Creates ClickHouse's tables where they are missing, on every server of a cluster. @throws ClickHouseUnfit */
export async function prepareClickHouse(clickhouse: ClickHouse): Promise<void> {
  await requireTables(clickhouse);
  for (const statement of await creations(clickhouse)) await clickhouse.command(statement);
}

async function creations(clickhouse: ClickHouse): Promise<readonly string[]> {
  const { cluster: name, database } = clickhouse;
  if (name === undefined) return CLICKHOUSE_TABLES;
  const [replicas] = await clickhouse.ask<{ most: number; isInternal: number }>(
    `select max(replica_num) as "most", min(internal_replication) as "isInternal" from system.clusters where cluster = {p1:String}`,
    [name],
  );
  if (!replicas?.most) throw new ClickHouseUnfit(`GATEHOUSE_EVENTS_URL names the cluster ${name}, which ClickHouse does not know.`);
  const hasMacros = await hasReplicaMacros(clickhouse);
  if (replicas.most > 1 && !(hasMacros && replicas.isInternal))
    throw new ClickHouseUnfit(
      `The shards of the cluster ${name} have replicas. Their servers need the macros shard and replica, and the cluster internal_replication.`,
    );
  return clusterTables({ name, isReplicated: hasMacros }, database);
}

/** Whether a server has a name for its shard and for its copy of it, as replicated tables need. */
async function hasReplicaMacros(clickhouse: ClickHouse): Promise<boolean> {
  const rows = await clickhouse.ask(`select macro from system.macros where macro in ('shard', 'replica')`, []);
  return rows.length === 2;
}

/** What was stored on one server is in no table of a cluster, nor may a cluster's table be taken for one of a server. */
async function requireTables(clickhouse: ClickHouse): Promise<void> {
  const isOther = `(engine = 'Distributed') <> ${clickhouse.cluster !== undefined}`;
  const others = await clickhouse.ask<{ name: string }>(
    `select name from system.tables where database = {p1:String} and name in {p2:Array(String)} and ${isOther} order by name`,
    [clickhouse.database, TABLE_NAMES],
  );
  const [other] = others;
  if (!other) return;
  const kind =
    clickhouse.cluster === undefined ? "of a cluster, which GATEHOUSE_EVENTS_URL does not name" : "of one server, not of a cluster";
  throw new ClickHouseUnfit(`The table ${other.name} of the database ${clickhouse.database} is ${kind}.`);
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
