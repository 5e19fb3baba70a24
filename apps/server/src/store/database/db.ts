import { Prisma } from "../../generated/prisma/client.ts";
import type { AuditKey } from "./audit-key.ts";
import type { Emails } from "./emails.ts";
import type { Address, ClickHouse, Engine, Warehouse } from "./engines.ts";
import type { Models } from "./models.ts";

/** A statement as a template, `` db.$queryRaw`select …` ``, or made with `Prisma.sql`. */
type Statement = [text: TemplateStringsArray | Prisma.Sql, ...values: unknown[]];

/**
 * Runs statements, in one transaction or each in its own. int8 columns are `bigint`, numeric ones are texts. Statements of a transaction
 * that are issued together (`Promise.all`) are sent together, in their order.
 */
export type Db = {
  /** The rows that a statement returns. */
  $queryRaw<Rows = unknown[]>(...statement: Statement): Promise<Rows>;
  /**
   * Reads with the next statement of the transaction, so that the rows cost no round trip of their own. The returned function waits for them.
   * If no other statement was sent before it is called, it sends this one.
   */
  $readWithNext<Rows = unknown[]>(statement: Prisma.Sql): () => Promise<Rows>;
  /** The number of rows that a statement wrote. */
  $executeRaw(...statement: Statement): Promise<number>;
  /**
   * Sends a statement with the next one of the transaction, at the latest with the commit. If it fails, the transaction fails with the
   * error that `explain` returns.
   */
  $defer(statement: Prisma.Sql, explain?: Explain): void;
  /** Signs the entries of the change log. Undefined if the server has no such key. */
  readonly auditKey?: AuditKey | undefined;
  /** Has the events and exposures. Undefined if the database itself has them. */
  readonly clickhouse?: ClickHouse | undefined;
  /** The warehouses of projects. Undefined if there can be none. */
  readonly warehouses?: Warehouses | undefined;
  /** The webhooks of projects. Undefined if there can be none. */
  readonly webhooks?: Webhooks | undefined;
  /** The endpoints at which projects ask models. Undefined if there can be none. */
  readonly models?: Models | undefined;
  /** The server's email. Undefined if it sends none. */
  readonly emails?: Emails | undefined;
};

/** What the server knows of the webhooks of projects. */
export type Webhooks = {
  /** The address of the web console, for links in messages. */
  publicUrl: string | undefined;
  /** Why the server may not send anything to a URL, as an error message. Undefined if it may. */
  refusal(url: string): string | undefined;
  /**
   * The secret that signs messages (Standard Webhooks). Undefined without a `GATEHOUSE_SECRET_KEY`.
   * @param name of the secret in the project: the id of a webhook, or a URL
   */
  secretFor(projectID: string, name: string): string | undefined;
  /**
   * Sends a message, signed with the secret of the URL.
   * @throws WebhookFailure unless the answer is 2xx
   */
  send(projectID: string, url: string, message: WebhookMessage): Promise<void>;
  /** Sends a message, signed with the secret of this name. */
  deliver(projectID: string, to: { url: string; secretName: string }, message: WebhookMessage): Promise<WebhookOutcome>;
};

/** A message (https://www.standardwebhooks.com). Its id is the same in each attempt. */
type WebhookMessage = { id: string; time: number; body: string };

/** The outcome of an attempt: the answer, if there was one, and why it failed. The reason is null if the answer is 2xx. */
export type WebhookOutcome = { answer: WebhookAnswer | null; reason: string | null };

/** The status of an answer, and the beginning of its body. */
export type WebhookAnswer = { status: number; body: string };

/** An address without its password, and the URL encrypted. */
export type Protected = { address: Omit<Address, "password">; encrypted: string };

/** The databases that projects connect as their warehouses. */
export type Warehouses = {
  /** Encrypts the URL of a warehouse that the server may connect to. @returns the fault of another URL, as an error message */
  protect(projectID: string, type: Engine, url: string): Protected | { fault: string };
  /**
   * @param db tells the server's own database from others. It is the caller's, since a transaction may hold the only connection
   * @param encrypted as returned by `protect`
   * @throws WarehouseFailure if the server may not connect there (any more), or has another secret
   */
  open(db: Db, projectID: string, type: Engine, encrypted: string): Promise<Warehouse>;
};

/** Converts an error of the database to the error for the caller. */
export type Explain = (error: unknown) => unknown;

/** The rows that a statement returned, and the number of rows that it returned or wrote. */
export type QueryResult = { rows: unknown[]; count: number };

/**
 * @param run executes a statement
 * @param runNext executes one with the next statement. Without it, when its rows are awaited
 */
export function createDb(
  run: (statement: Prisma.Sql) => Promise<QueryResult>,
  $defer: Db["$defer"] = refuseToDefer,
  runNext: (statement: Prisma.Sql) => () => Promise<QueryResult> = (statement) => () => run(statement),
): Db {
  return {
    $queryRaw: async <Rows>(...statement: Statement) => (await run(toSql(statement))).rows as Rows,
    $readWithNext: <Rows>(statement: Prisma.Sql) => {
      const answer = runNext(statement);
      return async () => (await answer()).rows as Rows;
    },
    $executeRaw: async (...statement: Statement) => (await run(toSql(statement))).count,
    $defer,
  };
}

/** The statement of a call. */
export function toSql([text, ...values]: Statement): Prisma.Sql {
  return text instanceof Prisma.Sql ? text : Prisma.sql(text as TemplateStringsArray, ...values);
}

function refuseToDefer(): never {
  throw new Error("Only a transaction can defer a statement.");
}
