import { isForbidden, isReadOnly, isTemporaryFailure } from "./database-errors.ts";

/** The database was reached, but it cannot be migrated. */
export class DatabaseUnfit extends Error {}

const RIGHTS =
  "Let the role create tables there: make it the owner of the database, or run `grant create on schema public to ROLE`. To use another schema, run `alter role ROLE set search_path = SCHEMA`.";

/** Returns an error that tells the operator how to fix a failed migration. Returns the error itself if the operator can't. */
export function explainUnfit(error: unknown): unknown {
  if (isForbidden(error)) return new DatabaseUnfit(`The database does not let its role create tables: ${error.message}. ${RIGHTS}`);
  if (isReadOnly(error))
    return new DatabaseUnfit("The database is read-only, as a standby is. Set DATABASE_URL to the address of the primary server.");
  if (isTemporaryFailure(error)) return new DatabaseUnfit(`The database cannot be migrated at the moment: ${(error as Error).message}.`);
  return error;
}
