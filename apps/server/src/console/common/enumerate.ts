/** A message lists this many ids and counts the rest. */
const MAX_NAMED = 10;

/** `a, b and 3 more` */
export function enumerate(ids: string[]): string {
  const named = ids.slice(0, MAX_NAMED);
  const more = ids.length - named.length;
  return `${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
