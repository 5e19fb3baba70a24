import { customAlphabet } from "nanoid";

/** Consonants only, so that codes do not spell words or contain O or I. */
const LETTERS = "BCDFGHJKLMNPQRSTVWXZ";
const LENGTH = 8;
const CODE = new RegExp(`^[${LETTERS}]{${LENGTH}}$`);

/** The rule that a user code follows, as errors state it. */
export const USER_CODE_RULE = `must be a code of ${LENGTH} letters out of ${LETTERS}`;

/** A random code that a person copies from a device: one of 20⁸. */
export const randomUserCode = customAlphabet(LETTERS, LENGTH);

/** A code as a person typed it, as it is stored. Undefined for other text. */
export function readUserCode(given: string): string | undefined {
  const code = given.replaceAll(/[\s\p{Dash}]/gu, "").toUpperCase();
  return CODE.test(code) ? code : undefined;
}

/** `WDJBMJHT` → `WDJB-MJHT` */
export function showUserCode(code: string): string {
  return `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`;
}
