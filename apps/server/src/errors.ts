import type { Schema } from "@gatehouse/contract/console";

type ErrorCode = Schema<"Error">["code"];
export type Violation = Schema<"Violation">;

export const STATUS = {
  invalid_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  idempotency_key_reused: 422,
  internal: 500,
  unavailable: 503,
} satisfies Record<ErrorCode, number>;

/** An error that the caller is told of: its code decides the status, its message names the thing. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly violations: Violation[] | undefined;

  constructor(code: ErrorCode, message: string, violations?: Violation[], options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.violations = violations;
  }
}

/** `notFound("Gate", "new_checkout")` */
export function notFound(kind: string, id: string): AppError {
  return new AppError("not_found", `${kind} ${id} does not exist.`);
}

export function unauthorized(message: string): AppError {
  return new AppError("unauthorized", message);
}

/** `needs` is what would be enough: `a key with the scope omni_read_write` */
export function forbidden(needs: string): AppError {
  return new AppError("forbidden", `Insufficient permissions. This needs ${needs}.`);
}

export function conflict(message: string): AppError {
  return new AppError("conflict", message);
}

export function invalid(violations: Violation[]): AppError {
  return new AppError("invalid_request", "The request is not valid.", violations);
}

export function unavailable(cause: unknown): AppError {
  return new AppError("unavailable", "The database cannot be reached. Try again shortly.", undefined, { cause });
}
