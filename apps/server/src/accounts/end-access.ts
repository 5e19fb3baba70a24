import type { Person } from "../console/people/person.ts";
import type { Db } from "../store/database/unit-of-work.ts";
import { endSessions } from "../tokens/person-sessions-store.ts";
import { deleteTokens } from "../tokens/token-store.ts";
import { deletePassword } from "./password-store.ts";

/**
 * Ends all access that somebody else may have: whoever held an invitation for the address could redeem it and set the password. The order
 * is that in which redeeming and signing in lock the same rows, so that neither can begin a session afterwards.
 */
export async function endAccess(db: Db, person: Person): Promise<void> {
  deleteTokens(db, person.id);
  deletePassword(db, person);
  await endSessions(db, person.id);
}
