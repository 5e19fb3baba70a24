import { vi } from "vitest";

/** How long a busy machine may take for anything that a test waits for, ms. A server finds its database again within 15 s on an idle one. */
const WAIT_TIMEOUT_MS = 60_000;

/** Tries again until it succeeds: tests wait in no other way. @throws what it threw last */
export function waitFor<T>(attempt: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(attempt, { timeout: WAIT_TIMEOUT_MS });
}
