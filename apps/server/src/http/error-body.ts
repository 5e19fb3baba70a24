import { AppError, STATUS, unavailable } from "../errors.ts";
import { isConnectionLoss } from "../store/database-errors.ts";

/** The error as the contract has it. */
export function errorBody({ code, message, violations }: AppError): object {
  return { status: STATUS[code], code, message, ...(violations && { errors: violations }) };
}

/** What the caller is told of whatever was thrown, where it is known to be no fault of ours. */
export function knownError(cause: unknown): AppError | undefined {
  if (cause instanceof AppError) return cause;
  return isConnectionLoss(cause) ? unavailable(cause) : undefined;
}

/** A fault of ours, of which the caller is told nothing. */
export function internal(cause: Error): AppError {
  return new AppError("internal", "The server failed to answer. Its log has the cause under the X-Request-Id of this answer.", undefined, {
    cause,
  });
}
