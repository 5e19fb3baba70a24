export type Match = { from: number; to: number };

/** More matches are not marked. */
export const MAX_MATCHES = 1_000;

/** Matches of a text in another one, ignoring case. An empty text matches nowhere. */
export function findMatches(text: string, sought: string): Match[] {
  if (sought === "") return [];
  const pattern = new RegExp(sought.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"), "giu");
  const matches: Match[] = [];
  for (const match of text.matchAll(pattern)) {
    matches.push({ from: match.index, to: match.index + match[0].length });
    if (matches.length === MAX_MATCHES) break;
  }
  return matches;
}

/** The index of the match after a position, or before it if `isBackward`. At an end it goes on at the other. -1 without matches. */
export function matchFrom(matches: readonly Match[], { from, to }: Match, isBackward: boolean): number {
  if (matches.length === 0) return -1;
  if (isBackward) {
    const index = matches.findLastIndex((match) => match.from < from);
    return index === -1 ? matches.length - 1 : index;
  }
  const index = matches.findIndex((match) => match.from >= to);
  return index === -1 ? 0 : index;
}
