import { refuse } from "./scim-error.ts";

/** Characters that are not allowed in texts. */
const CONTROL = /\p{Cc}/u;

/** Reads a text of at most `most` characters. Null if it is empty or missing. @throws ScimError invalidValue */
export function readText(attribute: string, value: unknown, most: number): string | null {
  if (value === null || value === undefined || value === "") return null;
  if (typeof value !== "string") throw refuse("invalidValue", `${attribute} must be a text.`);
  if (value.length > most) throw refuse("invalidValue", `${attribute} must have at most ${most} characters.`);
  if (CONTROL.test(value)) throw refuse("invalidValue", `${attribute} must not have control characters.`);
  return value;
}

/** Reads a boolean, which some providers send as a text. @throws ScimError invalidValue */
export function readBoolean(attribute: string, value: unknown): boolean {
  const text = typeof value === "string" ? value.toLowerCase() : value;
  if (text === true || text === "true") return true;
  if (text === false || text === "false") return false;
  throw refuse("invalidValue", `${attribute} must be true or false.`);
}

/** The own properties of an object. @throws ScimError invalidValue if the value is not an object */
export function readEntries(attribute: string, value: unknown): [string, unknown][] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw refuse("invalidValue", `${attribute} must be an object.`);
  return Object.entries(value);
}

/** An own property of a value. @param name in lower case; the property's name can be in any case */
export function readProperty(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.entries(value).find(([key]) => key.toLowerCase() === name)?.[1];
}
