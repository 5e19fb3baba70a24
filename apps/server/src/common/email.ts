/** In characters, as in the contract. */
const MAX_LENGTH = 254;
/** An address that the contract accepts, in lower case: ASCII alone, with one `@`. */
const PATTERN = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;

/**
 * The text with ASCII letters in lower case. Other letters stay as they are, since some of them have a lower case in ASCII: that of the Kelvin
 * sign is `k`.
 */
export function toLowerAscii(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Returns the stored form of an address, for comparisons. */
export function normalizeEmail(email: string): string {
  return toLowerAscii(email);
}

/** The address as it is stored. Undefined if the text is not an address that the contract accepts; it is never cut to become one. */
export function readEmail(text: string): string | undefined {
  const email = normalizeEmail(text);
  return email.length <= MAX_LENGTH && PATTERN.test(email) ? email : undefined;
}

/** The domain of a stored address. */
export function domainOfEmail(email: string): string {
  return email.slice(email.indexOf("@") + 1);
}
