import { hashName } from "@gatehouse/evaluation";

/** An id derived from the content of a JSON value: 64 bits of the hash of its text. */
export function contentID(value: unknown): string {
  return hashName(JSON.stringify(value), "sha256").slice(0, 16);
}
