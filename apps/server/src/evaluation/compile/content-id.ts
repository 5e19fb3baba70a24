import { hash } from "node:crypto";

/** An id that a JSON value has for its content: the same for the same text, and another for another. */
export function contentID(value: unknown): string {
  return hash("sha256", JSON.stringify(value), "base64url").slice(0, 16);
}
