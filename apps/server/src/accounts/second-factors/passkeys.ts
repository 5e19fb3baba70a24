import { randomBytes } from "node:crypto";
import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import type { RegistrationResponseJSON } from "@simplewebauthn/server";
import { type Person, toActor } from "../../console/people/person.ts";
import type { Database } from "../../store/database/database.ts";
import { reading, repeating } from "../../store/database/unit-of-work.ts";
import { CHALLENGE_MS, type ChallengeUse, storeChallenge, takeChallenge } from "./challenge-store.ts";
import { findPasskey, type Passkey } from "./passkey-store.ts";
import type { RelyingParty } from "./relying-party.ts";

export type Assertion = WritableSchema<"PasskeyAssertion">;
export type Attestation = WritableSchema<"PasskeyAttestation">;

/** The database for challenges, the time and the relying party. */
type Party = { database: Database; now: number; relyingParty: RelyingParty };

/** 200 modules, loaded at the first use of a passkey. */
const webAuthn = () => import("@simplewebauthn/server");

const CHALLENGE_BYTES = 32;
const newChallenge = () => ({ challenge: new Uint8Array(randomBytes(CHALLENGE_BYTES)), timeout: CHALLENGE_MS });

/** A challenge for one of the given passkeys. Without passkeys, for any that the device finds. */
export async function challengePasskey(
  use: ChallengeUse,
  passkeys: Passkey[],
  { database, now, relyingParty }: Party,
): Promise<Schema<"PasskeyRequestOptions">> {
  const { generateAuthenticationOptions } = await webAuthn();
  const { challenge, rpId, allowCredentials } = await generateAuthenticationOptions({
    ...newChallenge(),
    rpID: relyingParty.id,
    userVerification: "required",
    allowCredentials: passkeys.map(({ id, transports }) => ({ id, transports })),
  });
  await repeating(database, (db) => storeChallenge(db, challenge, use, now));
  const allowed = passkeys.length > 0 && { allowCredentials: allowCredentials as Schema<"PasskeyDescriptor">[] };
  return { challenge, timeout: CHALLENGE_MS, rpId: rpId ?? relyingParty.id, userVerification: "required", ...allowed };
}

/** A challenge for a new passkey of a person. */
export async function challengeNewPasskey(
  sessionID: string,
  person: Person,
  passkeys: Passkey[],
  { database, now, relyingParty }: Party,
): Promise<Schema<"PasskeyCreationOptions">> {
  const { generateRegistrationOptions } = await webAuthn();
  const { challenge, rp, user, pubKeyCredParams, excludeCredentials } = await generateRegistrationOptions({
    ...newChallenge(),
    rpName: relyingParty.name,
    rpID: relyingParty.id,
    userID: new Uint8Array(Buffer.from(person.id)),
    userName: person.email,
    userDisplayName: toActor(person).name,
    excludeCredentials: passkeys.map(({ id, transports }) => ({ id, transports })),
  });
  await repeating(database, (db) => storeChallenge(db, challenge, { purpose: "creation", sessionID }, now));
  return {
    ...{ challenge, timeout: CHALLENGE_MS, rp: { id: relyingParty.id, name: rp.name }, user },
    pubKeyCredParams: pubKeyCredParams.map(({ alg }) => ({ type: "public-key", alg })),
    excludeCredentials: excludeCredentials as Schema<"PasskeyDescriptor">[],
    authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
    attestation: "none",
  };
}

/** A verified passkey with its person. The counter of its signature is not compared yet. */
export type Signed = { passkey: Passkey; person: Person; counter: number };

/** Verifies an assertion and uses up its challenge. Undefined if anything is wrong. */
export async function verifyAssertion(
  given: Assertion,
  use: ChallengeUse,
  { database, now, relyingParty }: Party,
): Promise<Signed | undefined> {
  const challenge = readChallenge(given.response.clientDataJSON);
  if (challenge === undefined || !(await repeating(database, (db) => takeChallenge(db, challenge, use, now)))) return undefined;
  const found = await reading(database, (db) => findPasskey(db, given.id));
  const { userHandle = null, ...response } = given.response;
  if (!found || (userHandle !== null && userHandle !== toHandle(found.person))) return undefined;
  const { id, publicKey } = found.passkey;
  const { verifyAuthenticationResponse } = await webAuthn();
  const verified = await verifyAuthenticationResponse({
    response: { ...given, type: "public-key", clientExtensionResults: {}, authenticatorAttachment: undefined, response } as never,
    expectedChallenge: challenge,
    expectedOrigin: relyingParty.origin,
    expectedRPID: relyingParty.id,
    // The counter is compared where it is stored, so that signatures at the same time are in order.
    credential: { id, publicKey: new Uint8Array(Buffer.from(publicKey, "base64url")), counter: 0 },
  }).catch(() => undefined);
  return verified?.verified ? { ...found, counter: verified.authenticationInfo.newCounter } : undefined;
}

/** Verifies a new passkey and uses up its challenge. Undefined if anything is wrong. */
export async function verifyAttestation(
  given: Attestation,
  sessionID: string,
  { database, now, relyingParty }: Party,
): Promise<Pick<Passkey, "id" | "publicKey" | "counter" | "transports" | "isSynced"> | undefined> {
  const challenge = readChallenge(given.response.clientDataJSON);
  if (challenge === undefined) return undefined;
  const use = { purpose: "creation", sessionID } as const;
  if (!(await repeating(database, (db) => takeChallenge(db, challenge, use, now)))) return undefined;
  const { clientDataJSON, attestationObject, transports = [] } = given.response;
  const response = { id: given.id, rawId: given.rawId, type: "public-key", clientExtensionResults: {} } as const;
  const { verifyRegistrationResponse } = await webAuthn();
  const { registrationInfo } = await verifyRegistrationResponse({
    response: { ...response, response: { clientDataJSON, attestationObject } } satisfies RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: relyingParty.origin,
    expectedRPID: relyingParty.id,
  }).catch(() => ({ registrationInfo: undefined }));
  if (!registrationInfo) return undefined;
  const { credential, credentialBackedUp } = registrationInfo;
  const publicKey = Buffer.from(credential.publicKey).toString("base64url");
  return { id: credential.id, publicKey, counter: credential.counter, transports, isSynced: credentialBackedUp };
}

/** The user handle of a person. */
function toHandle({ id }: Person): string {
  return Buffer.from(id).toString("base64url");
}

function readChallenge(clientDataJSON: string): string | undefined {
  try {
    const { challenge } = Object(JSON.parse(Buffer.from(clientDataJSON, "base64url").toString())) as { challenge?: unknown };
    return typeof challenge === "string" && /^[\w-]+$/.test(challenge) ? challenge : undefined;
  } catch {
    return undefined;
  }
}
