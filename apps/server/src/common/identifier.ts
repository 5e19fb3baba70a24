import { customAlphabet } from "nanoid";

/** Derives an id from a name: lower case, with each run of white space as one underscore. */
export function identifier(name: string): string {
  return name.toLowerCase().replace(/\s+/g, "_");
}

/** A random id for entities whose id is not derived from a name. 22 letters and digits have 131 bits, more than a UUID. */
export const randomID = customAlphabet("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", 22);
