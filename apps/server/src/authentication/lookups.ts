import { AppError, unavailable } from "../common/errors.ts";

/** The database counts as unavailable when a look-up takes longer. */
const LOOKUP_TIMEOUT_MS = 2_000;
/** The timeout once it is unavailable and an earlier result can be used, so that a hanging database does not slow down reads of flags. */
const LOOKUP_TIMEOUT_WHILE_AWAY_MS = 100;
/** The most names in one query. */
const MAX_BATCH = 1_000;

/** Finds values by name. A name that is not found has no entry. */
export type FindAll<Value> = (names: string[]) => Promise<Map<string, Value>>;

type Waiting<Value> = { resolve(value: Value | undefined): void; reject(error: unknown): void };

export type Lookups<Value> = {
  /** Finds a value without a timeout; `inTime` adds one. */
  find(name: string): Promise<Value | undefined>;
  /**
   * The result of a look-up within a timeout, which is short if the caller has an earlier result (`hasEarlier`).
   * @throws AppError unavailable
   */
  inTime<T>(lookup: Promise<T>, hasEarlier: boolean): Promise<T>;
};

/**
 * Batches look-ups: one query runs at a time, and the look-ups that arrive during it are the next batch.
 * @param mayHang whether a query may not return for long. If not, look-ups without an earlier result have no timeout
 * @param toUnavailable the error of a look-up that takes too long
 */
export function createLookups<Value>(findAll: FindAll<Value>, mayHang: () => boolean, toUnavailable = unavailable): Lookups<Value> {
  let waiting: [name: string, Waiting<Value>][] = [];
  let isRunning = false;
  let isDatabaseAway = false;

  return {
    find: (name) =>
      new Promise((resolve, reject) => {
        waiting.push([name, { resolve, reject }]);
        if (!isRunning) void run();
      }),
    inTime: (lookup, hasEarlier) => inTime(lookup, timeoutMs(hasEarlier), toUnavailable),
  };

  function timeoutMs(hasEarlier: boolean): number {
    if (!hasEarlier && !mayHang()) return Number.POSITIVE_INFINITY;
    return hasEarlier && isDatabaseAway ? LOOKUP_TIMEOUT_WHILE_AWAY_MS : LOOKUP_TIMEOUT_MS;
  }

  async function run(): Promise<void> {
    isRunning = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MAX_BATCH);
      waiting = waiting.slice(MAX_BATCH);
      // A hanging query does not block others, and its late result still counts.
      await inTime(answer(batch), timeoutMs(true), toUnavailable).then(
        () => {
          isDatabaseAway = false;
        },
        (error: unknown) => {
          isDatabaseAway = isUnavailable(error);
        },
      );
    }
    isRunning = false;
  }

  async function answer(batch: [string, Waiting<Value>][]): Promise<void> {
    try {
      const found = await findAll([...new Set(batch.map(([name]) => name))]);
      for (const [name, { resolve }] of batch) resolve(found.get(name));
    } catch (error) {
      for (const [, { reject }] of batch) reject(error);
      throw error;
    }
  }
}

export function isUnavailable(error: unknown): boolean {
  return error instanceof AppError && error.code === "unavailable";
}

/** A query on a dead connection hangs instead of failing. @throws AppError unavailable */
function inTime<T>(lookup: Promise<T>, timeoutMs: number, toUnavailable: typeof unavailable): Promise<T> {
  if (timeoutMs === Number.POSITIVE_INFINITY) return lookup;
  return new Promise((resolve, reject) => {
    const fail = () => reject(toUnavailable(new Error(`The look-up took more than ${timeoutMs} ms.`)));
    // A busy process runs late timers before it reads its sockets. An answer that has arrived counts.
    const timer = setTimeout(() => setImmediate(fail), timeoutMs);
    lookup.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
