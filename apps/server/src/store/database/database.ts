import { untilAborted } from "../../common/signals.ts";
import { analyseOn, WITHOUT_LOOPS } from "./analyse.ts";
import type { AuditKey } from "./audit-key.ts";
import { readBackup } from "./backup.ts";
import { type Connections, openConnections, STATEMENT_TIMEOUT_MS } from "./connections.ts";
import { explainUnopened, prepareFolder } from "./data-folder.ts";
import { createDb, type Db, type QueryResult } from "./db.ts";
import { type EmbeddedConnection, openEmbeddedConnection } from "./embedded-connection.ts";
import { embeddedTransaction, runEmbedded } from "./embedded-transaction.ts";
import type { AnalysisOptions } from "./engines.ts";
import { ExchangeFailure, exchange, type SentStatement } from "./exchange.ts";
import { lockFolder } from "./folder-lock.ts";
import { type Listener, type Listening, listenOnPostgres } from "./listen.ts";
import type { LockRequests } from "./lock-requests.ts";
import { createDatabaseFiles } from "./new-database.ts";
import { PostgresTransaction } from "./postgres-transaction.ts";
import type { ReadReplica } from "./read-replica.ts";

/** One connection, for migrations. */
export type Session = {
  query<Row>(sql: string, parameters?: unknown[]): Promise<Row[]>;
  /** Runs several statements without parameters. */
  script(sql: string): Promise<void>;
};

type TransactionOptions = {
  /** Executes everything and rolls back. */
  dryRun: boolean;
  /** Called when the commit is sent. Its outcome is unknown until the reply arrives. */
  onCommit(): void;
};

const BEGIN: SentStatement = { text: "begin", values: [] };
/** Sets the timeouts for one transaction, since a pooler's connection cannot keep settings. */
const SET_TIMEOUTS: SentStatement = {
  text: "select set_config('statement_timeout', $1, true), set_config('idle_in_transaction_session_timeout', $1, true)",
  values: [STATEMENT_TIMEOUT_MS],
};

/** Intervals of polling for changes: with notifications, in case one is lost, and without. */
const CHANGE_POLL_MS = 5_000;
const CHANGE_POLL_WITHOUT_NOTIFICATIONS_MS = 500;

export type PostgresOptions = {
  /** A transaction pooler is in between: statements must not depend on a connection's session. */
  isPooled?: boolean;
  /** The address of Postgres itself, for migrations and notifications. */
  directUrl?: string | undefined;
  changePollMs?: number | undefined;
  /** Maximum number of connections, not counting the one that listens. */
  poolSize?: number | undefined;
};

export type Database = {
  /** Runs each statement in its own transaction. */
  db: Db;
  /** Rolls back if the work fails. */
  transaction<T>(work: (db: Db) => Promise<T>, options: TransactionOptions): Promise<T>;
  withSession<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /** Runs a statement that reads and may take minutes, on a separate connection. */
  analyse<Row>(sql: string, parameters: unknown[], options: AnalysisOptions): Promise<Row[]>;
  /** Serves large reads. Undefined without one. */
  replica?: ReadReplica | undefined;
  /**
   * Listens for notifications on a channel, and reconnects when the connection is lost. Behind a transaction pooler without a direct
   * address none arrive.
   */
  listen(channel: string, listener: Listener): Listening;
  /** Rejects if the database does not reply. */
  ping(): Promise<void>;
  /** Whether a statement that starts now may not return for long, since its connection is lost without notice or the database hangs. */
  mayHang(): boolean;
  /** Whether an analysis holds the only connection, or is about to: until it ends, writes are impossible. */
  isHeld(): boolean;
  /**
   * The most events that one statement of a load should read, and the number of parts in which it should read units: while the embedded
   * database runs a statement, all others wait.
   */
  eventsAtOnce: number;
  unitParts: number;
  /** A backup as a tar file, while others use the database. Undefined if the database has no folder. */
  backup?(): AsyncGenerator<Buffer>;
  connections(): { total: number; idle: number; waiting: number };
  /** Calls the listener with the time that each user of a connection waited for it, ms. There is one listener. */
  watchWaits(listener: (waitMs: number) => void): void;
  /** Interval of polling for changes, in case notifications are missed, ms. */
  changePollMs: number;
  close(): Promise<void>;
};

/** A Postgres server. Connects when first used, and replaces broken connections. */
export function openPostgres(
  connectionString: string,
  { isPooled = false, directUrl, changePollMs, poolSize }: PostgresOptions = {},
): Database {
  const connections = openConnections(connectionString, { isPooled, ...(poolSize !== undefined && { size: poolSize }) });
  const { pool } = connections;
  const direct = directUrl === undefined ? connections : openConnections(directUrl);
  const isNotified = !isPooled || directUrl !== undefined;
  const opening = isPooled ? [SET_TIMEOUTS] : [];
  return {
    db: createDb((statement) => runAlone(connections, [...opening, statement], !isPooled)),
    async transaction(work, { dryRun, onCommit }) {
      const transaction = new PostgresTransaction({
        acquire: () => connections.acquire(),
        release: connections.release,
        discard: connections.discard,
        opening: [BEGIN, ...opening],
        isPrepared: !isPooled,
      });
      try {
        const result = await work(transaction.db);
        await (dryRun ? transaction.dryRun() : transaction.commit(onCommit));
        return result;
      } catch (error) {
        await transaction.abort();
        throw error;
      }
    },
    async withSession(work) {
      const client = await direct.acquire();
      direct.disableSocketTimeout(client);
      try {
        if (isNotified) await client.query("set statement_timeout = 0; set idle_in_transaction_session_timeout = 0");
        return await work({
          query: async (sql, parameters) => (await client.query(sql, parameters)).rows,
          script: async (sql) => void (await client.query(sql)),
        });
      } finally {
        // Closing the connection ends the session's state (locks, settings).
        client.release(true);
      }
    },
    analyse: (sql, parameters, options) => analyseOn(connections, sql, parameters, options),
    listen(channel, listener) {
      if (!isNotified) return { close: async () => {} };
      return listenOnPostgres(directUrl ?? connectionString, channel, { ...listener, onLost: connections.suspect });
    },
    ping: async () => void (await pool.query("select 1")),
    mayHang: () => true,
    isHeld: () => false,
    ...{ eventsAtOnce: 200_000, unitParts: 1 },
    connections: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    watchWaits: connections.watchWaits,
    changePollMs: changePollMs ?? (isNotified ? CHANGE_POLL_MS : CHANGE_POLL_WITHOUT_NOTIFICATIONS_MS),
    async close() {
      await Promise.all([connections.close(), ...(direct === connections ? [] : [direct.close()])]);
    },
  };
}

/**
 * The embedded Postgres in a thread of this process, in memory or in a folder that it locks.
 * @param report receives news of the disk and of the database for the operator
 */
export async function openEmbedded(dataDir: string, report?: (message: string) => void): Promise<Database> {
  if (dataDir === "memory") return embedded(await openEmbeddedConnection());
  const folder = prepareFolder(dataDir);
  const requests: LockRequests = {};
  const unlock = await lockFolder(dataDir, requests);
  const opening = async () => {
    await createDatabaseFiles(folder);
    return openEmbeddedConnection({ folder, report });
  };
  const connection = await opening().catch(async (error: unknown) => {
    await unlock();
    throw explainUnopened(dataDir, error);
  });
  const database = embedded(connection);
  const backup = () => readBackup(connection, folder);
  requests.backup = backup;
  return {
    ...database,
    mayHang: () => connection.isResponsive === false,
    backup,
    async close() {
      await database.close();
      await unlock();
    },
  };
}

/** A database over the connection of an embedded one. */
export function embedded(connection: EmbeddedConnection): Database {
  let analyses = 0;
  return {
    db: createDb((statement) => runEmbedded(connection, statement)),
    transaction: (work, options) => embeddedTransaction(connection, work, options),
    withSession: (work) =>
      work({
        query: async <Row>(sql: string, parameters?: unknown[]) => (await connection.query<Row>(sql, parameters)).rows,
        script: async (sql) => void (await connection.exec(sql)),
      }),
    async analyse<Row>(sql: string, parameters: unknown[], { timeoutMs, signal }: AnalysisOptions) {
      analyses++;
      const done = connection.transaction(async (transaction) => {
        signal.throwIfAborted();
        await transaction.query(`select ${WITHOUT_LOOPS}`);
        return (await transaction.query<Row>(sql, parameters)).rows;
      }, timeoutMs);
      // An abandoned statement holds the connection until it ends.
      return untilAborted(
        signal,
        done.finally(() => analyses--),
      );
    },
    listen(channel, listener) {
      const started = connection.listen(channel, listener.onMessage).then((stop) => {
        listener.onConnected();
        return stop;
      });
      const stopHearing = connection.onReopened?.(() => listener.onConnected());
      return {
        async close() {
          stopHearing?.();
          if (!connection.closed) await (await started)();
        },
      };
    },
    async ping() {
      // Not a query, which would wait for a long one.
      if (connection.closed || connection.isResponsive === false) throw new Error("PGlite is closed");
    },
    mayHang: () => false,
    isHeld: () => analyses > 0,
    ...{ eventsAtOnce: 12_000, unitParts: 4 },
    connections: () => ({ total: 1, idle: 1, waiting: 0 }),
    watchWaits: (listener) => connection.watchWaits?.(listener),
    changePollMs: CHANGE_POLL_MS,
    async close() {
      if (!connection.closed) await connection.close();
    },
  };
}

/** The same database, whose change log is signed with a key. */
export function withAuditKey(database: Database, auditKey: AuditKey): Database {
  return {
    ...database,
    db: { ...database.db, auditKey },
    transaction: (work, options) => database.transaction((db) => work({ ...db, auditKey }), options),
  };
}

/** Runs statements outside a transaction, and returns the result of the last one. */
async function runAlone({ acquire, release }: Connections, statements: SentStatement[], isPrepared: boolean): Promise<QueryResult> {
  const client = await acquire();
  try {
    const answers = await exchange(client, statements, isPrepared);
    release(client);
    return answers.at(-1) as QueryResult;
  } catch (error) {
    const cause = error instanceof ExchangeFailure ? error.cause : error;
    release(client, cause);
    throw cause;
  }
}
