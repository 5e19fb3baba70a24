import { type AppError, unavailable } from "../errors.ts";

/** How long a transaction may take from its first statement on, ms. */
export const TRANSACTION_TIMEOUT_MS = 15_000;

/** What the caller receives whose transaction took longer, ms. */
export function timedOut(timeoutMs: number): AppError {
  return unavailable(new Error(`The transaction took longer than ${timeoutMs} ms.`));
}
