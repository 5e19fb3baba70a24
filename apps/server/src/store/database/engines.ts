import type { Dialect } from "../../results/sql/dialect.ts";
import type { Statement } from "../../results/sql/statement.ts";

export type AnalysisOptions = {
  /** The statement is ended after this time. To end one, the embedded database is opened again. */
  timeoutMs: number;
  /** Ends the statement. */
  signal: AbortSignal;
};

/** The most bytes of an answer of a warehouse: a list of a million units has half as many. */
export const MOST_ANSWER_BYTES = 2 ** 27;

/** How much a warehouse may take, and answer. */
export type WarehouseOptions = AnalysisOptions & {
  /** The answer is refused beyond. Default: `MOST_ANSWER_BYTES`. */
  maxBytes?: number;
};

/** A statement without a signal ends at its limit alone, and an answer has as many bytes as it has. */
export type Limits = Pick<WarehouseOptions, "timeoutMs"> & Partial<Pick<WarehouseOptions, "signal" | "maxBytes">>;

/** ClickHouse, which stores events and exposures in place of the database, and computes results from them. */
export type ClickHouse = {
  readonly dialect: Dialect;
  readonly database: string;
  /** The name of the cluster whose servers have the tables together; undefined if one server has them. */
  readonly cluster: string | undefined;
  /**
   * The rows of a statement in ClickHouse's dialect, with its parameters in their order. Whole numbers are numbers. Its errors have the code
   * (SQLSTATE) with which Postgres would say the same.
   */
  ask<Row>(text: string, parameters: readonly unknown[], limits?: Limits): Promise<Row[]>;
  /** Runs a statement that creates or deletes, and waits for its effect. */
  command(text: string): Promise<void>;
  /** Inserts rows, each a line of JSON. Has no effect if it has inserted the rows of this token into the table before. */
  insert(table: string, rows: string, token: string): Promise<void>;
  close(): Promise<void>;
};

/** The engines that can be a project's warehouse. */
export type Engine = "postgres" | "clickhouse";

/** A warehouse's address and login. */
export type Address = {
  type: Engine;
  /** In lower case. */
  host: string;
  port: number;
  database: string;
  username: string;
  password: string;
  /** Whether the connection is encrypted, and whether the certificate must be one of the host's. */
  encryption: "off" | "on" | "verified";
};

/** A column of a select, with its type as the engine names it. */
export type Column = { name: string; type: string };

/** SQL that people wrote: one select, and formulas over its columns, each with the name of the column that it computes. */
export type SourceSql = { query: string; formulas?: readonly { key: string; formula: string }[] };

/**
 * A database of a project, read with the project's credentials. Each statement has a separate connection and can only read.
 * @throws WarehouseFailure
 */
export type Warehouse = {
  dialect: Dialect;
  /**
   * The columns of a select, and those that formulas compute. Refuses a query that is not a complete select, and a formula that is not an
   * expression: in the parentheses of a statement, they could end these. Callers ask for the columns first, then build a statement.
   */
  readColumns(source: SourceSql, options: WarehouseOptions): Promise<Column[]>;
  ask<Row>(statement: Statement, options: WarehouseOptions): Promise<Row[]>;
  /** The engine's version, if the warehouse can be used. */
  check(options: AnalysisOptions): Promise<string>;
};
