import type { Versioned } from "./change-log.ts";

/** The strong ETag of an entity: its version and, since a deleted id may be used again, the time of its creation. */
export function entityTag({ version, createdTime }: Versioned): string {
  return createdTime === undefined ? `"${version}"` : `"${version}-${createdTime.toString(36)}"`;
}

/** Whether an If-Match or If-None-Match header names the tag. Weak tags never match strongly (RFC 9110, 8.8.3.2). */
export function namesTag(header: string, tag: string): boolean {
  return header.split(",").some((part) => part.trim() === "*" || part.trim() === tag);
}
