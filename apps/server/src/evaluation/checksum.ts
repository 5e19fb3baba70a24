import { hash } from "node:crypto";

/** 132 bits of the SHA-256 of a content, as 22 characters in base64url. */
export function checksum(content: string | Buffer): string {
  return hash("sha256", content, "base64url").slice(0, 22);
}
