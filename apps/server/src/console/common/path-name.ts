import type { Violation } from "../../common/errors.ts";

/** Rejects a name that cannot be a segment of a URL's path, since the entity could not be addressed by it. */
export function checkPathName(name: string, violations: Violation[], place = "name"): void {
  const refuse = (errorMessage: string) => violations.push({ property: place, errorMessage });
  if (name === "." || name === "..") refuse(`cannot be ${name}, which has a special meaning in URLs`);
  if (/\p{Surrogate}/u.test(name)) refuse("must be valid Unicode");
}
