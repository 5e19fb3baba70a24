import { once } from "node:events";
import { Worker } from "node:worker_threads";

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
  /** Commits if the work resolves without having rolled back. */
  transaction<T>(work: (transaction: EmbeddedTransaction) => Promise<T>): Promise<T>;
  listen(channel: string, onMessage: (payload: string) => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
  readonly closed: boolean;
};

/** What the thread is asked. */
export type Request =
  | { type: "query"; text: string; values: unknown[] }
  | { type: "script"; sql: string }
  | { type: "listen"; channel: string }
  | { type: "close" };

type Message =
  | { id: number; result: unknown }
  | { id: number; error: { message: string; fields: object } }
  | { channel: string; payload: string };
type Pending = { resolve(result: unknown): void; reject(error: Error): void };

/**
 * Opens a database in a thread of its own, so that a long statement delays other statements only: the server answers what needs none.
 * @param folder the database's folder, or none for one in memory
 */
export async function openEmbeddedThread(folder?: string): Promise<EmbeddedConnection> {
  const worker = new Worker(new URL("./embedded-worker.mjs", import.meta.url), { workerData: { folder } });
  await once(worker, "message");
  return new EmbeddedThread(worker);
}

class EmbeddedThread implements EmbeddedConnection {
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  readonly #listeners = new Map<string, Set<(payload: string) => void>>();
  #nextID = 0;
  /** Settles when everything before has ended. */
  #last: Promise<unknown> = Promise.resolve();
  #end: Error | undefined;
  #closing: Promise<void> | undefined;

  constructor(worker: Worker) {
    this.#worker = worker;
    worker.on("message", (message: Message) => this.#receive(message));
    worker.on("error", (error) => this.#finish(error));
    worker.on("exit", () => this.#finish());
  }

  get closed(): boolean {
    return this.#end !== undefined || this.#closing !== undefined;
  }

  query<Row>(text: string, values: unknown[] = []): Promise<Answer<Row>> {
    return this.#alone(() => this.#ask({ type: "query", text, values }));
  }

  exec(sql: string): Promise<void> {
    return this.#alone(() => this.#ask({ type: "script", sql }));
  }

  transaction<T>(work: (transaction: EmbeddedTransaction) => Promise<T>): Promise<T> {
    return this.#alone(async () => {
      await this.#ask({ type: "script", sql: "begin" });
      let isOpen = true;
      const end = async (sql: string) => {
        isOpen = false;
        await this.#ask({ type: "script", sql });
      };
      const requireOpen = () => {
        if (!isOpen) throw new Error("The transaction is closed.");
      };
      try {
        const result = await work({
          query: async (text, values = []) => {
            requireOpen();
            return this.#ask({ type: "query", text, values });
          },
          rollback: async () => {
            requireOpen();
            await end("rollback");
          },
        });
        if (isOpen) await end("commit");
        return result;
      } catch (error) {
        // Without the thread there is nothing left to roll back.
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
      await this.#alone(() => this.#ask({ type: "listen", channel }));
    }
    listeners.add(onMessage);
    return async () => void listeners.delete(onMessage);
  }

  close(): Promise<void> {
    this.#closing ??= this.#alone(async () => {
      if (this.#end) return;
      const exit = once(this.#worker, "exit");
      await this.#ask({ type: "close" });
      await exit;
    }, true);
    return this.#closing;
  }

  /** Runs the work when everything before it has ended. */
  #alone<T>(work: () => Promise<T>, isLast = false): Promise<T> {
    if (this.#closing && !isLast) return Promise.reject(closedError());
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }

  #ask<T>(request: Request): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#end) return reject(this.#end);
      const id = this.#nextID++;
      this.#worker.postMessage({ id, ...request });
      this.#pending.set(id, { resolve: resolve as (result: unknown) => void, reject });
    });
  }

  #receive(message: Message): void {
    if ("channel" in message) {
      for (const onMessage of this.#listeners.get(message.channel) ?? []) onMessage(message.payload);
      return;
    }
    const pending = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if ("error" in message) pending?.reject(Object.assign(new Error(message.error.message), message.error.fields));
    else pending?.resolve(message.result);
  }

  #finish(cause?: Error): void {
    this.#end ??= closedError(cause);
    for (const { reject } of this.#pending.values()) reject(this.#end);
    this.#pending.clear();
  }
}

function closedError(cause?: Error): Error {
  return new Error("PGlite is closed", { cause });
}
