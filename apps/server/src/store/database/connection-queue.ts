import type pg from "pg";
import { isTooManyConnections } from "./database-errors.ts";

/** The pause between attempts while Postgres has no connection left and none is returned, in ms. */
const RETRY_PAUSE_MS = 100;

/**
 * Returns a function that takes connections from a pool. If Postgres has no connection left for the role, callers wait in a queue. The first
 * one tries again as soon as a connection is returned, and after each pause, so that the queue costs one attempt at a time. Once a caller
 * has waited in vain for the whole time, others fail after one attempt, until an attempt succeeds.
 * @param timeoutMs how long a caller waits
 */
export function queueForConnections(pool: pg.Pool, timeoutMs: number): () => Promise<pg.PoolClient> {
  const queue: (() => void)[] = [];
  let isPausing = false;
  let isExhausted = false;

  const wakeFirst = () => queue.shift()?.();
  // A new connection shows that Postgres has some again.
  pool.on("release", wakeFirst).on("connect", wakeFirst);
  const wakeAfterPause = () => {
    if (isPausing) return;
    isPausing = true;
    setTimeout(() => {
      isPausing = false;
      wakeFirst();
      if (queue.length > 0) wakeAfterPause();
    }, RETRY_PAUSE_MS);
  };

  /** Waits for a turn, at most so many ms. Callers who had a turn before stay first. */
  const waitForTurn = (ms: number, isFirst: boolean) =>
    new Promise<boolean>((resolve) => {
      const begin = () => {
        clearTimeout(deadline);
        resolve(true);
      };
      const deadline = setTimeout(() => {
        queue.splice(queue.indexOf(begin), 1);
        resolve(false);
      }, ms);
      if (isFirst) queue.unshift(begin);
      else queue.push(begin);
      wakeAfterPause();
    });

  return async () => {
    const deadline = Date.now() + timeoutMs;
    let failure: unknown;
    if (queue.length > 0 && !isExhausted) await waitForTurn(timeoutMs, false);
    for (;;) {
      try {
        const client = await pool.connect();
        isExhausted = false;
        return client;
      } catch (error) {
        failure = error;
      }
      if (!isTooManyConnections(failure) || isExhausted) throw failure;
      if (await waitForTurn(deadline - Date.now(), true)) continue;
      isExhausted = true;
      throw failure;
    }
  };
}
