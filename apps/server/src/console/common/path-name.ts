import type { Violation } from "../../errors.ts";

/** Refuses a name that an entity could not be addressed by, as it cannot be written as one step of a URL's path. */
export function checkPathName(name: string, violations: Violation[], place = "name"): void {
  const refuse = (errorMessage: string) => violations.push({ property: place, errorMessage });
  if (name === "." || name === "..") refuse(`cannot be ${name}, which has a special meaning in URLs`);
  if (/\p{Surrogate}/u.test(name)) refuse("must be valid Unicode");
}
