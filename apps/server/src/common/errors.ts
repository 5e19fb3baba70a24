import type { Permission } from "@gatehouse/contract";
import type { Schema } from "@gatehouse/contract/console";

type ErrorCode = Schema<"Error">["code"];
export type Violation = Schema<"Violation">;
export type SecondFactor = Schema<"SecondFactor">;

export const STATUS = {
  invalid_request: 400,
  unauthorized: 401,
  second_factor_required: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  idempotency_key_reused: 422,
  too_many_requests: 429,
  internal: 500,
  unavailable: 503,
} satisfies Record<ErrorCode, number>;

/** `Retry-After` of errors with these codes, seconds, unless the error says otherwise. */
const RETRY_AFTER_S: Partial<Record<ErrorCode, number>> = { too_many_requests: 30, unavailable: 1 };

/** The most violations that one error lists. */
const MAX_VIOLATIONS = 100;
/** Longer texts of errors are cut, since they contain names from requests. In characters. */
const MAX_TEXT_LENGTH = 2_000;

/** A request that another one contains: its list, its place in it, counted from 0, and its operation. */
export type Contained = { list: "requests" | "drafts" | "configuration"; index: number; operationID: string };

type AppErrorOptions = ErrorOptions & {
  violationCount?: number;
  retryAfterS?: number | undefined;
  permission?: Permission | undefined;
  contained?: Contained;
  advice?: string;
  factors?: SecondFactor[];
};

/** An error for the caller. Its code decides the status; its message names the entity. */
export class AppError extends Error {
  readonly code: ErrorCode;
  /** The first MAX_VIOLATIONS. */
  readonly violations: Violation[] | undefined;
  /** The number of all violations. */
  readonly violationCount: number;
  /** After how many seconds the caller may try again, sent as `Retry-After`. */
  readonly retryAfterS: number | undefined;
  /** The permission that the caller lacks, if that is the error. */
  readonly permission: Permission | undefined;
  /** The contained request that failed, if the error is about one. */
  readonly contained: Contained | undefined;
  /** The second factors that the person has, if the request lacks one. */
  readonly factors: SecondFactor[] | undefined;
  /** Advice for an administrator, for a page that shows the error. */
  readonly advice: string | undefined;

  /** Each conflict says in its violations what prevents the write. */
  constructor(code: "conflict", message: string, violations: Violation[], options?: AppErrorOptions);
  constructor(code: Exclude<ErrorCode, "conflict">, message: string, violations?: Violation[], options?: AppErrorOptions);
  constructor(code: ErrorCode, message: string, violations?: Violation[], options?: AppErrorOptions) {
    super(cut(message), options);
    this.code = code;
    this.violations = violations?.slice(0, MAX_VIOLATIONS).map(shortened);
    this.violationCount = options?.violationCount ?? violations?.length ?? 0;
    this.retryAfterS = options?.retryAfterS ?? RETRY_AFTER_S[code];
    this.permission = options?.permission;
    this.contained = options?.contained;
    this.factors = options?.factors;
    this.advice = options?.advice;
  }
}

function cut(text: string): string {
  return text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text;
}

function shortened({ property, errorMessage }: Violation): Violation {
  return { property: cut(property), errorMessage: cut(errorMessage) };
}

/** `notFound("Gate", "new_checkout")` */
export function notFound(kind: string, id: string): AppError {
  return new AppError("not_found", `${kind} ${id} does not exist.`);
}

export function unauthorized(message: string): AppError {
  return new AppError("unauthorized", message);
}

/** `needs` is a sufficient credential: `a key with the scope omni_read_write` */
export function forbidden(needs: string, permission?: Permission): AppError {
  const options = permission && { permission };
  return new AppError("forbidden", `Insufficient permissions. This requires ${needs}.`, undefined, options);
}

/**
 * Names the address of the caller, so that operators notice a proxy that is not trusted.
 * @param what the subject of the message: `The key`
 * @param list the list that lacks the address, with its verb: `Its allowed addresses do`
 */
export function forbiddenFrom(address: string, what: string, list: string): AppError {
  const proxies = "If it is the address of a proxy, add it to GATEHOUSE_TRUSTED_PROXIES.";
  const from = address === "" ? "an unknown address" : address;
  return new AppError("forbidden", `${what} cannot be used from ${from}. ${list} not include this address. ${proxies}`);
}

/** `property` is the cause of the conflict. Existing clients recognize a failure only by `errors`, so a conflict has one violation. */
export function conflict(message: string, property = "id"): AppError {
  return new AppError("conflict", message, [{ property, errorMessage: message }]);
}

/** The violations that say more than the message. That of a conflict repeats it. */
export function listDetails({ message, violations = [] }: AppError): Violation[] {
  return violations.filter(({ errorMessage }) => errorMessage !== message);
}

/** @param count of all violations, if the list has only the first ones */
export function invalid(violations: Violation[], count = violations.length): AppError {
  return new AppError("invalid_request", "The request is not valid.", violations, { violationCount: count });
}

/**
 * The error of a request that fails because one that it contains does: the places of violations begin with that one. Errors that are not its own,
 * such as a database that is away, stay as they are.
 */
export function inRequest(error: unknown, contained: Contained): unknown {
  if (!(error instanceof AppError) || error.contained || STATUS[error.code] >= 500) return error;
  const placed = error.violations?.map((one) => ({ ...one, property: `${contained.list}[${contained.index}].${one.property}` }));
  return restated(error, { violations: placed, contained });
}

/** The same error with other words, places or details. */
export function restated(
  error: AppError,
  { message = error.message, violations, ...options }: { message?: string; violations: Violation[] | undefined } & AppErrorOptions,
): AppError {
  const { violationCount, retryAfterS, permission, cause, contained } = error;
  const all = { violationCount, retryAfterS, permission, cause, ...(contained && { contained }), ...options };
  return new AppError(error.code as Exclude<ErrorCode, "conflict">, message, violations, all);
}

export function unavailable(cause: unknown): AppError {
  return new AppError("unavailable", "The database cannot be reached. Try again shortly.", undefined, { cause });
}
