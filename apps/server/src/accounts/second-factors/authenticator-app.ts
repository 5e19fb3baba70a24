import type { Schema } from "@gatehouse/contract/console";
import { AppError, conflict, invalid } from "../../common/errors.ts";
import type { Vault } from "../../common/vault.ts";
import type { Person } from "../../console/people/person.ts";
import { reading } from "../../store/database/unit-of-work.ts";
import type { SignedInEnv } from "../account-env.ts";
import { addFactor, changeFactors, removeFactor } from "./change-factors.ts";
import { requireConfirmed } from "./confirmation.ts";
import { normalizeCode } from "./recovery-codes.ts";
import { findStep, randomTotpSecret, toTotpUri } from "./totp.ts";
import { deleteTotp, findTotp, startTotp, storeConfirmation } from "./totp-store.ts";

/** How long a code can confirm a secret. */
export const SETUP_MS = 60 * 60 * 1000;

const EXISTS = "You already have an authenticator app. Remove it first.";
const NOT_STARTED = "No set-up of an authenticator app was started within the last hour. Start it again.";
const NONE = "You have no authenticator app.";

/** @throws AppError not_found */
function requireVault({ vault }: SignedInEnv["secondFactors"]): Vault {
  if (vault) return vault;
  throw new AppError("not_found", "Authenticator apps are not set up. The operator does that with GATEHOUSE_SECRET_KEY.");
}

/** @throws AppError forbidden, not_found, conflict, unavailable */
export async function startTotpSetup(env: SignedInEnv): Promise<Schema<"TotpSetup">> {
  requireConfirmed(env);
  const vault = requireVault(env.secondFactors);
  const secret = randomTotpSecret();
  await changeFactors("startTotpSetup", env, async (db, person) => {
    if (!(await startTotp(db, person.id, vault.encrypt(person.id, secret), env.now))) throw conflict(EXISTS);
    return { result: undefined, reason: "Started to set up an authenticator app." };
  });
  return { secret, uri: toTotpUri(secret, env.session.person.email) };
}

/** @throws AppError invalid_request, forbidden, not_found, conflict, unavailable */
export async function confirmTotp(code: string, env: SignedInEnv): Promise<void> {
  requireConfirmed(env);
  const { person } = env.session;
  const { secret: encrypted, step } = await checkCode(code, person, env);
  await addFactor("confirmTotp", env, async (db) => {
    if (!(await storeConfirmation(db, person.id, encrypted, step, env.now))) throw conflict(EXISTS);
    return { result: undefined, reason: "Set up an authenticator app" };
  });
}

async function checkCode(
  code: string,
  person: Person,
  { database, now, secondFactors }: SignedInEnv,
): Promise<{ secret: string; step: number }> {
  const totp = await reading(database, (db) => findTotp(db, person.id));
  if (totp && totp.confirmedTime !== null) throw conflict(EXISTS);
  const secret = totp && secondFactors.vault?.decrypt(person.id, totp.secret);
  if (!totp || secret === undefined || totp.createdTime <= now - SETUP_MS) throw new AppError("not_found", NOT_STARTED);
  const step = findStep(secret, normalizeCode(code), now);
  if (step === undefined) throw invalid([{ property: "code", errorMessage: "is wrong, or the clock of your device is not set correctly" }]);
  return { secret: totp.secret, step };
}

/** @throws AppError forbidden, not_found, conflict, unavailable */
export function removeTotp(env: SignedInEnv): Promise<void> {
  return removeFactor("deleteTotp", env, async (db, person) => {
    if (!(await deleteTotp(db, person.id))) throw new AppError("not_found", NONE);
    return { result: undefined, reason: "Removed the authenticator app" };
  });
}
