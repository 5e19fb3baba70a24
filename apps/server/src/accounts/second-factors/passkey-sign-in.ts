import type { Schema } from "@gatehouse/contract/console";
import { unauthorized } from "../../common/errors.ts";
import { reading } from "../../store/database/unit-of-work.ts";
import type { AccountEnv } from "../account-env.ts";
import { beginAttempt, countChallenge, discountChallenge } from "../attempts.ts";
import { noteFailure } from "../note-session.ts";
import { lockPerson } from "../person-lock-store.ts";
import { type Begun, begin, requirePasswords } from "../sign-in.ts";
import { writeAccount } from "../write-account.ts";
import { findPasskey } from "./passkey-store.ts";
import { type Assertion, challengePasskey, verifyAssertion } from "./passkeys.ts";
import { requireRelyingParty } from "./relying-party.ts";
import { countSignature } from "./second-factor.ts";

/** The same text for every error, so that it doesn't reveal which passkeys exist. */
const REFUSED = "This passkey does not work here. Sign in another way, or try again.";
const SIGN_IN = { purpose: "sign_in", sessionID: null } as const;
const OPERATION_ID = "finishPasskeySignIn";

/** @throws AppError forbidden, not_found, too_many_requests, unavailable */
export async function startPasskeySignIn(env: AccountEnv): Promise<Schema<"PasskeyRequestOptions">> {
  requirePasswords(env);
  const relyingParty = requireRelyingParty(env.secondFactors.relyingParty);
  await countChallenge(env.database, env.origin.address);
  return challengePasskey(SIGN_IN, [], { ...env, relyingParty });
}

/** Signs in with only a passkey. @throws AppError unauthorized, forbidden, not_found, too_many_requests, unavailable */
export async function finishPasskeySignIn(given: Assertion, env: AccountEnv): Promise<Begun> {
  requirePasswords(env);
  const relyingParty = requireRelyingParty(env.secondFactors.relyingParty);
  const owner = (await reading(env.database, (db) => findPasskey(db, given.id)))?.person;
  const account = owner?.email ?? `passkey ${given.id}`;
  const attempt = await beginAttempt(env.database, account, env.origin.address);
  const signed = await verifyAssertion(given, SIGN_IN, { ...env, relyingParty });
  if (!signed?.person.isActive || !(await countSignature(signed, OPERATION_ID, env))) {
    await noteFailure(owner?.email ?? "unknown passkey", OPERATION_ID, env);
    throw unauthorized(REFUSED);
  }
  await attempt.succeed();
  await discountChallenge(env.database, env.origin.address);
  return writeAccount(env.database, async (db) => {
    await lockPerson(db, signed.person.id);
    // The passkey may have been removed while it was verified.
    if (!(await findPasskey(db, given.id))) throw unauthorized(REFUSED);
    return begin(db, signed.person, OPERATION_ID, env, { isSingleSignOn: false, passwordTime: null, passkeyTime: env.now });
  });
}
