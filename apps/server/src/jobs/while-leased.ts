import { randomUUID } from "node:crypto";
import { joinSignals } from "../common/signals.ts";
import type { JobEnv } from "./jobs.ts";

/** This replica, since it started. */
export const RUNNER = randomUUID();
/** Another replica takes over work whose lease was not renewed for so long. */
export const LEASE_MS = 60_000;

/**
 * Does work that this replica has a lease for, and renews it during the work. Its signal aborts when the server stops or loses the lease.
 * @param renew extends the lease to a time, ms. @returns whether it is still this replica's
 */
export async function whileLeased(
  { now, log, stopping }: JobEnv,
  renew: (leasedUntil: number) => Promise<boolean>,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const lost = new AbortController();
  const renewing = setInterval(() => {
    renew(now() + LEASE_MS).then(
      (isKept) => isKept || lost.abort(),
      // The lease lasts for further attempts.
      (err: unknown) => log.warn({ err }, "A lease could not be renewed."),
    );
  }, LEASE_MS / 10);
  const ended = joinSignals(stopping, lost.signal);
  try {
    await work(ended.signal);
  } finally {
    ended.release();
    clearInterval(renewing);
  }
}
