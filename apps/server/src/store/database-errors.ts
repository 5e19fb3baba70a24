import { AppError, unavailable } from "../errors.ts";

/**
 * Postgres: connection exceptions (class 08), credentials rejected (class 28), no such database, too many connections, shutting down or
 * starting up (its docs, appendix A).
 */
const CONNECTION_STATES = /^(08...|28...|3D000|53300|57P0[1-5])$/;
/** Node: the network, a socket that broke, a certificate. */
const SYSTEM_CODES = /^(E(CONN(REFUSED|RESET|ABORTED)|PIPE|TIMEDOUT|(HOST|NET)UNREACH)|ENOTFOUND|EAI_AGAIN|ERR_(TLS|SSL)_.*|CERT_.*)$/;
/** `pg` and PGlite have no code for these, and for the last there are many: `connect ENOENT` of a socket's file, `connect EADDRNOTAVAIL` … */
const MESSAGES =
  /PGlite is clos|Connection terminated|not queryable|timeout exceeded when trying to connect|does not support SSL|establishing an SSL connection|connect E[A-Z]+ /;

/**
 * Postgres: out of disk, memory or another resource (class 53), ended by a timeout or an administrator, an input or output error of the
 * system (class 58), and read-only, as a standby is after a failover.
 */
const TEMPORARY_STATES = /^(53...|57014|58...|25006)$/;

/** Whether an error says that the database cannot be reached, and not that a statement was wrong. A new connection may do. */
export function isConnectionLoss(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = stateOf(error);
  return CONNECTION_STATES.test(code) || SYSTEM_CODES.test(code) || MESSAGES.test(error.message);
}

/** Whether the database was reached and cannot carry a statement out at the moment, though nothing is wrong with the statement. */
export function isTemporaryFailure(error: unknown): boolean {
  return TEMPORARY_STATES.test(stateOf(error)) && !isConnectionLoss(error);
}

/** The error for the caller when the database failed and not the statement. */
export function asUnavailable(error: unknown): AppError | undefined {
  if (isConnectionLoss(error)) return unavailable(error);
  if (!isTemporaryFailure(error)) return undefined;
  return new AppError("unavailable", "The database cannot do this at the moment. Try again shortly.", undefined, { cause: error });
}

/** Whether a write was refused because the server can only be read, as one that is no longer the primary. */
export function isReadOnly(error: unknown): boolean {
  return stateOf(error) === "25006";
}

/** Whether the database gave a transaction up for another one, so that nothing of it was kept: a deadlock, or no order in which both fit. */
export function isGivenUp(error: unknown): boolean {
  return /^(40001|40P01)$/.test(stateOf(error));
}

/** Whether a Postgres that was reached rejects the credentials (class 28), or has no such database. */
export function isRefusal(error: unknown): error is Error {
  return /^(28...|3D000)$/.test(stateOf(error));
}

/** Whether a write was refused because what must be unique is taken. */
export function isUniqueViolation(error: unknown): boolean {
  return stateOf(error) === "23505";
}

/** Whether a row was refused because a column that must have a value has none. */
export function isNullViolation(error: unknown): boolean {
  return stateOf(error) === "23502";
}

/** Whether a row was refused because its table is partitioned and has no partition for it: no other check is in the schema. */
export function lacksPartition(error: unknown): boolean {
  return stateOf(error) === "23514";
}

/** Postgres's SQLSTATE, or another code where there is none. */
function stateOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException | undefined)?.code ?? "");
}
