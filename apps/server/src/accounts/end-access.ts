import type { Person } from "../console/people/person.ts";
import type { Db } from "../store/database/unit-of-work.ts";
import { endSessions } from "../tokens/person-sessions-store.ts";
import { deleteSecondFactors } from "../tokens/second-factor-store.ts";
import { deleteTokens } from "../tokens/token-store.ts";
import { deleteDeviceLogins } from "./device-logins/device-login-store.ts";
import { deletePassword } from "./password-store.ts";
import { lockPerson } from "./person-lock-store.ts";

/**
 * Ends all access that other people may have: someone with an invitation for the address could have redeemed it, set the password and added
 * second factors. Rows are locked in the same order as in redeeming and signing in, so that neither can begin a session afterwards.
 */
export async function endAccess(db: Db, person: Person): Promise<void> {
  deleteTokens(db, person.id);
  await lockPerson(db, person.id);
  deletePassword(db, person);
  await deleteSecondFactors(db, person.id);
  await deleteDeviceLogins(db, person.id);
  await endSessions(db, person.id);
}
