import { keepPreviousData, type UseQueryOptions, useQueries } from "@tanstack/react-query";
import { query } from "../api.ts";
import { type EntityType, kinds, type PagedType } from "../kinds/kinds.ts";

/** The most results of each kind. */
export const MAX_FOUND = 5;

type Entity = { id?: string; name?: string };
type Search = { type: PagedType; noun: string; read: UseQueryOptions<{ data: Entity[] }> };
type Found = { type: PagedType; noun: string; entities: { id: string; name: string }[] };

type FoundType = { [Type in EntityType]: (typeof kinds)[Type] extends { isInPalette: true } ? Type : never }[EntityType];

const FOUND_TYPES = (Object.keys(kinds) as EntityType[]).filter((type): type is FoundType => kinds[type].isInPalette);

/** The searches, in the order of the results. */
const searchesFor = (text: string): Search[] =>
  FOUND_TYPES.flatMap((type) => {
    const { list, place } = kinds[type];
    // Every list gives entities with a name, or an id that is one.
    const search = (noun: string, filter?: object): Search => ({
      type,
      noun,
      read: query(list, { query: { search: text, limit: MAX_FOUND, ...filter } }) as object as Search["read"],
    });
    return [search(place.label), ...(type === "metric" ? [search("Automatic metrics", { automatic: true })] : [])];
  });

/** The entities whose name, id or description has the text, by kind. Kinds whose answer is still to come show their last results. */
export function useFound(search: string): Found[] {
  const searches = searchesFor(search);
  const answers = useQueries({
    queries: searches.map(({ read }) => ({ ...read, enabled: search !== "", placeholderData: keepPreviousData })),
  });
  if (search === "") return [];
  return searches.map(({ type, noun }, index) => ({
    type,
    noun,
    entities: (answers[index]?.data?.data ?? []).map(({ id, name = id ?? "" }) => ({ id: id ?? name, name })),
  }));
}
