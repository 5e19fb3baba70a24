import type pg from "pg";
import { createDb, type Db, type Explain, type QueryResult } from "./db.ts";
import { ExchangeFailure, exchange, type SentStatement } from "./exchange.ts";
import { TRANSACTION_TIMEOUT_MS, timedOut } from "./transaction-timeout.ts";

/** At this number, deferred statements are sent. */
const MAX_DEFERRED = 50;

const COMMIT: SentStatement = { text: "commit", values: [] };
const ROLLBACK: SentStatement = { text: "rollback", values: [] };

/** A statement to send, with the promise of its result. */
type Waiting = SentStatement & { resolve(answer: QueryResult): void; reject(error: unknown): void; explain?: Explain | undefined };

type Options = {
  acquire(): Promise<pg.PoolClient>;
  /** @param failure why the transaction failed */
  release(client: pg.PoolClient, failure?: unknown): void;
  discard(client: pg.PoolClient): void;
  /** The statements that begin every transaction. */
  opening: SentStatement[];
  isPrepared: boolean;
};

/**
 * A transaction that takes a connection when its first statement is sent. The opening is sent with that statement, and the commit with
 * deferred ones. So most writes are two round trips: one to read, and one to write and commit.
 */
export class PostgresTransaction {
  readonly db: Db;
  readonly #options: Options;
  #client: pg.PoolClient | undefined;
  #expiry: NodeJS.Timeout | undefined;
  #waiting: Waiting[] = [];
  /** Resolves when every statement sent has a reply. Never rejects. */
  #sending: Promise<void> = Promise.resolve();
  #isScheduled = false;
  /** The transaction was committed, rolled back or aborted. Statements of work that still runs are rejected. */
  #isOver = false;
  #hasAnswered = false;
  /** The error for the caller, and its cause. */
  #failure: { error: unknown; cause: unknown } | undefined;

  constructor(options: Options) {
    this.#options = options;
    this.db = createDb(
      (statement) => {
        const answer = this.#enqueue(statement);
        this.#schedule();
        return answer;
      },
      (statement, explain) => {
        // Its failure fails the transaction.
        this.#enqueue(statement, explain).catch(() => {});
        if (this.#waiting.length >= MAX_DEFERRED) this.#schedule();
      },
      (statement) => {
        const answer = this.#enqueue(statement);
        const own = this.#waiting.at(-1);
        answer.catch(() => {});
        return () => {
          // Once it was sent, the statements that wait may wait for the commit.
          if (own !== undefined && this.#waiting.includes(own)) this.#schedule();
          return answer;
        };
      },
    );
  }

  /** @param onSend called when the commit is sent; its outcome is unknown until the reply arrives */
  async commit(onSend: () => void): Promise<void> {
    await this.#sending;
    // If no statement has succeeded yet, the commit might find the connection dead, and its outcome would be unknown.
    if (!this.#hasAnswered) await this.#settle();
    this.#throwFailure();
    if (!this.#client) return;
    onSend();
    await this.#end(COMMIT);
  }

  /** Executes the deferred statements and rolls back. @throws the error of a statement */
  async dryRun(): Promise<void> {
    await this.#sending;
    this.#throwFailure();
    if (this.#waiting.length > 0 || this.#client) await this.#end(ROLLBACK);
  }

  /** Rolls back and returns the connection. Never rejects. */
  async abort(): Promise<void> {
    this.#isOver = true;
    await this.#sending;
    this.#waiting = [];
    const client = this.#release();
    if (!client) return;
    await exchange(client, [ROLLBACK], this.#options.isPrepared).then(
      () => this.#options.release(client, this.#failure?.cause),
      () => this.#options.discard(client),
    );
  }

  async #end(statement: SentStatement): Promise<void> {
    this.#enqueue(statement).catch(() => {});
    await this.#settle();
    this.#throwFailure();
    const client = this.#release();
    if (client) this.#options.release(client);
  }

  #release(): pg.PoolClient | undefined {
    this.#isOver = true;
    clearTimeout(this.#expiry);
    const client = this.#client;
    this.#client = undefined;
    return client;
  }

  #enqueue({ text, values }: SentStatement, explain?: Explain): Promise<QueryResult> {
    if (this.#isOver) return Promise.reject(new Error("The transaction is over."));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ text, values, resolve, reject, explain });
    });
  }

  /** Sends in a microtask, so that statements that are issued together are sent together. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      void this.#settle();
    });
  }

  #settle(): Promise<void> {
    this.#sending = this.#sending.then(() => this.#send());
    return this.#sending;
  }

  #throwFailure(): void {
    if (this.#failure) throw this.#failure.error;
  }

  async #send(): Promise<void> {
    const sent = this.#waiting;
    this.#waiting = [];
    if (sent.length === 0) return;
    const opening = this.#client ? [] : this.#options.opening;
    try {
      this.#throwFailure();
      this.#client ??= await this.#connect();
      const answers = await exchange(this.#client, [...opening, ...sent], this.#options.isPrepared);
      this.#hasAnswered = true;
      for (const [index, { resolve }] of sent.entries()) resolve(answers[opening.length + index] as QueryResult);
    } catch (error) {
      this.#fail(sent, opening.length, error);
    }
  }

  #fail(sent: Waiting[], opening: number, error: unknown): void {
    const { answers, cause } = error instanceof ExchangeFailure ? error : { answers: [], cause: error };
    const done = Math.max(0, answers.length - opening);
    const explain = answers.length >= opening ? sent[done]?.explain : undefined;
    this.#failure ??= { error: explain ? explain(cause) : cause, cause };
    for (const [index, { resolve, reject }] of sent.entries()) {
      if (index < done) resolve(answers[opening + index] as QueryResult);
      else reject(this.#failure.error);
    }
  }

  async #connect(): Promise<pg.PoolClient> {
    const client = await this.#options.acquire();
    this.#expiry = setTimeout(() => {
      const error = timedOut(TRANSACTION_TIMEOUT_MS);
      this.#failure = { error, cause: error.cause };
      // Closing the connection makes the database roll back.
      (client as pg.PoolClient & { connection: pg.Connection }).connection.stream.destroy();
    }, TRANSACTION_TIMEOUT_MS).unref();
    return client;
  }
}
