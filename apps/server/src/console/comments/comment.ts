import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import type { Actor, Context } from "../../common/context.ts";
import { AppError } from "../../common/errors.ts";
import { randomID } from "../../common/identifier.ts";
import { mentionedIn, stillNamedIn } from "../common/mentions.ts";
import type { Subject } from "../common/subject.ts";
import type { CommentedType } from "./commented-types.ts";

export type Comment = Schema<"Comment">;

type Commented = Subject<CommentedType>;

/** @param members the active members with the mentioned ids @throws AppError invalid_request */
export function newComment(
  { text, mentions }: Pick<WritableSchema<"CommentCreate">, "text" | "mentions">,
  commented: Commented,
  members: readonly Actor[],
  { actor, now }: Context,
): Comment {
  const { id, name, email } = actor;
  return {
    ...{ id: randomID(), ...commented, text },
    ...withMentions(mentionedIn({ text, mentions }, members)),
    ...{ author: { id, name, email }, createdTime: now, editedTime: null, version: 1 },
  };
}

/** @param members the active members with the mentioned ids @throws AppError forbidden for a comment of someone else; invalid_request */
export function editComment(
  { mentions: before = [], ...comment }: Comment,
  { text, mentions }: WritableSchema<"CommentPatch">,
  members: readonly Actor[],
  { actor, now }: Context,
): Comment {
  if (comment.author.id !== actor.id) throw new AppError("forbidden", `Only the author of comment ${comment.id} can change it.`);
  const named = mentions === undefined ? stillNamedIn(text, before) : mentionedIn({ text, mentions }, [...before, ...members]);
  return { ...comment, text, ...withMentions(named), editedTime: now, version: comment.version + 1 };
}

function withMentions(mentioned: readonly Actor[]): Pick<Comment, "mentions"> {
  return mentioned.length > 0 ? { mentions: mentioned.map(({ id, name, email }) => ({ id, name, email })) } : {};
}
