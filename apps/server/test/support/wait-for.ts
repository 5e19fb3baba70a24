import { vi } from "vitest";

/** Enough for any wait on a machine that is ten times slower than an idle one, on which a server reconnects to its database within 15 s. In ms. */
const WAIT_TIMEOUT_MS = 240_000;
const INTERVAL_MS = 20;

/** Retries until an attempt succeeds. Tests wait in no other way. @throws the last error */
export function waitFor<T>(attempt: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(attempt, { timeout: WAIT_TIMEOUT_MS, interval: INTERVAL_MS });
}
