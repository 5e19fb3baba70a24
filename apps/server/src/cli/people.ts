import { INSTANCE_PROJECT } from "../common/context.ts";
import { normalizeEmail } from "../common/email.ts";
import { notFound } from "../common/errors.ts";
import { systemContext } from "../common/system-context.ts";
import { removeSecondFactors } from "../console/people/acting-as-store.ts";
import { createStores } from "../console/stores.ts";
import { createChangeLog } from "../store/change-log/change-log.ts";
import type { Database } from "../store/database/database.ts";
import { type Db, writing } from "../store/database/unit-of-work.ts";
import { createToken } from "../tokens/token-store.ts";

/** @returns the secret of a one-time token that makes a new person a server administrator */
export function createAdministratorToken(database: Database, now = Date.now()): Promise<string> {
  return writing(database, async (db) => createToken(db, "administrator", null, now).secret);
}

/**
 * @returns the secret of a one-time token that sets a person's password
 * @throws AppError not_found, including for a deactivated person
 */
export function createResetToken(database: Database, email: string, now = Date.now()): Promise<string> {
  return writing(database, async (db) => {
    const { person } = await findPerson(db, "createPasswordReset", email, now);
    if (!person?.isActive) throw notFound("Active person", email);
    return createToken(db, "password_reset", person.id, now).secret;
  });
}

/** Removes a person's second factors, and ends their sessions and one-time links. @throws AppError not_found */
export function removeFactors(database: Database, email: string, now = Date.now()): Promise<void> {
  return writing(database, async (db) => {
    const { person, context } = await findPerson(db, "deletePersonSecondFactors", email, now);
    if (!person) throw notFound("Person", email);
    await removeSecondFactors(db, person, context);
  });
}

async function findPerson(db: Db, operationID: string, email: string, now: number) {
  const context = systemContext(operationID, now, INSTANCE_PROJECT);
  const { people } = createStores({ db, context, log: createChangeLog(db, context) });
  return { context, person: await people.findByEmail(normalizeEmail(email)) };
}
