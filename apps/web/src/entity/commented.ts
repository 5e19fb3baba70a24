import type { Schema } from "../api.ts";
import { hasPage, type Noun, type PagedType, typeWithNoun } from "../kinds/kinds.ts";

export type CommentedType = Schema<"CommentedType">;

/** The types whose pages have no comments: not everyone can read them, or the entity that they change has comments. */
const WITHOUT = ["key", "release", "role", "webhook"] as const satisfies Exclude<PagedType, CommentedType>[];

const isWithout = (type: string): type is (typeof WITHOUT)[number] => (WITHOUT as readonly string[]).includes(type);

/** The type with this noun, if its entities have comments. */
export function commentedType(noun: Noun): CommentedType | undefined {
  const type = typeWithNoun(noun);
  return type !== undefined && hasPage(type) && !isWithout(type) ? type : undefined;
}
