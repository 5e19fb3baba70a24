import { useParams } from "@tanstack/react-router";
import { AUDITED_TYPES, type EntityType, findHost, type Noun, typeWithNoun } from "../kinds/kinds.ts";

/** The types of entities that a page edits: the entity, and what its tabs show. */
function typesOnPage(type: EntityType | undefined): EntityType[] {
  if (type === undefined) return [];
  if (type === "settings") return [type, "environment_set"];
  return [type, ...AUDITED_TYPES.filter((part) => findHost(part)?.type === type)];
}

/** The types and the ID under which changes to what a page shows are listed. */
export function useShownEntities(noun: Noun) {
  const { projectID, id } = useParams({ strict: false });
  const type = typeWithNoun(noun);
  // The settings have the project's ID.
  return { projectID, entityID: type === "settings" ? projectID : id, types: typesOnPage(type) };
}

type List<Item> = { data: readonly Item[]; pagination: { totalItems: number } };

/** Combines the lists of several types. A change to the entity and its parts is in several lists, but counts once. */
export function combineLists<Item extends { id: string }>(types: readonly EntityType[], lists: readonly (List<Item> | undefined)[]) {
  const found = types.flatMap((type, index) => {
    const list = lists[index];
    return list === undefined || list.data.length === 0 ? [] : [{ type, items: list.data, total: list.pagination.totalItems }];
  });
  return { found, items: [...new Map(found.flatMap(({ items }) => items.map((item) => [item.id, item] as const))).values()] };
}
