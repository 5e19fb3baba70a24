/** The longest name of a rule. In characters. */
export const MAX_NAME_LENGTH = 100;

/** The name if it is free, or else the first free one of “name 2”, “name 3” and so on. Long names are cut to make room. */
export function freshName(name: string, taken: Iterable<string>): string {
  const names = new Set(taken);
  for (let number = 1; ; number++) {
    const candidate = withEnding(name, number === 1 ? "" : ` ${number}`);
    if (!names.has(candidate)) return candidate;
  }
}

/** A free name for a copy: “Staff copy”, then “Staff copy 2”. A copy of a copy continues to count. */
export function copyName(name: string, taken: Iterable<string>): string {
  const original = name.replace(/ copy(?: \d+)?$/, "");
  return freshName(withEnding(original === "" ? name : original, " copy"), taken);
}

/** The text with an ending, cut before it if it would be too long for a name. */
export function withEnding(text: string, ending: string): string {
  const characters = [...text];
  const room = MAX_NAME_LENGTH - [...ending].length;
  return characters.length <= room ? `${text}${ending}` : `${characters.slice(0, Math.max(0, room)).join("").trimEnd()}${ending}`;
}
