// The keys that requests carry.
import fc from "fast-check";

/** Names of keys in `world.keys`: of the first project, then those that open nothing, then those of the other project. */
export const KEYS = [
  "console",
  "readOnly",
  "withoutKeys",
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
