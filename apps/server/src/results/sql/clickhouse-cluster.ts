import { clickhouse, toLiteral } from "./clickhouse-dialect.ts";
import { localTable, PROJECT_TABLES } from "./clickhouse-tables.ts";
import type { Dialect, StoredTable } from "./dialect.ts";

/** The settings of a cluster's dialect. */
type Given = {
  cluster: string;
  /** The database that has the tables, on each server. */
  database: string;
  /** Whether all rows of a user are known to be on one shard. */
  isDividedByUser: boolean;
};

/**
 * The dialect of a cluster. Its shards filter and count their own rows, and the requested server joins their answers. A list that another
 * table gives goes to all of them. Where rows are divided by user, each shard also joins its own users with their events.
 */
export function clickhouseCluster({ cluster, database, isDividedByUser }: Given): Dialect {
  const whole: Dialect = { ...clickhouse, settings: { ...clickhouse.settings, distributed_product_mode: "global" } };
  if (!isDividedByUser) return whole;
  const own: Dialect = { ...whole, table: (table) => `${whole.name(database)}.${divided.has(table) ? localTable(table) : table}` };
  return { ...whole, shards: { dialect: own, each: (statement) => `cluster(${toLiteral(cluster)}, view(${statement}))` } };
}

/** Days belong to no user: every shard asks all of them. */
const divided: ReadonlySet<StoredTable> = new Set(PROJECT_TABLES);
