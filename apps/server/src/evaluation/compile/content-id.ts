import { hashName } from "@gatehouse/evaluation";

/** An id that a JSON value has for its content: the same for the same text, and another for another. */
export function contentID(value: unknown): string {
  return hashName(JSON.stringify(value), "sha256").slice(0, 16);
}
