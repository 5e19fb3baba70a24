import { Worker } from "node:worker_threads";
import { readNewDatabase } from "./new-database.ts";

/** A request to the thread. */
export type Request =
  | { type: "query"; text: string; values: unknown[] }
  | { type: "script"; sql: string }
  | { type: "listen"; channel: string }
  | { type: "keepLog"; isKept: boolean }
  | { type: "close" };

type Message =
  | { id: number; result: unknown }
  | { id: number; error: { message: string; fields: object }; isFatal: boolean }
  | { channel: string; payload: string }
  | { isReadOnly: boolean };
type Pending = { resolve(result: unknown): void; reject(error: Error): void };

type Options = {
  /** The database's folder. Undefined means a database in memory. */
  folder: string | undefined;
  /** Transactions can only read before this time, ms since the epoch. */
  readOnlyUntil: number;
  onNotification(channel: string, payload: string): void;
  /** Called when the disk has too little space for writes, and when it has enough again. */
  onReadOnly(isReadOnly: boolean): void;
  /** Called once, with the reason unless the thread was closed. */
  onEnd(cause: Error | undefined): void;
};

/** The ID of the message that says that the database is open. */
const OPENING = 0;
/** Rows live shortly. By default, V8 would use 48 MB for them. */
const MAX_YOUNG_GENERATION_MB = 4;
/** The longest time that a thread may take to close its database. */
const CLOSE_TIMEOUT_MS = 5_000;

/** The embedded database in its own thread. Ending the thread is the only way to end a statement. */
export class EmbeddedThread {
  readonly #worker: Worker;
  readonly #options: Options;
  readonly #exit: Promise<unknown>;
  readonly #pending = new Map<number, Pending>();
  #lastID = OPENING;
  #end: Error | undefined;

  private constructor(options: Options) {
    const { folder, readOnlyUntil } = options;
    const workerData = { folder, readOnlyUntil, newDatabase: folder === undefined ? readNewDatabase() : undefined };
    this.#worker = new Worker(new URL("./embedded-worker.mjs", import.meta.url), {
      workerData,
      resourceLimits: { maxYoungGenerationSizeMb: MAX_YOUNG_GENERATION_MB },
    });
    this.#options = options;
    this.#exit = new Promise((resolve) => this.#worker.once("exit", resolve));
    this.#worker.on("message", (message: Message) => this.#receive(message));
    this.#worker.on("error", (error) => this.#finish(error));
    this.#worker.on("exit", () => this.#finish());
  }

  /** @throws if the database cannot be opened, or not within the limit */
  static async open(options: Options, limitMs?: number): Promise<EmbeddedThread> {
    const thread = new EmbeddedThread(options);
    await thread.#answer(OPENING, limitMs).catch((error: Error) => {
      throw error.cause ?? error;
    });
    return thread;
  }

  get isEnded(): boolean {
    return this.#end !== undefined;
  }

  /** @throws an error with Postgres's fields. If the request takes longer than the limit, the thread is ended. */
  async ask<T>(request: Request, limitMs?: number): Promise<T> {
    if (this.#end) throw this.#end;
    const id = ++this.#lastID;
    this.#worker.postMessage({ id, ...request });
    return this.#answer(id, limitMs);
  }

  /** Ends the thread at once. Requests without an answer fail as on a lost connection. */
  end(cause: Error): void {
    this.#finish(cause);
    void this.#worker.terminate();
  }

  /** Closes the database. If that takes too long, or the thread has ended, the next start recovers all committed data. */
  async close(): Promise<void> {
    if (!this.#end) await this.ask({ type: "close" }, CLOSE_TIMEOUT_MS).catch(() => {});
    await this.#exit;
  }

  #answer<T>(id: number, limitMs?: number): Promise<T> {
    const answer = new Promise<T>((resolve, reject) => {
      this.#pending.set(id, { resolve: resolve as (result: unknown) => void, reject });
    });
    if (limitMs === undefined) return answer;
    const timer = setTimeout(() => {
      const error = timedOut(limitMs);
      this.#pending.get(id)?.reject(error);
      this.end(error);
    }, limitMs).unref();
    return answer.finally(() => clearTimeout(timer));
  }

  #receive(message: Message): void {
    if ("channel" in message) this.#options.onNotification(message.channel, message.payload);
    else if ("isReadOnly" in message) this.#options.onReadOnly(message.isReadOnly);
    else {
      const pending = this.#pending.get(message.id);
      this.#pending.delete(message.id);
      if ("result" in message) pending?.resolve(message.result);
      else {
        const error = Object.assign(new Error(message.error.message), message.error.fields);
        pending?.reject(error);
        if (message.isFatal) this.end(error);
      }
    }
  }

  #finish(cause?: Error): void {
    if (this.#end) return;
    this.#end = closedError(cause);
    for (const { reject } of this.#pending.values()) reject(this.#end);
    this.#pending.clear();
    this.#options.onEnd(cause);
  }
}

export function closedError(cause?: Error): Error {
  return new Error("PGlite is closed", { cause });
}

/** The error of Postgres for a statement that it ends at its limit. */
function timedOut(limitMs: number): Error {
  return Object.assign(new Error(`no answer within ${limitMs} ms`), { code: "57014" });
}
