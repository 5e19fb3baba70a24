import type { OperationId } from "@gatehouse/contract/console";
import { conflict } from "../../common/errors.ts";
import type { Person } from "../../console/people/person.ts";
import { type Db, writing } from "../../store/database/unit-of-work.ts";
import { endSessions } from "../../tokens/person-sessions-store.ts";
import { countSecondFactors } from "../../tokens/second-factor-store.ts";
import type { SignedInEnv } from "../account-env.ts";
import { noteSession } from "../note-session.ts";
import { lockPerson } from "../person-lock-store.ts";
import { requireConfirmed } from "./confirmation.ts";
import { deleteRecoveryCodes } from "./recovery-code-store.ts";
import { hasFactor } from "./second-factor.ts";

/** Changes the second factors of a person while they are locked. @returns its result, and a reason for the audit log */
type Change<T> = (db: Db, person: Person) => Promise<{ result: T; reason: string }>;

/**
 * Adds a factor. The first one ends the person's other sessions, since they were started without it.
 * @throws AppError forbidden unless the session is confirmed, and errors of the change
 */
export async function addFactor<T>(operationID: OperationId, env: SignedInEnv, change: Change<T>): Promise<T> {
  return changeFactors(operationID, env, async (db, person) => {
    const isFirst = !hasFactor(await countSecondFactors(db, person.id));
    const { result, reason } = await change(db, person);
    if (!isFirst) return { result, reason: `${reason}.` };
    await endSessions(db, person.id, env.session.id);
    return { result, reason: `${reason}, which ended the other sessions.` };
  });
}

/**
 * Removes a factor, and ends the person's other sessions: someone else with the factor may have started them. Removing the last one also
 * removes the recovery codes.
 * @throws AppError forbidden unless the session is confirmed, conflict for a required last one, and errors of the change
 */
export async function removeFactor<T>(operationID: OperationId, env: SignedInEnv, change: Change<T>): Promise<T> {
  return changeFactors(operationID, env, async (db, person) => {
    const { result, reason } = await change(db, person);
    if (!hasFactor(await countSecondFactors(db, person.id))) {
      if (env.secondFactors.isRequired)
        throw conflict("This is your last second factor, and the server requires one. Set up another one first.");
      await deleteRecoveryCodes(db, person.id);
    }
    await endSessions(db, person.id, env.session.id);
    return { result, reason: `${reason}, which ended the other sessions.` };
  });
}

/** Makes a change that doesn't end sessions. @throws AppError forbidden unless the session is confirmed, and errors of the change */
export function changeFactors<T>(operationID: OperationId, env: SignedInEnv, change: Change<T>): Promise<T> {
  requireConfirmed(env);
  const { person, id } = env.session;
  return writing(env.database, async (db) => {
    await lockPerson(db, person.id);
    const { result, reason } = await change(db, person);
    await noteSession(db, { person, id }, reason, { ...env, operationID });
    return result;
  });
}
