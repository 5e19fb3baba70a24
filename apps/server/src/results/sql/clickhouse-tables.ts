import { toLiteral } from "./clickhouse-dialect.ts";

/** The tables that have rows of projects. */
export const PROJECT_TABLES = ["event", "kept_event", "experiment_exposure", "check_exposure"] as const;

/** A cluster of ClickHouse servers. */
export type Cluster = {
  name: string;
  /** Whether every table has copies on other servers, which a keeper coordinates. */
  isReplicated: boolean;
  /** Among which servers rows are divided, as a comment on tables that says so when they are created. */
  division: string;
};

type Table = {
  name: string;
  columns: string;
  engine: string;
  /** The clause after the engine. */
  order: string;
  settings?: string[];
  /** Settings that depend on whether the table has copies. */
  ownSettings?: Record<"single" | "replicated", string>;
  /** The number that decides which shard has a row. */
  shard: string;
};

/** Acknowledged rows are on disk. */
const DURABLE = ["fsync_after_insert = 1", "fsync_part_directory = 1"];
/** For how many of the last insertions a repetition is known. By default, a keeper forgets them after an hour. */
const KNOWN_INSERTIONS = {
  single: "non_replicated_deduplication_window = 10000",
  replicated: "replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800",
};

const TABLES: readonly Table[] = [
  eventTable("event"),
  // Kept events of days that Postgres had dropped when its events were moved. ClickHouse keeps a day as long as an analysis needs it.
  eventTable("kept_event"),
  { name: "dropped_event_day", columns: `"day" Int32`, engine: "ReplacingMergeTree", order: `order by "day"`, shard: `"day"` },
  exposureTable("experiment_exposure", ["experimentID", "groupID"]),
  exposureTable("check_exposure", ["entityType", "entityID", "ruleID", "passed"]),
];

export const TABLE_NAMES = TABLES.map(({ name }) => name);

/**
 * The statements that create ClickHouse's tables of events and exposures, with the columns of the Postgres tables with the same names. They
 * may be repeated.
 */
export const CLICKHOUSE_TABLES: readonly string[] = TABLES.map((table) => creation(table, table.name, table.engine, "single"));

/**
 * The statements that create the tables on every server of a cluster: the part of each server, and the table of all rows, which has the name that
 * statements know. They may be repeated.
 * @param database that has the tables, on each server
 */
export function clusterTables({ name: cluster, isReplicated, division }: Cluster, database: string): string[] {
  return TABLES.flatMap((table) => {
    const [engine, kind] = isReplicated ? ([`Replicated${table.engine}`, "replicated"] as const) : ([table.engine, "single"] as const);
    const part = localTable(table.name);
    const args = [...[cluster, database, part].map(toLiteral), table.shard];
    return [
      `${creation(table, inPlace(table.name, cluster), engine, kind)} comment ${toLiteral(division)}`,
      `create table if not exists ${table.name} on cluster "${cluster}" as ${part} engine = Distributed(${args.join(", ")})`,
    ];
  });
}

/**
 * The name of a table in a statement that alters its rows in place. Tables of all rows cannot do that.
 * @param cluster the name of the cluster, if it exists
 */
export function inPlace(table: string, cluster: string | undefined): string {
  return cluster === undefined ? table : `${localTable(table)} on cluster "${cluster}"`;
}

/** The table that has the rows of one shard. */
export const localTable = (table: string) => `${table}_local`;

function creation(
  { columns, order, settings = [], ownSettings }: Table,
  name: string,
  engine: string,
  kind: "single" | "replicated",
): string {
  const all = [...(ownSettings ? [ownSettings[kind]] : []), ...settings];
  return `create table if not exists ${name} (${columns}) engine = ${engine} ${order}${all.length > 0 ? ` settings ${all.join(", ")}` : ""}`;
}

/**
 * The key is the one of Postgres: a metric reads the events of a name. A day of arrival is forgotten by dropping its partition. A user's events are
 * on the shard that has the user's exposures.
 */
function eventTable(name: string): Table {
  return {
    name,
    columns: `
  "projectID" String, "name" String, "time" Int64, "id" Int64, "day" Int32, "source" LowCardinality(String), "userID" String,
  "customIDs" Nullable(String), "value" String, "environment" LowCardinality(String), "exposed" Nullable(String), "ruleID" Nullable(String),
  "metadata" String, "userFields" Nullable(String), "secondaryExposures" Nullable(String)
`,
    engine: "MergeTree",
    order: `partition by "day" order by ("projectID", "name", "time", "id")`,
    settings: DURABLE,
    ownSettings: KNOWN_INSERTIONS,
    shard: `cityHash64(if("userID" = '', ifNull("customIDs", ''), "userID"))`,
  };
}

/** A unit's row with the first time in an environment stays, in any order of writes. All its rows are on one shard. */
function exposureTable(name: string, entity: string[]): Table {
  const key = ["projectID", ...entity, "unitID", "environment"].map((column) => `"${column}"`).join(", ");
  const columns = entity.map((column) => `"${column}" ${column === "passed" ? "Bool" : "String"}`).join(", ");
  return {
    name,
    columns: `
  "projectID" String, ${columns}, "unitID" String, "firstTime" Int64, "environment" String, "userFields" Nullable(String),
  "earliness" UInt64 materialized toUInt64(4611686018427387904 - "firstTime")
`,
    engine: `ReplacingMergeTree("earliness")`,
    order: `order by (${key})`,
    settings: DURABLE,
    shard: `cityHash64("unitID")`,
  };
}
