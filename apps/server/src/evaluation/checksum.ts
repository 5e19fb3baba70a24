import { hash } from "node:crypto";

/** A text of 22 characters that is the same for the same content, on every replica, and another for another: 132 bits of its SHA-256. */
export function checksum(content: string | Buffer): string {
  return hash("sha256", content, "base64url").slice(0, 22);
}
