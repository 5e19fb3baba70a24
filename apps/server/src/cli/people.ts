import { createToken } from "../accounts/token-store.ts";
import { systemContext } from "../bootstrap.ts";
import { normalizeEmail } from "../console/people/person.ts";
import { INSTANCE_PROJECT } from "../context.ts";
import { notFound } from "../errors.ts";
import { createChangeLog } from "../store/change-log.ts";
import type { Database } from "../store/database.ts";
import { writing } from "../store/unit-of-work.ts";
import { createStores } from "../stores.ts";

/** @returns the secret of a one-time token that makes a new person an administrator of the instance */
export function createAdministratorToken(database: Database, now = Date.now()): Promise<string> {
  return writing(database, async (db) => createToken(db, "administrator", null, now).secret);
}

/**
 * @returns the secret of a one-time token that sets a person's password
 * @throws AppError not_found, also for a person who is deactivated
 */
export function createResetToken(database: Database, email: string, now = Date.now()): Promise<string> {
  return writing(database, async (db) => {
    const context = systemContext("createPasswordReset", now, INSTANCE_PROJECT);
    const person = await createStores({ db, context, log: createChangeLog(db, context) }).people.findByEmail(normalizeEmail(email));
    if (!person?.isActive) throw notFound("Active person", email);
    return createToken(db, "password_reset", person.id, now).secret;
  });
}
