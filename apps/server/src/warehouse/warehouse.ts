import type { Dialect } from "../results/sql/dialect.ts";
import type { Statement } from "../results/sql/statement.ts";
import type { AnalysisOptions } from "../store/database.ts";

/** A column of a select, with its type as the engine names it. */
export type Column = { name: string; type: string };

/**
 * A database of a project, which is read by the credentials that the project gave. Each statement has a connection of its own and can only read.
 * @throws WarehouseFailure
 */
export type Warehouse = {
  dialect: Dialect;
  /** The columns of one select. */
  columnsOf(query: string, options: AnalysisOptions): Promise<Column[]>;
  ask<Row>(statement: Statement, options: AnalysisOptions): Promise<Row[]>;
  /** The engine's version, if the warehouse can be used. */
  check(options: AnalysisOptions): Promise<string>;
};

/** Why a warehouse did not answer. The message is for people. */
export class WarehouseFailure extends Error {
  /** Whether it could not be reached, may not be used, refused the statement, or took too long. */
  readonly kind: "unreachable" | "refused" | "refused-statement" | "late";

  constructor(kind: WarehouseFailure["kind"], message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}
