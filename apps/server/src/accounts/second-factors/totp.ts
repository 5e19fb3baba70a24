import { Secret, TOTP } from "otpauth";

/** The defaults of RFC 6238, since not all apps support others. */
const PARAMETERS = { issuer: "Gatehouse", algorithm: "SHA1", digits: 6, period: 30 };
const SECRET_BYTES = 20;
/** How many steps the clock of a device may be early or late. */
const TOLERANCE_STEPS = 1;

/** A new secret, in base32. */
export function randomTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** The `otpauth` URI of a secret, which apps read from a QR code. */
export function toTotpUri(secret: string, email: string): string {
  return new TOTP({ ...PARAMETERS, label: email, secret }).toString();
}

/** The step of a code: the number of its 30 seconds since the epoch. Undefined for a wrong code. @param now ms since the epoch */
export function findStep(secret: string, code: string, now: number): number | undefined {
  const totp = new TOTP({ ...PARAMETERS, secret });
  const delta = totp.validate({ token: code, timestamp: now, window: TOLERANCE_STEPS });
  return delta === null ? undefined : totp.counter({ timestamp: now }) + delta;
}
