import type { Schema } from "../../api.ts";
import { entityNoun } from "../../kinds/kinds.ts";

/** The most entities that a title names. */
const MAX_NAMED = 3;

/** “Change to gate new_checkout”. */
export function reviewTitle({ entities }: Pick<Schema<"Review">, "entities">): string {
  const named = entities.slice(0, MAX_NAMED).map(({ entityType, entityID }) => `${entityNoun(entityType)} ${entityID}`);
  const others = entities.length - named.length;
  if (named.length === 0) return "Change";
  return `Change to ${named.join(", ")}${others > 0 ? ` and ${others} more` : ""}`;
}
