import { listed } from "../../common/words.ts";

/** A message lists this many ids and counts the rest. */
const MAX_NAMED = 10;

/** `a, b`, or `a, b, and 3 more` */
export function enumerate(ids: string[]): string {
  const named = ids.slice(0, MAX_NAMED);
  const more = ids.length - named.length;
  return more > 0 ? listed([...named, `${more} more`]) : named.join(", ");
}
