import type { OperationId } from "@gatehouse/contract/console";
import { AppError, type SecondFactor } from "../../common/errors.ts";
import type { Person } from "../../console/people/person.ts";
import { type Db, reading, writing } from "../../store/database/unit-of-work.ts";
import { countSecondFactors, type FactorCounts } from "../../tokens/second-factor-store.ts";
import type { AccountEnv } from "../account-env.ts";
import type { Attempt } from "../attempts.ts";
import { noteFailure, noteSession } from "../note-session.ts";
import { lockPerson } from "../person-lock-store.ts";
import { writeAccount } from "../write-account.ts";
import { type Passkey, usePasskey } from "./passkey-store.ts";
import { type Assertion, type Signed, verifyAssertion } from "./passkeys.ts";
import { useRecoveryCode } from "./recovery-code-store.ts";
import { hashRecoveryCode, normalizeCode } from "./recovery-codes.ts";
import { findStep } from "./totp.ts";
import { findTotp, useStep } from "./totp-store.ts";

/** The proof of a second factor that a caller sends. */
export type GivenFactor = { code?: string | undefined; passkey?: Assertion | undefined };

/** The second factor that was used in a sign-in, if any. */
export type Used = SecondFactor | undefined;

/** A factor that was checked. It works once, so it is used up in the transaction that starts the session. */
type Proof = { factor: SecondFactor; use(db: Db): Promise<boolean> };

type Situation = { attempt: Attempt; operationID: OperationId };

const MISSING = "A second factor is required. Repeat the request with a code or a passkey.";
const WRONG = "The second factor is wrong or was used before. Repeat the request with another code or a passkey.";

/**
 * Runs the work in one transaction after the person has proved their second factor, if they have one. This also ends the attempt: a wrong
 * factor counts as a failure, and a missing one does not.
 * @throws AppError second_factor_required, unavailable
 */
export async function writeWithSecondFactor<T>(
  person: Person,
  given: GivenFactor,
  { attempt, operationID }: Situation,
  env: AccountEnv,
  work: (db: Db, used: Used) => Promise<T>,
): Promise<T> {
  const counts = await reading(env.database, (db) => countSecondFactors(db, person.id));
  const isMissing = hasFactor(counts) && given.code === undefined && given.passkey === undefined;
  if (isMissing) {
    await attempt.withdraw();
    throw required(counts, MISSING);
  }
  const proof = hasFactor(counts) ? await checkFactor(person, given, operationID, env) : undefined;
  try {
    if (hasFactor(counts) && !proof) throw required(counts, WRONG);
    if (!proof) await attempt.succeed();
    const result = await writeAccount(env.database, async (db) => {
      // A factor may have been added or used since it was checked.
      await lockPerson(db, person.id);
      const current = await countSecondFactors(db, person.id);
      if (proof ? !(await proof.use(db)) : hasFactor(current)) throw required(current, proof ? WRONG : MISSING);
      if (proof?.factor === "recovery_code") await noteRecoveryCode(db, person, current.recoveryCodes - 1, operationID, env);
      return work(db, proof?.factor);
    });
    if (proof) await attempt.succeed();
    return result;
  } catch (error) {
    if (error instanceof AppError && error.code === "second_factor_required") await noteFailure(person.email, operationID, env);
    throw error;
  }
}

/** Whether a person needs a second factor to sign in. Recovery codes alone are not a second factor. */
export function hasFactor({ totp, passkeys }: FactorCounts): boolean {
  return totp || passkeys > 0;
}

function required(counts: FactorCounts, message: string): AppError {
  const factors: SecondFactor[] = [
    ...(counts.totp ? ["totp" as const] : []),
    ...(counts.passkeys > 0 ? ["passkey" as const] : []),
    ...(counts.recoveryCodes > 0 ? ["recovery_code" as const] : []),
  ];
  return new AppError("second_factor_required", message, undefined, { factors });
}

async function checkFactor(person: Person, given: GivenFactor, operationID: OperationId, env: AccountEnv): Promise<Proof | undefined> {
  if (given.passkey) return checkPasskey(person, given.passkey, operationID, env);
  const code = normalizeCode(given.code ?? "");
  if (/^\d{6}$/.test(code)) return checkTotp(person, code, env);
  return { factor: "recovery_code", use: (db) => useRecoveryCode(db, person.id, hashRecoveryCode(code)) };
}

async function checkTotp(person: Person, code: string, { database, secondFactors, now, log }: AccountEnv): Promise<Proof | undefined> {
  const totp = await reading(database, (db) => findTotp(db, person.id));
  if (!totp || totp.confirmedTime === null) return undefined;
  const secret = secondFactors.vault?.decrypt(person.id, totp.secret);
  if (secret === undefined) {
    log.warn({ person: person.id }, "The secret of an authenticator app was encrypted with another GATEHOUSE_SECRET_KEY.");
    return undefined;
  }
  const step = findStep(secret, code, now);
  return step === undefined ? undefined : { factor: "totp", use: (db) => useStep(db, person.id, totp.secret, step) };
}

async function checkPasskey(person: Person, given: Assertion, operationID: OperationId, env: AccountEnv): Promise<Proof | undefined> {
  const { relyingParty } = env.secondFactors;
  const use = { purpose: "sign_in", sessionID: null } as const;
  const signed = relyingParty && (await verifyAssertion(given, use, { ...env, relyingParty }));
  if (signed?.person.id !== person.id || !(await countSignature(signed, operationID, env))) return undefined;
  return { factor: "passkey", use: async () => true };
}

/** Stores the counter of a signature. A counter that went backwards is noted in the audit log. @returns whether it went up */
export async function countSignature({ passkey, person, counter }: Signed, operationID: OperationId, env: AccountEnv): Promise<boolean> {
  return writing(env.database, async (db) => {
    const isCounted = await usePasskey(db, passkey.id, counter, env.now);
    if (!isCounted) await noteSession(db, { person, id: passkey.id }, describeCopy(passkey, counter), { ...env, operationID });
    return isCounted;
  });
}

function describeCopy({ name, counter: before }: Passkey, counter: number): string {
  return `Refused the passkey ${name}, since its signature counter went from ${before} to ${counter}. Someone may have a copy of it.`;
}

function noteRecoveryCode(db: Db, person: Person, left: number, operationID: OperationId, env: AccountEnv): Promise<void> {
  return noteSession(db, { person, id: person.id }, `Used a recovery code. ${left} left.`, { ...env, operationID });
}
