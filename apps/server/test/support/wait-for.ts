import { vi } from "vitest";

/** Tries again until it succeeds, for as long as a busy machine may take. @throws what it threw last */
export function waitFor<T>(attempt: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(attempt, { timeout: 30_000 });
}
