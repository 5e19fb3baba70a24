import type { Request } from "../../api.ts";
import { untaggedTeamSearch } from "../../entity/plain-list-search.ts";

/** The list has no pages here: the contract does not say how many param stores there are. */
const MAX_LISTED = 1_000;

export const paramStoreListSearch = (search: Record<string, unknown>) => {
  const { page: _, ...known } = untaggedTeamSearch(search);
  return known;
};

export const paramStoreListRequest = (search: ReturnType<typeof paramStoreListSearch>): Request<"listParamStores"> => ({
  query: { limit: MAX_LISTED, ...search },
});
