import { AppError, STATUS } from "../../errors.ts";
import { asUnavailable } from "../../store/database-errors.ts";

/** The error as the contract has it. */
export function errorBody({ code, message, violations, violationCount }: AppError): object {
  return {
    ...{ status: STATUS[code], code, message },
    ...(violations && { errors: violations }),
    ...(violations && violationCount > violations.length && { errorCount: violationCount }),
  };
}

/** What the caller is told of whatever was thrown, where it is known to be no fault of ours. */
export function knownError(cause: unknown): AppError | undefined {
  return cause instanceof AppError ? cause : asUnavailable(cause);
}

/** A fault of ours, of which the caller is told nothing. */
export function internal(cause: Error): AppError {
  return new AppError("internal", "The server failed to answer. Its log has the cause under the X-Request-Id of this answer.", undefined, {
    cause,
  });
}
