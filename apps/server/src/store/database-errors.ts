import { Prisma } from "../generated/prisma/client.ts";

/** Prisma: not reachable, timed out, closed; no connection or transaction to be had in time. */
const PRISMA_CODES = new Set(["P1001", "P1002", "P1003", "P1008", "P1017", "P2024", "P2028"]);
/** Postgres: connection exceptions (class 08), no such database, too many connections, shutting down or starting up (its docs, appendix A). */
const POSTGRES_CODES = /^(08...|3D000|53300|57P0[1-5])$/;
/** `pg`, PGlite and Node have no code for these. */
const MESSAGES =
  /PGlite is clos|Connection terminated|not queryable|timeout exceeded when trying to connect|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN/;

/** Whether an error says that the database cannot be reached, and not that a statement was wrong. */
export function isConnectionLoss(error: unknown): boolean {
  if (error instanceof Prisma.PrismaClientKnownRequestError) {
    return PRISMA_CODES.has(error.code) || POSTGRES_CODES.test(postgresCode(error) ?? "");
  }
  if (!(error instanceof Error)) return false;
  return (
    POSTGRES_CODES.test(String((error as NodeJS.ErrnoException).code)) ||
    MESSAGES.test(`${(error as NodeJS.ErrnoException).code} ${error.message}`)
  );
}

/** Whether the database gave a transaction up for another one, so that nothing of it was kept: a deadlock, or no order in which both fit. */
export function isGivenUp(error: unknown): boolean {
  return (
    /^(40001|40P01)$/.test(postgresCode(error) ?? "") || (error instanceof Prisma.PrismaClientKnownRequestError && error.code === "P2034")
  );
}

/** Whether a statement took longer than the database gives any. */
export function isOutOfTime(error: unknown): boolean {
  return postgresCode(error) === "57014";
}

/** Whether a Postgres that was reached lets nobody in: a wrong name or password (class 28), no such database. */
export function isRefusal(error: unknown): error is Error {
  return error instanceof Error && /^(28...|3D000)$/.test(String((error as NodeJS.ErrnoException).code));
}

/** Whether a write was refused because what must be unique is taken. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && postgresCode(error) === "23505";
}

/** Whether a row was refused because its table is partitioned and has no partition for it: no other check is in the schema. */
export function lacksPartition(error: unknown): boolean {
  return postgresCode(error) === "23514";
}

type AdapterError = { cause?: { originalCode?: string } };

/** A statement that fails comes within an error of Prisma's, a commit that fails does not. */
function postgresCode(error: unknown): string | undefined {
  const failed = error instanceof Prisma.PrismaClientKnownRequestError ? error.meta?.driverAdapterError : error;
  return (failed as AdapterError | undefined)?.cause?.originalCode;
}
