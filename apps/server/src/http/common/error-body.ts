import { AppError, invalid, STATUS } from "../../common/errors.ts";
import { asUnavailable } from "../../store/database/database-errors.ts";

/** The body of an error in the contract's shape. */
export function errorBody({ code, message, violations, violationCount, contained, factors }: AppError): object {
  return {
    ...{ status: STATUS[code], code, message },
    ...(factors && { factors }),
    ...(violations && { errors: violations }),
    ...(violations && violationCount > violations.length && { errorCount: violationCount }),
    ...(contained?.list === "requests" && { index: contained.index }),
  };
}

/** The error for the caller. Undefined if the cause is a bug. */
export function knownError(cause: unknown): AppError | undefined {
  return cause instanceof AppError ? cause : asUnavailable(cause);
}

/** The error for a bug. The caller receives no details. */
export function internal(cause: Error): AppError {
  return new AppError(
    "internal",
    "The request failed. The server's log has the cause under the X-Request-Id of this response.",
    undefined,
    {
      cause,
    },
  );
}

/** The error for the caller, for any cause. */
export function toAppError(error: Error): AppError {
  const notDecoded = error instanceof URIError && invalid([{ property: "path", errorMessage: "is not valid percent-encoding" }]);
  return knownError(error) || notDecoded || internal(error);
}
