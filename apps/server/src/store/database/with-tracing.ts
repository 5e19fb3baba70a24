import type { Tracing } from "../../common/tracing.ts";
import type { Database } from "./database.ts";
import { type Db, toSql } from "./db.ts";
import type { ClickHouse } from "./engines.ts";
import type { ReadReplica } from "./read-replica.ts";

/** The same database, whose statements have spans. */
export function withTracing(database: Database, tracing: Tracing): Database {
  return {
    ...database,
    db: tracedDb(database.db, tracing),
    ...(database.replica && { replica: tracedReplica(database.replica, tracing) }),
    transaction: (work, options) => tracing.transaction(() => database.transaction((db) => work(tracedDb(db, tracing)), options)),
    analyse: tracedAnalyse(database.analyse, tracing),
  };
}

function tracedReplica(replica: ReadReplica, tracing: Tracing): ReadReplica {
  return { ...replica, db: tracedDb(replica.db, tracing), analyse: replica.analyse && tracedAnalyse(replica.analyse, tracing) };
}

function tracedAnalyse(analyse: Database["analyse"], tracing: Tracing): Database["analyse"] {
  return (sql, parameters, options) => tracing.statement({ system: "postgresql", text: sql }, () => analyse(sql, parameters, options));
}

/** Statements that a transaction defers are part of its span. */
function tracedDb(db: Db, tracing: Tracing): Db {
  return {
    ...db,
    $queryRaw(...statement) {
      const sql = toSql(statement);
      return tracing.statement({ system: "postgresql", text: sql.text }, () => db.$queryRaw(sql));
    },
    $executeRaw(...statement) {
      const sql = toSql(statement);
      return tracing.statement({ system: "postgresql", text: sql.text }, () => db.$executeRaw(sql));
    },
    ...(db.clickhouse && { clickhouse: tracedClickHouse(db.clickhouse, tracing) }),
  };
}

function tracedClickHouse(clickhouse: ClickHouse, tracing: Tracing): ClickHouse {
  const statement = <T>(text: string, work: () => Promise<T>) => tracing.statement({ system: "clickhouse", text }, work);
  return {
    ...clickhouse,
    ask: (text, ...rest) => statement(text, () => clickhouse.ask(text, ...rest)),
    command: (text) => statement(text, () => clickhouse.command(text)),
    insert: (table, ...rest) => statement(`insert into ${table}`, () => clickhouse.insert(table, ...rest)),
  };
}
