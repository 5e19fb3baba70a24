import { Prisma } from "../generated/prisma/client.ts";

/** A statement as a template, `` db.$queryRaw`select …` ``, or made before with `Prisma.sql`. */
type Statement = [text: TemplateStringsArray | Prisma.Sql, ...values: unknown[]];

/**
 * Runs statements, in one transaction or each for itself. Columns of the type int8 are `bigint`, numeric ones are texts. Statements of a
 * transaction that are issued together (`Promise.all`) are sent together, in their order.
 */
export type Db = {
  /** The rows that a statement returns. */
  $queryRaw<Rows = unknown[]>(...statement: Statement): Promise<Rows>;
  /** How many rows a statement wrote. */
  $executeRaw(...statement: Statement): Promise<number>;
  /**
   * Sends a statement with the next one of the transaction, at the latest with the commit. If it fails, so does whatever it was sent with,
   * and the transaction: with what `explain` makes of the error.
   */
  $defer(statement: Prisma.Sql, explain?: Explain): void;
};

/** What the caller is to know of an error. */
export type Explain = (error: unknown) => unknown;

/** The rows that a statement returned, and how many it returned or wrote. */
export type Answer = { rows: unknown[]; count: number };

/** @param run carries a statement out */
export function createDb(run: (statement: Prisma.Sql) => Promise<Answer>, $defer: Db["$defer"] = refuseToDefer): Db {
  return {
    $queryRaw: async <Rows>(...statement: Statement) => (await run(toSql(statement))).rows as Rows,
    $executeRaw: async (...statement: Statement) => (await run(toSql(statement))).count,
    $defer,
  };
}

function toSql([text, ...values]: Statement): Prisma.Sql {
  return text instanceof Prisma.Sql ? text : Prisma.sql(text as TemplateStringsArray, ...values);
}

function refuseToDefer(): never {
  throw new Error("Only a transaction can defer a statement.");
}
