import { customAlphabet } from "nanoid";

/** An id made from a name: lower case, each run of blanks one underscore. */
export function identifier(name: string): string {
  return name.toLowerCase().replace(/\s+/g, "_");
}

/** 22 letters and digits: as many values as a UUID has. For what has no name to make an id from. */
export const randomID = customAlphabet("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", 22);
