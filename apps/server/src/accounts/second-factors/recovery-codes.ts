import { randomBytes } from "node:crypto";
import { hashSecret } from "../../tokens/secret.ts";

const COUNT = 10;
/** 32 letters and digits that don't look alike. */
const ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789";
/** 80 random bits, so that a fast hash is enough. */
const LENGTH = 16;
const GROUP_LENGTH = 4;

/** Ten new codes, such as `k7mp-2qtx-9wnv-hd4c`. */
export function randomRecoveryCodes(): string[] {
  return Array.from({ length: COUNT }, randomRecoveryCode);
}

function randomRecoveryCode(): string {
  const letters = Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join("");
  return letters.match(new RegExp(`.{${GROUP_LENGTH}}`, "g"))?.join("-") ?? letters;
}

/** The hash of a code, however it is typed. */
export function hashRecoveryCode(code: string): string {
  return hashSecret(normalizeCode(code));
}

/** A code in lower case, without spaces and hyphens. */
export function normalizeCode(code: string): string {
  return code.toLowerCase().replaceAll(/[\s\p{Pd}]/gu, "");
}
