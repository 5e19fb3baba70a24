/** The fields of every entity. */
export type Versioned = { version: number; createdTime?: number };

/** The strong ETag of an entity: its version and, since a deleted id can be reused, its creation time. */
export function entityTag({ version, createdTime }: Versioned): string {
  return createdTime === undefined ? `"${version}"` : `"${version}-${createdTime.toString(36)}"`;
}

/** The tag of a compressed response. A strong tag identifies one encoding (RFC 9110, section 8.8.3.3). */
export function encodedTag(tag: string, encoding: "gzip" | "br"): string {
  return tag.replace(/"$/, `:${encoding}"`);
}

const ENCODING = /:(gzip|br)"$/;

/** Whether an If-Match header matches the tag, in any encoding. A weak tag never does (RFC 9110, section 13.1.1). */
export function namesTag(header: string, tag: string): boolean {
  return header.split(",").some((part) => part.trim() === "*" || part.trim().replace(ENCODING, '"') === tag);
}

/** Whether an If-None-Match header matches the tag, weakly too (RFC 9110, section 13.1.2): proxies that compress make tags weak. */
export function namesTagWeakly(header: string, tag: string): boolean {
  return namesTag(header.replaceAll('W/"', '"'), tag);
}
