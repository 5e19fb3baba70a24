import type { Actor } from "../../common/context.ts";
import { invalid, type Violation } from "../../common/errors.ts";

type Comment = { text: string; mentions?: string[] | undefined };

/**
 * The people that a comment mentions, in the order of the request.
 * @param people those with these ids who can be mentioned. After a rename someone may be among them with each name
 * @throws AppError invalid_request for other ids, and for people without their name in the text
 */
export function mentionedIn({ text, mentions = [] }: Comment, people: readonly Actor[]): Actor[] {
  const violations: Violation[] = [];
  const found = mentions.flatMap((id, index) => {
    const known = people.filter((one) => one.id === id);
    const named = known.find((one) => isNamedIn(text, one));
    if (named) return [named];
    const last = known.at(-1);
    const errorMessage = last ? `must be in the text as @${last.name}` : "is not the id of an active member of the project";
    violations.push({ property: `mentions[${index}]`, errorMessage });
    return [];
  });
  if (violations.length > 0) throw invalid(violations);
  return found;
}

/** The people whom a changed text still names. */
export const stillNamedIn = (text: string, people: readonly Actor[]): Actor[] => people.filter((one) => isNamedIn(text, one));

function isNamedIn(text: string, { name, email }: Actor): boolean {
  return text.includes(`@${name}`) || (email !== null && text.toLowerCase().includes(`@${email.toLowerCase()}`));
}
