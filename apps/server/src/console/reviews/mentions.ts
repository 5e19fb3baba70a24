import type { Actor } from "../../common/context.ts";
import { invalid, type Violation } from "../../common/errors.ts";

type Comment = { text: string; mentions?: string[] | undefined };

/**
 * The people that a comment mentions, in the order of the request.
 * @param members the active members with these ids
 * @throws AppError invalid_request for other ids, and for people without their name in the text
 */
export function mentionedIn({ text, mentions = [] }: Comment, members: readonly Actor[]): Actor[] {
  const violations: Violation[] = [];
  const found = mentions.flatMap((id, index) => {
    const member = members.find((one) => one.id === id);
    if (member && isNamedIn(text, member)) return [member];
    const errorMessage = member ? `must be in the text as @${member.name}` : "is not the id of an active member of the project";
    violations.push({ property: `mentions[${index}]`, errorMessage });
    return [];
  });
  if (violations.length > 0) throw invalid(violations);
  return found;
}

function isNamedIn(text: string, { name, email }: Actor): boolean {
  return text.includes(`@${name}`) || (email !== null && text.toLowerCase().includes(`@${email.toLowerCase()}`));
}
