import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import { conflict, invalid, notFound } from "../../common/errors.ts";
import { reading } from "../../store/database/unit-of-work.ts";
import type { SignedInEnv } from "../account-env.ts";
import { addFactor, changeFactors, removeFactor } from "./change-factors.ts";
import { requireConfirmed } from "./confirmation.ts";
import { deletePasskey, listPasskeys, type Passkey, renamePasskey, storePasskey } from "./passkey-store.ts";
import { challengeNewPasskey, verifyAttestation } from "./passkeys.ts";
import { requireRelyingParty } from "./relying-party.ts";

/** Maximum number of passkeys of a person. */
const MAX_PASSKEYS = 20;

/** A passkey as responses show it. */
export function toShown({ id, name, createdTime, lastUsedTime, isSynced }: Passkey): Schema<"Passkey"> {
  return { id, name, createdTime, lastUsedTime, isSynced };
}

/** @throws AppError forbidden, not_found, unavailable */
export async function startPasskeyCreation({ session, ...env }: SignedInEnv): Promise<Schema<"PasskeyCreationOptions">> {
  requireConfirmed({ session, ...env });
  const relyingParty = requireRelyingParty(env.secondFactors.relyingParty);
  const passkeys = await reading(env.database, (db) => listPasskeys(db, session.person.id));
  return challengeNewPasskey(session.id, session.person, passkeys, { ...env, relyingParty });
}

/** @throws AppError invalid_request, forbidden, not_found, conflict, unavailable */
export async function createPasskey({ name, passkey: given }: WritableSchema<"PasskeyCreate">, env: SignedInEnv): Promise<Passkey> {
  requireConfirmed(env);
  const relyingParty = requireRelyingParty(env.secondFactors.relyingParty);
  const verified = await verifyAttestation(given, env.session.id, { ...env, relyingParty });
  if (!verified) {
    const errorMessage = "was not created for this server with user verification, or its challenge was used or has expired";
    throw invalid([{ property: "passkey", errorMessage }]);
  }
  return addFactor("createPasskey", env, async (db, { id: personID }) => {
    if ((await listPasskeys(db, personID)).length >= MAX_PASSKEYS) throw conflict(`You have ${MAX_PASSKEYS} passkeys. Remove one first.`);
    const passkey = { ...verified, name, personID, createdTime: env.now, lastUsedTime: null };
    if (!(await storePasskey(db, passkey))) throw conflict("This passkey already exists.");
    return { result: passkey, reason: `Created the passkey ${name}` };
  });
}

/** @throws AppError forbidden, not_found, unavailable */
export function changePasskey(id: string, name: string, env: SignedInEnv): Promise<Passkey> {
  return changeFactors("patchPasskey", env, async (db, person) => {
    const result = await renamePasskey(db, person.id, id, name);
    if (!result) throw notFound("Passkey", id);
    return { result, reason: `Renamed a passkey to ${name}.` };
  });
}

/** @throws AppError forbidden, not_found, conflict, unavailable */
export async function removePasskey(id: string, env: SignedInEnv): Promise<void> {
  await removeFactor("deletePasskey", env, async (db, person) => {
    const result = await deletePasskey(db, person.id, id);
    if (!result) throw notFound("Passkey", id);
    return { result, reason: `Removed the passkey ${result.name}` };
  });
}
