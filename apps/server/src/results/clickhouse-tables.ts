/** The tables that have rows of projects. */
export const PROJECT_TABLES = ["event", "kept_event", "experiment_exposure", "check_exposure"] as const;

/** What a server acknowledged is on disk. */
const DURABLE = "fsync_after_insert = 1, fsync_part_directory = 1";

/**
 * The statements that create ClickHouse's tables of events and exposures, which have the columns of those of the same names in Postgres. They may
 * be repeated.
 */
export const CLICKHOUSE_TABLES: readonly string[] = [
  eventTable("event"),
  // What was kept of days that Postgres had dropped when its events were moved. ClickHouse itself keeps a day as long as an analysis needs it.
  eventTable("kept_event"),
  `create table if not exists dropped_event_day ("day" Int32) engine = ReplacingMergeTree order by "day"`,
  exposureTable("experiment_exposure", ["experimentID", "groupID"]),
  exposureTable("check_exposure", ["entityType", "entityID", "ruleID", "passed"]),
];

/** The key is the one of Postgres: a metric reads the events of a name. A day of arrival is forgotten by dropping its partition. */
function eventTable(name: string): string {
  return `create table if not exists ${name} (
  "projectID" String, "name" String, "time" Int64, "id" Int64, "day" Int32, "source" LowCardinality(String), "userID" String,
  "customIDs" Nullable(String), "value" String, "environment" LowCardinality(String), "exposed" Nullable(String), "ruleID" Nullable(String),
  "metadata" String, "userFields" Nullable(String), "secondaryExposures" Nullable(String)
) engine = MergeTree partition by "day" order by ("projectID", "name", "time", "id")
  settings non_replicated_deduplication_window = 10000, ${DURABLE}`;
}

/** Of the rows of a unit, the one with the first time stays. Which is written last does not matter. */
function exposureTable(name: string, entity: string[]): string {
  const key = ["projectID", ...entity, "unitID"].map((column) => `"${column}"`).join(", ");
  const columns = entity.map((column) => `"${column}" ${column === "passed" ? "Bool" : "String"}`).join(", ");
  return `create table if not exists ${name} (
  "projectID" String, ${columns}, "unitID" String, "firstTime" Int64, "environment" Nullable(String), "userFields" Nullable(String),
  "earliness" UInt64 materialized toUInt64(4611686018427387904 - "firstTime")
) engine = ReplacingMergeTree("earliness") order by (${key}) settings ${DURABLE}`;
}
