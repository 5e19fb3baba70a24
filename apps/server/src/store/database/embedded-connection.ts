import { isTimeout } from "./database-errors.ts";
import { closedError, EmbeddedThread, type Request } from "./embedded-thread.ts";

type Answer<Row> = { rows: Row[]; affectedRows?: number };
type Queries = {
  /** Answers 64-bit integers as bigints. @throws an error with Postgres's fields */
  query<Row>(text: string, values?: unknown[]): Promise<Answer<Row>>;
};

/** A transaction that is open. */
export type EmbeddedTransaction = Queries & { rollback(): Promise<void> };

/** The one connection of an embedded database. Its statements and transactions run one after the other. */
export type EmbeddedConnection = Queries & {
  /** Runs several statements without parameters. */
  exec(sql: string): Promise<unknown>;
  /**
   * Commits if the work resolves without having rolled back.
   * @param limitMs the time limit of each statement
   */
  transaction<T>(work: (transaction: EmbeddedTransaction) => Promise<T>, limitMs?: number): Promise<T>;
  listen(channel: string, onMessage: (payload: string) => void): Promise<() => Promise<void>>;
  /** Calls the listener when notifications arrive again, after some may have been missed. @returns a function that stops it */
  onReopened?(listener: () => void): () => void;
  /** Calls the listener with the time that each statement and transaction waited for those before it, ms. There is one listener. */
  watchWaits?(listener: (waitMs: number) => void): void;
  /** While the write-ahead log is kept, no checkpoint removes parts of it. */
  keepLog?(isKept: boolean): Promise<void>;
  /** Whether statements get answers. */
  readonly isResponsive?: boolean;
  close(): Promise<void>;
  readonly closed: boolean;
};

type Options = {
  /** The database's folder. Undefined means a database in memory, which is lost if its thread ends. */
  folder?: string | undefined;
  /** Receives news of the disk and of the database for the operator. */
  report?: (message: string) => void;
  /** The time limit of statements, for tests. */
  limitMs?: number;
};

/** The time limit of a statement: twice that of Postgres, since ending one means to open the database again. */
const STATEMENT_LIMIT_MS = 60_000;
/** A database whose statement takes longer counts as away. */
const RESPONSIVE_MS = 10_000;
/** The time limit of opening the database again, and the shortest time between two attempts. */
const REOPEN_LIMIT_MS = 60_000;
const REOPEN_INTERVAL_MS = 1_000;
/** Transactions can only read for this time after the database failed, so that a disk that fails writes does not end it all the time. */
const READ_ONLY_AFTER_FAILURE_MS = 2_000;

/**
 * Opens a database in its own thread, so that a long statement delays other statements only: requests without a statement are answered. If
 * the thread fails, or a statement takes too long, it is ended and the database is opened again from its folder, with all committed data.
 */
export async function openEmbeddedConnection(options: Options = {}): Promise<EmbeddedConnection> {
  const connection = new ReopeningConnection(options);
  await connection.open();
  return connection;
}

class ReopeningConnection implements EmbeddedConnection {
  readonly #folder: string | undefined;
  readonly #report: (message: string) => void;
  readonly #limitMs: number | undefined;
  readonly #listeners = new Map<string, Set<(payload: string) => void>>();
  readonly #reopenListeners = new Set<() => void>();
  #thread: EmbeddedThread | undefined;
  /** Settles when everything before has ended. */
  #last: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;
  /** The cause of the thread's end. */
  #cause: Error | undefined;
  #onWait = (_waitMs: number) => {};
  #readOnlyUntil = 0;
  #nextAttempt = 0;
  /** Since when the running statement has had no answer, unless it may take long. */
  #waitingSince: number | undefined;

  constructor({ folder, report = () => {}, limitMs = STATEMENT_LIMIT_MS }: Options) {
    this.#folder = folder;
    this.#report = report;
    // A database in memory would be lost.
    this.#limitMs = folder === undefined ? undefined : limitMs;
  }

  get closed(): boolean {
    return this.#closing !== undefined || (this.#folder === undefined && this.#thread?.isEnded === true);
  }

  get isResponsive(): boolean {
    if (this.closed || this.#thread === undefined || this.#thread.isEnded) return false;
    return this.#waitingSince === undefined || performance.now() - this.#waitingSince < RESPONSIVE_MS;
  }

  async open(limitMs?: number): Promise<EmbeddedThread> {
    // One that fails to open has no successor yet.
    let opened: EmbeddedThread | undefined;
    opened = await EmbeddedThread.open(
      {
        folder: this.#folder,
        readOnlyUntil: this.#readOnlyUntil,
        onNotification: (channel, payload) => {
          for (const onMessage of this.#listeners.get(channel) ?? []) onMessage(payload);
        },
        onReadOnly: (isReadOnly) => this.#report(isReadOnly ? READ_ONLY : WRITABLE),
        onEnd: (cause) => {
          if (opened !== undefined && this.#thread === opened) this.#onEnd(cause);
        },
      },
      limitMs,
    );
    this.#thread = opened;
    return opened;
  }

  query<Row>(text: string, values: unknown[] = []): Promise<Answer<Row>> {
    return this.#alone(async () => this.#ask(await this.#current(), { type: "query", text, values }));
  }

  /** Has no time limit, since migrations take as long as they take. */
  exec(sql: string): Promise<void> {
    return this.#alone(async () => (await this.#current()).ask({ type: "script", sql }));
  }

  transaction<T>(work: (transaction: EmbeddedTransaction) => Promise<T>, limitMs?: number): Promise<T> {
    return this.#alone(async () => {
      const thread = await this.#current();
      await this.#ask(thread, { type: "script", sql: "begin" });
      let isOpen = true;
      const end = async (sql: string) => {
        isOpen = false;
        await this.#ask(thread, { type: "script", sql });
      };
      const requireOpen = () => {
        if (!isOpen) throw new Error("The transaction is closed.");
      };
      try {
        const result = await work({
          query: async (text, values = []) => {
            requireOpen();
            return this.#ask(thread, { type: "query", text, values }, limitMs);
          },
          rollback: async () => {
            requireOpen();
            await end("rollback");
          },
        });
        if (isOpen) await end("commit");
        return result;
      } catch (error) {
        // Without the thread, a rollback is impossible.
        if (isOpen) await end("rollback").catch(() => {});
        throw error;
      }
    });
  }

  async listen(channel: string, onMessage: (payload: string) => void): Promise<() => Promise<void>> {
    let listeners = this.#listeners.get(channel);
    if (!listeners) {
      listeners = new Set();
      this.#listeners.set(channel, listeners);
      await this.#alone(async () => this.#ask(await this.#current(), { type: "listen", channel }));
    }
    listeners.add(onMessage);
    return async () => void listeners.delete(onMessage);
  }

  keepLog(isKept: boolean): Promise<void> {
    return this.#alone(async () => this.#ask(await this.#current(), { type: "keepLog", isKept }));
  }

  onReopened(listener: () => void): () => void {
    this.#reopenListeners.add(listener);
    return () => void this.#reopenListeners.delete(listener);
  }

  watchWaits(listener: (waitMs: number) => void): void {
    this.#onWait = listener;
  }

  close(): Promise<void> {
    this.#closing ??= this.#alone(async () => this.#thread?.close(), true);
    return this.#closing;
  }

  /** Runs the work when everything before it has ended. */
  #alone<T>(work: () => Promise<T>, isLast = false): Promise<T> {
    if (this.#closing && !isLast) return Promise.reject(closedError());
    const startedAt = performance.now();
    const done = this.#last.then(() => {
      this.#onWait(performance.now() - startedAt);
      return work();
    });
    this.#last = done.catch(() => {});
    return done;
  }

  async #ask<T>(thread: EmbeddedThread, request: Request, limitMs = this.#limitMs): Promise<T> {
    if (limitMs === this.#limitMs) this.#waitingSince = performance.now();
    try {
      return await thread.ask<T>(request, this.#limitMs && limitMs);
    } finally {
      this.#waitingSince = undefined;
    }
  }

  /** The thread, after it was opened again if it had ended. @throws the cause of its end if that is not possible now */
  async #current(): Promise<EmbeddedThread> {
    if (this.#thread !== undefined && !this.#thread.isEnded) return this.#thread;
    if (this.#folder === undefined || Date.now() < this.#nextAttempt) throw closedError(this.#cause);
    this.#nextAttempt = Date.now() + REOPEN_INTERVAL_MS;
    try {
      const thread = await this.open(REOPEN_LIMIT_MS);
      for (const channel of this.#listeners.keys()) await thread.ask({ type: "listen", channel }, this.#limitMs);
      this.#report("The embedded database is open again.");
      for (const listener of this.#reopenListeners) listener();
      return thread;
    } catch (error) {
      // Opening costs as much as hundreds of statements.
      this.#nextAttempt = Date.now() + REOPEN_INTERVAL_MS;
      throw closedError(this.#cause ?? (error as Error));
    }
  }

  #onEnd(cause: Error | undefined): void {
    if (this.#closing !== undefined && cause === undefined) return;
    this.#cause = cause;
    if (!isTimeout(cause)) this.#readOnlyUntil = Date.now() + READ_ONLY_AFTER_FAILURE_MS;
    this.#report(`The embedded database was ended and will be opened again: ${cause?.message ?? "its thread exited"}.`);
    if (this.#folder !== undefined) void this.#alone(() => this.#current()).catch(() => {});
  }
}

const READ_ONLY = "The disk of the data folder has less than 32 MiB of free space. Writes are refused until it has more.";
const WRITABLE = "The disk of the data folder has enough free space again. Writes are accepted.";
