import { ConfigError } from "../common/config-error.ts";
import { AppError } from "../common/errors.ts";
import type { Database } from "../store/database/database.ts";
import { reading, writing } from "../store/database/unit-of-work.ts";
import { createToken, hasAdministrator } from "../tokens/token-store.ts";
import { createAdministrator } from "./sign-in.ts";

/** The administrator that the settings name, and whether people sign in with passwords. */
type Given = { adminEmail: string | undefined; adminPassword: string | undefined; passwordSignIn: boolean };

/**
 * Gives an instance without an administrator the one of the settings, or else a one-time token for the first user. Without effect once it
 * has an administrator, and where people only sign in with the provider, since a token sets a password.
 * @returns the token, which is shown only now
 * @throws ConfigError if the settings' password is too common
 */
export async function offerAdministration(
  database: Database,
  { adminEmail: email, adminPassword: password, passwordSignIn }: Given,
  now = Date.now(),
): Promise<string | undefined> {
  if (await reading(database, hasAdministrator)) return undefined;
  if (email !== undefined && password !== undefined) {
    await createAdministrator({ email, password, name: "Administrator" }, { database, now }).catch(rejectUnlessMade);
    return undefined;
  }
  if (!passwordSignIn) return undefined;
  return writing(database, async (db) => createToken(db, "administrator", null, now).secret);
}

/** If several replicas start together, one creates the administrator. */
function rejectUnlessMade(error: unknown): void {
  if (!(error instanceof AppError)) throw error;
  if (error.code === "conflict") return;
  throw new ConfigError(error.violations?.map(({ errorMessage }) => `GATEHOUSE_ADMIN_PASSWORD ${errorMessage}`) ?? [error.message]);
}
