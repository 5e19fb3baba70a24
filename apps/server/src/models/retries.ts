import { setTimeout as sleep } from "node:timers/promises";
import type { ChatOptions } from "../store/database/models.ts";
import { ModelFailure } from "./model-failure.ts";

const MAX_PAUSE_MS = 60_000;

/** Does work again after failures that may pass, with growing pauses. @throws the last failure; the reason of the signal if it aborts */
export async function retrying<T>(work: () => Promise<T>, { attempts, firstPauseMs, signal }: ChatOptions): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ModelFailure) || error.kind !== "transient" || attempt >= attempts) throw error;
      await pause(pauseAfter(attempt, firstPauseMs, error.retryAfterMs), signal);
    }
  }
}

/** Between half of the pause and all of it, so that requests which failed together are not repeated together. */
function pauseAfter(attempt: number, firstPauseMs: number, retryAfterMs = 0): number {
  const longest = firstPauseMs * 2 ** (attempt - 1);
  return Math.min(MAX_PAUSE_MS, Math.max(retryAfterMs, longest * (0.5 + Math.random() / 2)));
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
}
