import { type AppError, unavailable } from "../../common/errors.ts";

/** The timeout of a transaction from its first statement. */
export const TRANSACTION_TIMEOUT_MS = 15_000;

/** The error for a transaction that exceeds the timeout. */
export function timedOut(timeoutMs: number): AppError {
  return unavailable(new Error(`The transaction took longer than ${timeoutMs} ms.`));
}
