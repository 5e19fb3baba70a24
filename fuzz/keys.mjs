// The API keys of requests.
import fc from "fast-check";

/** Names of keys in `world.keys`: of the first project, then invalid ones, then those of the other project. */
const KEYS = [
  "console",
  "readOnly",
  "withoutKeys",
  "limited",
  "server",
  "client",
  "scoped",
  "deactivated",
  "unknown",
  "none",
  "other",
  "otherServer",
  "otherClient",
];

export const anyKey = fc.constantFrom(...KEYS);

export function isOfOtherProject(key) {
  return key.startsWith("other");
}
