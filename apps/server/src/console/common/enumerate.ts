/** How many of several things are named in a message. */
const NAMED = 10;

/** `a, b and 3 more`: the first of the ids, and how many of the `total` are not named. */
export function enumerate(ids: string[], total = ids.length): string {
  const named = ids.slice(0, NAMED);
  const more = total - named.length;
  return `${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
