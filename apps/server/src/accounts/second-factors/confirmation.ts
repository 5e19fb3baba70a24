import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import { forbidden, invalid, type Violation } from "../../common/errors.ts";
import { reading, writing } from "../../store/database/unit-of-work.ts";
import type { SignedInEnv } from "../account-env.ts";
import { beginAttempt } from "../attempts.ts";
import { noteFailure } from "../note-session.ts";
import { findPassword } from "../password-store.ts";
import { isPassword } from "../passwords.ts";
import { confirmSession, type Session } from "../session-store.ts";
import { listPasskeys } from "./passkey-store.ts";
import { type Assertion, challengePasskey, verifyAssertion } from "./passkeys.ts";
import { requireRelyingParty } from "./relying-party.ts";
import { countSignature } from "./second-factor.ts";

/** How long a session counts as confirmed. */
const CONFIRMED_MS = 10 * 60 * 1000;

const OPERATION_ID = "confirmSession";

/** The time until which the session can change second factors. Null if it cannot. */
export function confirmedUntil({ passwordTime, passkeyTime }: Session, now: number): number | null {
  const until = Math.max(passwordTime ?? 0, passkeyTime ?? 0) + CONFIRMED_MS;
  return until > now ? until : null;
}

/** Whether the person used a passkey in the session recently. */
export function hasFreshPasskey({ passkeyTime }: Session, now: number): boolean {
  return passkeyTime !== null && passkeyTime + CONFIRMED_MS > now;
}

/** @throws AppError forbidden */
export function requireConfirmed({ session, now }: Pick<SignedInEnv, "session" | "now">): void {
  if (confirmedUntil(session, now) === null) throw forbidden("your password or a passkey: POST /console/v1/session/confirmation");
}

/** @throws AppError not_found, unavailable */
export async function startConfirmation({ session, ...env }: SignedInEnv): Promise<Schema<"PasskeyRequestOptions">> {
  const relyingParty = requireRelyingParty(env.secondFactors.relyingParty);
  const passkeys = await reading(env.database, (db) => listPasskeys(db, session.person.id));
  return challengePasskey({ purpose: "confirmation", sessionID: session.id }, passkeys, { ...env, relyingParty });
}

/** Confirms with the password or a passkey that the person uses the session. @throws AppError invalid_request, too_many_requests, unavailable */
export async function confirm({ password, passkey }: WritableSchema<"Confirmation">, env: SignedInEnv): Promise<void> {
  if ((password === undefined) === (passkey === undefined)) {
    const isNone = password === undefined;
    throw invalid([
      { property: "password", errorMessage: isNone ? "is required unless the request has a passkey" : "cannot be sent with a passkey" },
    ]);
  }
  const { person, id } = env.session;
  const attempt = await beginAttempt(env.database, person.email, env.origin.address);
  const fault = passkey ? await checkPasskey(passkey, env) : await checkPassword(password ?? "", env);
  if (fault) {
    await noteFailure(person.email, OPERATION_ID, env);
    throw invalid([fault]);
  }
  await attempt.succeed();
  await writing(env.database, (db) => confirmSession(db, id, passkey ? "passkey" : "password", env.now));
}

async function checkPassword(password: string, { database, session }: SignedInEnv): Promise<Violation | undefined> {
  const found = await reading(database, (db) => findPassword(db, session.person.email));
  return (await isPassword(password, found?.hash)) ? undefined : { property: "password", errorMessage: "is wrong" };
}

async function checkPasskey(given: Assertion, { session, ...env }: SignedInEnv): Promise<Violation | undefined> {
  const { relyingParty } = env.secondFactors;
  const use = { purpose: "confirmation", sessionID: session.id } as const;
  const signed = relyingParty && (await verifyAssertion(given, use, { ...env, relyingParty }));
  const isRight = signed?.person.id === session.person.id && (await countSignature(signed, OPERATION_ID, env));
  return isRight ? undefined : { property: "passkey", errorMessage: "is not one of yours, or its challenge was used or has expired" };
}
