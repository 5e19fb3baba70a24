import type { OperationId, Schema, WritableSchema } from "@gatehouse/contract/console";
import { INSTANCE_PROJECT } from "../common/context.ts";
import { normalizeEmail } from "../common/email.ts";
import { forbidden, invalid, unauthorized, type Violation } from "../common/errors.ts";
import { EVERY_PERMISSION } from "../common/permissions.ts";
import { changePerson, newPerson, type Person, splitName, toActor } from "../console/people/person.ts";
import { createStores, type Stores } from "../console/stores.ts";
import { createChangeLog } from "../store/change-log/change-log.ts";
import { type Db, reading, writing } from "../store/database/unit-of-work.ts";
import { endSessions } from "../tokens/person-sessions-store.ts";
import { findRedeemable, findUse, takeToken } from "../tokens/token-store.ts";
import type { AccountEnv, SignedInEnv } from "./account-env.ts";
import { beginAttempt } from "./attempts.ts";
import { noteFailure, noteSession } from "./note-session.ts";
import { checkPassword } from "./password-rules.ts";
import { findPassword, holdPassword, setPassword } from "./password-store.ts";
import { hashPassword, isPassword } from "./passwords.ts";
import { hasFreshPasskey } from "./second-factors/confirmation.ts";
import { type GivenFactor, type Used, writeWithSecondFactor } from "./second-factors/second-factor.ts";
import { findSessions, type Proved, type Session, startSession } from "./session-store.ts";
import { writeAccount } from "./write-account.ts";

/** A session that has just begun. */
export type Begun = { secret: string; session: Session };

/** The same text for all failures, so that it does not reveal accounts. */
const WRONG = "The email address or the password is wrong.";
const REFUSED = "The token does not work for this email address, or no longer works. Ask for a new one.";

/** @throws AppError forbidden */
export function requirePasswords({ passwordSignIn }: Pick<AccountEnv, "passwordSignIn">): void {
  if (!passwordSignIn)
    throw forbidden("signing in with the provider, as the operator has turned passwords off: GET /console/v1/session/oidc");
}

/** @throws AppError unauthorized, second_factor_required, forbidden, too_many_requests, unavailable */
export async function signIn(given: { email: string; password: string } & GivenFactor, env: AccountEnv): Promise<Begun> {
  requirePasswords(env);
  const email = normalizeEmail(given.email);
  const attempt = await beginAttempt(env.database, email, env.origin.address);
  const found = await reading(env.database, (db) => findPassword(db, email));
  if (!(await isPassword(given.password, found?.hash)) || !found?.person.isActive) {
    await noteFailure(email, "createSession", env);
    throw unauthorized(WRONG);
  }
  const operationID = "createSession";
  return writeWithSecondFactor(found.person, given, { attempt, operationID }, env, async (db, used) => {
    // The password may have been changed or removed while it was verified.
    if (!(await holdPassword(db, found.person, found.hash))) throw unauthorized(WRONG);
    return begin(db, found.person, operationID, env, provedByPassword(used, env.now));
  });
}

function provedByPassword(used: Used, now: number): Proved {
  return { isSingleSignOn: false, passwordTime: now, passkeyTime: used === "passkey" ? now : null };
}

type Redemption = { token: string; email: string; password: string; name?: string | undefined } & GivenFactor;

/** The use of a one-time token. @throws AppError unauthorized, forbidden, unavailable */
export async function checkToken(token: string, env: AccountEnv): Promise<Schema<"OneTimeToken">> {
  requirePasswords(env);
  const use = await reading(env.database, (db) => findUse(db, token, env.now));
  if (!use) throw unauthorized("The token does not exist or no longer works. Ask for a new one.");
  return use;
}

/** @throws AppError invalid_request, unauthorized, second_factor_required, forbidden, too_many_requests, unavailable */
export async function redeem(given: Redemption, env: AccountEnv): Promise<Begun> {
  requirePasswords(env);
  const email = normalizeEmail(given.email);
  const attempt = await beginAttempt(env.database, email, env.origin.address);
  const found = await reading(env.database, (db) => findRedeemable(db, given.token, email, env.now));
  if (!found) {
    await noteFailure(email, "redeemToken", env);
    throw unauthorized(REFUSED);
  }
  const violations = await checkPassword(given.password, email);
  if (!found.person && given.name === undefined) violations.push({ property: "name", errorMessage: "is required" });
  if (violations.length > 0) {
    await attempt.withdraw();
    throw invalid(violations);
  }
  const hash = await hashPassword(given.password);
  const operationID = "redeemToken";
  const work = (db: Db, used: Used) => redeemFor(db, { ...given, email }, hash, used, env);
  if (found.person) return writeWithSecondFactor(found.person, given, { attempt, operationID }, env, work);
  await attempt.succeed();
  return writeAccount(env.database, (db) => work(db, undefined));
}

async function redeemFor(db: Db, given: Redemption, hash: string, used: Used, env: AccountEnv): Promise<Begun> {
  const { token, email, name } = given;
  const current = await findRedeemable(db, token, email, env.now);
  if (!current || !(await takeToken(db, current.token))) throw unauthorized(REFUSED);
  const person = current.person ?? newPerson({ email, ...splitName(name ?? ""), isAdministrator: true }, env);
  const { people } = openPersonStores(db, person, "redeemToken", env);
  if (!current.person) await people.create(person);
  // Invited people enter their own name.
  else if (current.token.purpose === "invitation" && name !== undefined) {
    const invited = await people.get(person.id, { lock: true });
    await people.replace(invited, changePerson(invited, splitName(name), { actor: toActor(person), now: env.now }));
  }
  setPassword(db, person, hash, env.now);
  await endSessions(db, person.id);
  return begin(db, person, "redeemToken", env, provedByPassword(used, env.now));
}

/** Ends the other sessions of the person. @throws AppError invalid_request, forbidden, too_many_requests, unavailable */
export async function changePassword(given: { currentPassword?: string | undefined; password: string }, env: SignedInEnv): Promise<void> {
  requirePasswords(env);
  const { person, id } = env.session;
  const attempt = await beginAttempt(env.database, person.email, env.origin.address);
  const found = await reading(env.database, (db) => findPassword(db, person.email));
  const violations: Violation[] = await checkPassword(given.password, person.email);
  const { currentPassword } = given;
  const isByPasskey = currentPassword === undefined && hasFreshPasskey(env.session, env.now);
  const wrong = { property: "currentPassword", errorMessage: currentPassword === undefined ? "is required" : "is wrong" };
  if (isByPasskey || (currentPassword !== undefined && (await isPassword(currentPassword, found?.hash)))) await attempt.succeed();
  else {
    await noteFailure(person.email, "changePassword", env);
    violations.push(wrong);
  }
  if (violations.length > 0) throw invalid(violations);
  const hash = await hashPassword(given.password);
  await writing(env.database, async (db) => {
    if (!isByPasskey && !(await holdPassword(db, person, found?.hash ?? ""))) throw invalid([wrong]);
    setPassword(db, person, hash, env.now);
    await endSessions(db, person.id, id);
    await noteSession(db, { person, id }, "Changed the password, which ended the other sessions.", {
      ...env,
      operationID: "changePassword",
    });
  });
}

/** Changes the fields that only a person may change for themselves. @returns the session with it. @throws AppError invalid_request */
export async function changeAccount(given: WritableSchema<"AccountPatch">, env: SignedInEnv): Promise<Session> {
  const { session } = env;
  const { defaultProjectID = null } = given;
  if (defaultProjectID !== null && !session.projects.some(({ id }) => id === defaultProjectID)) {
    throw invalid([{ property: "defaultProjectID", errorMessage: "is not the id of one of your projects" }]);
  }
  return writing(env.database, async (db) => {
    const { people } = openPersonStores(db, session.person, "updateSession", env);
    const person = await people.get(session.person.id, { lock: true });
    const changed = await people.replace(person, changePerson(person, given, { actor: toActor(person), now: env.now }));
    return { ...session, person: changed };
  });
}

/** Creates an administrator with a password. @throws AppError invalid_request for a password that is too common */
export async function createAdministrator(
  given: { email: string; password: string; name?: string },
  env: Pick<AccountEnv, "database" | "now">,
): Promise<void> {
  const email = normalizeEmail(given.email);
  const violations = await checkPassword(given.password, email);
  if (violations.length > 0) throw invalid(violations);
  const hash = await hashPassword(given.password);
  await writing(env.database, async (db) => {
    const person = newPerson({ email, ...splitName(given.name ?? ""), isAdministrator: true }, env);
    await openPersonStores(db, person, "bootstrap", env).people.create(person);
    setPassword(db, person, hash, env.now);
  });
}

/** Starts a session of a person in the transaction, and notes it in the audit log. @throws AppError unauthorized */
export async function begin(
  db: Db,
  person: Person,
  operationID: OperationId,
  { now, limits, origin }: AccountEnv,
  proved: Proved,
): Promise<Begun> {
  const { id, secret, hash } = startSession(db, person.id, origin, now, limits, proved);
  await noteSession(db, { person, id }, "Signed in.", { operationID, now, origin });
  const [session] = await findSessions(db, [hash], now, limits);
  // Deactivated since it was examined.
  if (!session) throw unauthorized(WRONG);
  return { secret, session };
}

/** The stores of the instance or of a project, for a person who acts for themselves before they have a session. */
export function openPersonStores(
  db: Db,
  person: Person,
  operationID: string,
  { now }: Pick<AccountEnv, "now">,
  projectID = INSTANCE_PROJECT,
): Stores {
  const principal = { permissions: EVERY_PERMISSION, grantedBy: "the token", limits: null, publishing: null, administersInstance: true };
  const context = { actor: toActor(person), projectID, operationID, now, ...principal };
  return createStores({ db, context, log: createChangeLog(db, context) });
}
