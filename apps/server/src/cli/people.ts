import { INSTANCE_PROJECT } from "../common/context.ts";
import { normalizeEmail } from "../common/email.ts";
import { notFound } from "../common/errors.ts";
import { systemContext } from "../common/system-context.ts";
import { createStores } from "../console/stores.ts";
import { createChangeLog } from "../store/change-log/change-log.ts";
import type { Database } from "../store/database/database.ts";
import { writing } from "../store/database/unit-of-work.ts";
import { createToken } from "../tokens/token-store.ts";

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
