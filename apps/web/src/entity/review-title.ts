import type { Schema } from "../api.ts";
import { entityNoun } from "../kinds/kinds.ts";
import { listed } from "../ui/list-text.ts";

export type Review = Pick<Schema<"Review">, "entities" | "changes">;
type Reviewed = Review["entities"][number];

/** The most entities that a title names. */
export const MAX_NAMED = 3;

/** “Change to gate New checkout”. @param names of the entities, in their order */
export function reviewTitle({ entities }: Pick<Review, "entities">, names: readonly (string | undefined)[]): string {
  const named = entities
    .slice(0, MAX_NAMED)
    .map(({ entityType }, index) => [entityNoun(entityType), names[index]].filter(Boolean).join(" "));
  const others = entities.length - named.length;
  if (named.length === 0) return "Change";
  return `Change to ${others > 0 ? listed([...named, `${others} more`]) : named.join(", ")}`;
}

/** The name that the change itself has: that of a created or deleted entity, or the one before a new name. */
export function nameInChange({ changes }: Pick<Review, "changes">, { entityType, entityID }: Reviewed): string | undefined {
  const change = changes.find((one) => one.entityType === entityType && one.entityID === entityID);
  const { before, after } = change?.fields.find(({ field }) => field === "name") ?? {};
  return [before, after].find((value) => typeof value === "string" && value !== "") as string | undefined;
}

/** Types with one entity in a project. */
export const SINGLE: readonly string[] = ["environment_set", "model_endpoint", "settings", "warehouse_connection"];
