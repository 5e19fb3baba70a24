import { AppError } from "../common/errors.ts";
import type { Database } from "../store/database/database.ts";
import { type Db, writing } from "../store/database/unit-of-work.ts";

const MAX_ATTEMPTS = 5;

/**
 * Runs the work in one transaction, again if another request changed its data: sign-ins have no conflicts.
 * @param isFinal whether a conflict remains if the work is repeated
 * @throws AppError unavailable if others keep changing it
 */
export async function writeAccount<T>(
  database: Database,
  work: (db: Db) => Promise<T>,
  isFinal: (error: AppError) => boolean = () => false,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await writing(database, work);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "conflict" || isFinal(error)) throw error;
      if (attempt === MAX_ATTEMPTS) {
        const message = "Other requests keep changing this account. Try again shortly.";
        throw new AppError("unavailable", message, undefined, { cause: error });
      }
    }
  }
}
