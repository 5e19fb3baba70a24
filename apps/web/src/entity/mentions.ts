// Mentions in comments. Pure.

/** A person as a comment shows them: the name, or else the address. */
export type Mentioned = { id: string; name: string; email: string | null };

/** A person's name, or the address or ID of one without a name. */
export const nameOf = ({ id, name, email }: Mentioned): string => name || email || id;

/** The words after the last @ before the caret, while they can still become a name. Undefined without an @. */
export function searchAt(text: string, caret: number): string | undefined {
  return /(?:^|[\s(])@([^\s@]*(?: [^\s@]*)?)$/u.exec(text.slice(0, caret))?.[1];
}

/** The number of people that a search found, for screen readers. */
export function foundText(count: number): string {
  if (count === 0) return "No people found.";
  return count === 1 ? "1 person found. Press the down arrow to choose." : `${count} people found. Press the down arrow to choose one.`;
}

/** The text with the words after the last @ before the caret replaced by a name, and where the caret is then. */
export function withMention(text: string, caret: number, name: string): { text: string; caret: number } {
  const before = text.slice(0, text.slice(0, caret).lastIndexOf("@"));
  const written = `${before}@${name} `;
  return { text: `${written}${text.slice(caret).replace(/^ /, "")}`, caret: written.length };
}

/** The people whose names or addresses are in a text. */
export const namedIn = <One extends Mentioned>(text: string, people: readonly One[]): One[] =>
  people.filter(({ name, email }) => text.includes(`@${name}`) || (email && text.toLowerCase().includes(`@${email.toLowerCase()}`)));

export type Part = { text: string; person?: Mentioned };

/** A comment in parts, so that those that name a person can be shown as such. Longer names come first: `@Ann Lee` is not `@Ann`. */
export function partsOf(text: string, mentions: readonly Mentioned[]): Part[] {
  const names = mentions.flatMap((person) => [person.name, person.email ?? ""].filter(Boolean).map((called) => ({ called, person })));
  const ordered = names.toSorted((a, b) => b.called.length - a.called.length);
  const parts: Part[] = [];
  let [start, at] = [0, text.indexOf("@")];
  while (at >= 0) {
    const rest = text.slice(at + 1);
    const found = ordered.find(({ called }) => rest.toLowerCase().startsWith(called.toLowerCase()));
    if (found) {
      if (at > start) parts.push({ text: text.slice(start, at) });
      start = at + 1 + found.called.length;
      parts.push({ text: text.slice(at, start), person: found.person });
    }
    at = text.indexOf("@", Math.max(at + 1, start));
  }
  return start < text.length ? [...parts, { text: text.slice(start) }] : parts;
}
