import type { Schema } from "@gatehouse/contract/console";
import { conflict } from "../../common/errors.ts";
import { reading } from "../../store/database/unit-of-work.ts";
import { countSecondFactors } from "../../tokens/second-factor-store.ts";
import type { SignedInEnv } from "../account-env.ts";
import { changeFactors } from "./change-factors.ts";
import { confirmedUntil } from "./confirmation.ts";
import { toShown } from "./own-passkeys.ts";
import { listPasskeys } from "./passkey-store.ts";
import { replaceRecoveryCodes } from "./recovery-code-store.ts";
import { hashRecoveryCode, randomRecoveryCodes } from "./recovery-codes.ts";
import { hasFactor } from "./second-factor.ts";
import { findTotp } from "./totp-store.ts";

export async function readFactors({ session, database, now, secondFactors }: SignedInEnv): Promise<Schema<"SecondFactors">> {
  const { id } = session.person;
  const [totp, passkeys, { recoveryCodes }] = await reading(database, (db) =>
    Promise.all([findTotp(db, id), listPasskeys(db, id), countSecondFactors(db, id)]),
  );
  return {
    totp: totp && totp.confirmedTime !== null ? { createdTime: totp.confirmedTime } : null,
    passkeys: passkeys.map(toShown),
    recoveryCodes,
    isRequired: secondFactors.isRequired,
    canUseTotp: secondFactors.vault !== undefined,
    canUsePasskeys: secondFactors.relyingParty !== undefined,
    confirmedUntil: confirmedUntil(session, now),
  };
}

/** @returns new recovery codes in place of earlier ones. @throws AppError forbidden, conflict, unavailable */
export function createRecoveryCodes(env: SignedInEnv): Promise<string[]> {
  return changeFactors("createRecoveryCodes", env, async (db, { id }) => {
    if (!hasFactor(await countSecondFactors(db, id))) throw conflict("Set up an authenticator app or a passkey first.");
    const codes = randomRecoveryCodes();
    await replaceRecoveryCodes(db, id, codes.map(hashRecoveryCode));
    return { result: codes, reason: "Created recovery codes in place of earlier ones." };
  });
}
