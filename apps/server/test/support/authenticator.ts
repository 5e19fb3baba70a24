import { createHash, createSign, generateKeyPairSync, randomBytes } from "node:crypto";

type Options = { challenge: string; rp?: { id: string }; rpId?: string; user?: { id: string } };
type Changes = { origin?: string; flags?: number; counter?: number; userHandle?: string | null };

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

/** An authenticator that has one passkey, with a real ES256 key. It counts its signatures. */
export function createAuthenticator(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const id = randomBytes(16);
  const named = { id: id.toString("base64url"), rawId: id.toString("base64url"), type: "public-key", clientExtensionResults: {} };
  let user = "";
  let signatures = 0;
  return {
    id: named.id,

    /** The credential that a browser sends after `navigator.credentials.create`. */
    create({ challenge, rp, user: given }: Options, { origin: at = origin, flags = USER_PRESENT | USER_VERIFIED }: Changes = {}) {
      user = given?.id ?? "";
      const { x = "", y = "" } = publicKey.export({ format: "jwk" });
      const length = Buffer.from([0, id.length]);
      const credential = Buffer.concat([Buffer.alloc(16), length, id, coseKey(Buffer.from(x, "base64url"), Buffer.from(y, "base64url"))]);
      const data = Buffer.concat([authenticatorData(rp?.id ?? "", flags | HAS_CREDENTIAL, 0), credential]);
      const attestation = Buffer.concat([
        Buffer.from([0xa3]),
        ...[text("fmt"), text("none"), text("attStmt"), Buffer.from([0xa0]), text("authData"), bytes(data)],
      ]);
      const response = {
        clientDataJSON: clientData("webauthn.create", challenge, at),
        attestationObject: attestation.toString("base64url"),
        transports: ["internal"],
      };
      return { ...named, response };
    },

    /** The assertion that a browser sends after `navigator.credentials.get`. */
    get({ challenge, rpId = "" }: Options, changes: Changes = {}) {
      signatures += 1;
      const { origin: at = origin, flags = USER_PRESENT | USER_VERIFIED, counter = signatures, userHandle = user } = changes;
      const data = authenticatorData(rpId, flags, counter);
      const clientDataJSON = clientData("webauthn.get", challenge, at);
      const signed = Buffer.concat([data, createHash("sha256").update(Buffer.from(clientDataJSON, "base64url")).digest()]);
      const signature = createSign("sha256").update(signed).sign(privateKey).toString("base64url");
      return { ...named, response: { clientDataJSON, authenticatorData: data.toString("base64url"), signature, userHandle } };
    },
  };
}

function authenticatorData(rpID: string, flags: number, counter: number): Buffer {
  const rest = Buffer.alloc(5);
  rest.writeUInt8(flags, 0);
  rest.writeUInt32BE(counter, 1);
  return Buffer.concat([createHash("sha256").update(rpID).digest(), rest]);
}

function clientData(type: string, challenge: string, origin: string): string {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })).toString("base64url");
}

/** The COSE key of an ES256 key in CBOR. */
function coseKey(x: Buffer, y: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]), bytes(x), Buffer.from([0x22]), bytes(y)]);
}

function text(given: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + given.length]), Buffer.from(given)]);
}

function bytes(given: Buffer): Buffer {
  const header = given.length < 256 ? [0x58, given.length] : [0x59, given.length >> 8, given.length & 0xff];
  return Buffer.concat([Buffer.from(header), given]);
}
