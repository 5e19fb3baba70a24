import { AppError, unavailable } from "../../common/errors.ts";

/**
 * Postgres: connection exceptions (class 08), rejected credentials (class 28), missing database, too many connections, shut down or
 * starting up (its docs, appendix A).
 */
const CONNECTION_STATES = /^(08...|28...|3D000|53300|57P0[1-5])$/;
/** Node: errors of the network, of sockets and of certificates. */
const SYSTEM_CODES = /^(E(CONN(REFUSED|RESET|ABORTED)|PIPE|TIMEDOUT|(HOST|NET)UNREACH)|ENOTFOUND|EAI_AGAIN|ERR_(TLS|SSL)_.*|CERT_.*)$/;
/** Error codes of Node for certificates that are not trusted (documentation of TLS, "X509 certificate error codes"). */
const UNTRUSTED_CODES = new Set([
  ...["UNABLE_TO_GET_ISSUER_CERT", "UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "UNABLE_TO_VERIFY_LEAF_SIGNATURE", "SELF_SIGNED_CERT_IN_CHAIN"],
  ...["DEPTH_ZERO_SELF_SIGNED_CERT", "CERT_SIGNATURE_FAILURE", "CERT_NOT_YET_VALID", "CERT_HAS_EXPIRED", "CERT_CHAIN_TOO_LONG"],
  ...[
    "CERT_REVOKED",
    "CERT_UNTRUSTED",
    "CERT_REJECTED",
    "INVALID_CA",
    "INVALID_PURPOSE",
    "HOSTNAME_MISMATCH",
    "ERR_TLS_CERT_ALTNAME_INVALID",
  ],
]);
/** Errors of `pg` and PGlite without a code. The last has many forms: `connect ENOENT` of a socket file, `connect EADDRNOTAVAIL` … */
const MESSAGES =
  /PGlite is clos|Connection terminated|not queryable|timeout exceeded when trying to connect|^timeout expired$|^Query read timeout$|does not support SSL|establishing an SSL connection|connect E[A-Z]+ /;

/**
 * Postgres: out of disk, memory or another resource (class 53), ended by a timeout or an administrator, and an input or output error of the
 * system (class 58). Also read-only, as a standby is after a failover.
 */
const TEMPORARY_STATES = /^(53...|57014|58...|25006)$/;

const DISK_FULL =
  "The disk of the database is full, so nothing can be saved. Flags are still evaluated. Try again when the disk has free space.";

/** Whether the database cannot be reached. A new connection may succeed. */
export function isConnectionLoss(error: unknown): boolean {
  // Errors for callers may be about other connections.
  if (!(error instanceof Error) || error instanceof AppError) return false;
  const code = sqlState(error);
  return CONNECTION_STATES.test(code) || SYSTEM_CODES.test(code) || UNTRUSTED_CODES.has(code) || MESSAGES.test(error.message);
}

/** Whether the certificate of the database's server is not trusted. */
export function isUntrusted(error: unknown): error is Error {
  return UNTRUSTED_CODES.has(sqlState(error));
}

/** Whether the database has no connection left for this role, or for any role. */
export function isTooManyConnections(error: unknown): boolean {
  return sqlState(error) === "53300";
}

/** Whether the role lacks a right, or no schema is in its search path. */
export function isForbidden(error: unknown): error is Error {
  return /^(42501|3F000)$/.test(sqlState(error));
}

/** Whether the database was reached but cannot execute a valid statement at the moment. */
export function isTemporaryFailure(error: unknown): boolean {
  return TEMPORARY_STATES.test(sqlState(error)) && !isConnectionLoss(error);
}

/** Whether the database has no disk space left for a write, or cannot be reached since it had none. */
function isDiskFull(error: unknown): boolean {
  return sqlState(error) === "53100" || (isConnectionLoss(error) && sqlState((error as Error).cause) === "53100");
}

/** The error for the caller if the database failed. Undefined if the statement was wrong. */
export function asUnavailable(error: unknown): AppError | undefined {
  if (isDiskFull(error)) return new AppError("unavailable", DISK_FULL, undefined, { cause: error });
  if (isConnectionLoss(error)) return unavailable(error);
  if (!isTemporaryFailure(error)) return undefined;
  return new AppError("unavailable", "The database cannot do this at the moment. Try again shortly.", undefined, { cause: error });
}

/** Whether a write was rejected because the server is read-only, for example after it lost the role of primary. */
export function isReadOnly(error: unknown): boolean {
  return sqlState(error) === "25006";
}

/** Whether a transaction was rolled back because of a deadlock or a serialization failure. */
export function isSerializationFailure(error: unknown): boolean {
  return /^(40001|40P01)$/.test(sqlState(error));
}

/** Whether Postgres rejected the credentials (class 28), or has no such database. */
export function isRefusal(error: unknown): error is Error {
  return /^(28...|3D000)$/.test(sqlState(error));
}

/** Whether a statement was ended at its time limit, or by a user. */
export function isTimeout(error: unknown): boolean {
  return sqlState(error) === "57014";
}

/** Whether a write violated a unique constraint. */
export function isUniqueViolation(error: unknown): boolean {
  return sqlState(error) === "23505";
}

/** Whether a unique violation is one of names that differ only in case, or are equal. */
export function isOfCase(error: unknown): boolean {
  return (error as { constraint?: string }).constraint?.endsWith("_caselessName_key") ?? false;
}

/** Whether a write violated a not-null constraint. */
export function isNullViolation(error: unknown): boolean {
  return sqlState(error) === "23502";
}

/** The check constraint on events of a database that no longer stores them. */
export const EVENTS_ARE_ELSEWHERE = "events_are_elsewhere";

/** Whether the database no longer stores events. */
export function refusesEvents(error: unknown): boolean {
  return sqlState(error) === "23514" && (error as { constraint?: string }).constraint === EVENTS_ARE_ELSEWHERE;
}

/** Whether a row has no partition. The code is that of check constraints, and the schema has no others. */
export function lacksPartition(error: unknown): boolean {
  return sqlState(error) === "23514" && !refusesEvents(error);
}

/** Postgres's SQLSTATE, or else another code of the error. */
function sqlState(error: unknown): string {
  return String((error as NodeJS.ErrnoException | undefined)?.code ?? "");
}
