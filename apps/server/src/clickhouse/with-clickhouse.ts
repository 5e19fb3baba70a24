import { clickhouseCluster } from "../results/sql/clickhouse-cluster.ts";
import {
  CLICKHOUSE_TABLES,
  type Cluster,
  clusterTables,
  localTable,
  PROJECT_TABLES,
  TABLE_NAMES,
} from "../results/sql/clickhouse-tables.ts";
import type { Database } from "../store/database/database.ts";
import type { ClickHouse } from "../store/database/engines.ts";

/** ClickHouse is not set up as the settings say. */
export class ClickHouseUnfit extends Error {}

/**
 * Creates ClickHouse's tables where they are missing, on every server of a cluster.
 * @returns the same ClickHouse, whose dialect knows how its tables are divided
 * @throws ClickHouseUnfit
 */
export async function prepareClickHouse(clickhouse: ClickHouse): Promise<ClickHouse> {
  await requireTables(clickhouse);
  const { cluster: name, database } = clickhouse;
  if (name === undefined) {
    for (const statement of CLICKHOUSE_TABLES) await clickhouse.command(statement);
    return clickhouse;
  }
  const cluster = await readCluster(clickhouse, name);
  for (const statement of clusterTables(cluster, database)) await clickhouse.command(statement);
  return { ...clickhouse, dialect: clickhouseCluster({ cluster: name, database, isDividedByUser: await isDivided(clickhouse, cluster) }) };
}

async function readCluster(clickhouse: ClickHouse, name: string): Promise<Cluster> {
  const servers = await clickhouse.ask<{ address: string; weight: number; replica: number; isInternal: number }>(
    `select concat(host_name, ':', toString(port)) as address, shard_weight as weight, replica_num as replica, internal_replication as "isInternal"
    from system.clusters where cluster = {p1:String} order by shard_num, replica_num`,
    [name],
  );
  if (servers.length === 0) throw new ClickHouseUnfit(`GATEHOUSE_EVENTS_URL names the cluster ${name}, which ClickHouse does not know.`);
  const isReplicated = await hasReplicaMacros(clickhouse);
  const needsReplication = servers.some(({ replica }) => replica > 1);
  if (needsReplication && !(isReplicated && servers.every(({ isInternal }) => isInternal)))
    throw new ClickHouseUnfit(
      `The shards of the cluster ${name} have replicas. Their servers need the macros shard and replica, and the cluster internal_replication.`,
    );
  // Each shard by its first replica: further ones move no rows.
  const shards = servers.filter(({ replica }) => replica === 1);
  const named = shards.map(({ address, weight }) => (weight === 1 ? address : `${address} (weight ${weight})`));
  return { name, isReplicated, division: `Rows are divided among ${named.join(", ")}` };
}

/**
 * Whether every table was created while the cluster had the shards that it has. Otherwise a user's later rows may be on another shard than the
 * earlier ones.
 */
async function isDivided({ ask, database }: ClickHouse, { name, division }: Cluster): Promise<boolean> {
  const [found] = await ask<{ others: number }>(
    `select countIf(comment <> {p1:String}) as others from clusterAllReplicas({p2:String}, system.tables)
    where database = {p3:String} and name in {p4:Array(String)}`,
    [division, name, database, PROJECT_TABLES.map(localTable)],
  );
  return found?.others === 0;
}

/** Whether a server has a name for its shard and for its copy of it, as replicated tables need. */
async function hasReplicaMacros(clickhouse: ClickHouse): Promise<boolean> {
  const rows = await clickhouse.ask(`select macro from system.macros where macro in ('shard', 'replica')`, []);
  return rows.length === 2;
}

/** A cluster's tables lack the rows that were stored on one server, and must not be taken for those of a server. */
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
    ...(database.replica && { replica: { ...database.replica, analyse: undefined } }),
    transaction: (work, options) => database.transaction((db) => work({ ...db, clickhouse }), options),
    analyse: (text, parameters, options) => clickhouse.ask(text, parameters, options),
    // Analyses do not hold its connection.
    isHeld: () => false,
    async close() {
      await Promise.all([database.close(), clickhouse.close()]);
    },
  };
}
