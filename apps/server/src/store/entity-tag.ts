/** What every entity has. */
export type Versioned = { version: number; createdTime?: number };

/** The strong ETag of an entity: its version and, since a deleted id may be used again, the time of its creation. */
export function entityTag({ version, createdTime }: Versioned): string {
  return createdTime === undefined ? `"${version}"` : `"${version}-${createdTime.toString(36)}"`;
}

/** Whether an If-Match header names the tag. A weak tag never does (RFC 9110, 13.1.1). */
export function namesTag(header: string, tag: string): boolean {
  return header.split(",").some((part) => part.trim() === "*" || part.trim() === tag);
}

/** Whether an If-None-Match header names the tag. A weak one does too (RFC 9110, 13.1.2): a proxy that compresses makes tags weak. */
export function namesTagWeakly(header: string, tag: string): boolean {
  return namesTag(header.replaceAll('W/"', '"'), tag);
}
