import { setTimeout as sleep } from "node:timers/promises";
import { isConnectionLoss, isRefusal, isUntrusted } from "./database-errors.ts";

/** Postgres or ClickHouse did not answer in time, or rejected the credentials. */
export class DatabaseUnreachable extends Error {}

const TRUST_ADVICE =
  "If an authority of your own signed it, set NODE_EXTRA_CA_CERTS to the file of the authority's certificate. A Postgres URL can also name it: sslrootcert=FILE.";

/** How to wait for a database that is still starting. */
export type Retry = {
  /** How long to keep trying, ms. */
  timeoutMs?: number;
  /** Called once, when the first attempt fails. */
  onWait?: (reason: string) => void;
};

/** Retries with exponential back-off: 0.25 s, 0.5 s … 4 s. */
export async function untilReachable<T>(
  attempt: () => Promise<T>,
  { timeoutMs = 30_000, onWait }: Retry,
  name = "The database",
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (let delayMs = 250, count = 1; ; delayMs = Math.min(delayMs * 2, 4_000), count++) {
    try {
      return await attempt();
    } catch (error) {
      if (isRefusal(error)) throw new DatabaseUnreachable(`${name} refuses the connection: ${error.message}.`);
      if (isUntrusted(error)) throw new DatabaseUnreachable(`${name}'s certificate is not trusted: ${error.message}. ${TRUST_ADVICE}`);
      if (!isConnectionLoss(error)) throw error;
      const reason = describeError(error);
      if (count === 1) onWait?.(reason);
      if (Date.now() + delayMs > deadline) throw new DatabaseUnreachable(`${name} cannot be reached: ${reason}.`);
      await sleep(delayMs);
    }
  }
}

/** `connect ECONNREFUSED 127.0.0.1:5432`; the first error if several addresses were tried. */
function describeError(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  return (first as Error).message.trim() || String((first as NodeJS.ErrnoException).code);
}
