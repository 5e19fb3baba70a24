import { ownerSearch } from "../../entity/list-search.ts";
import { plainListRequest, plainListSearch } from "../../entity/plain-list-search.ts";

/** The search parameters of the list. */
export function metricListSearch(search: Record<string, unknown>) {
  return {
    ...plainListSearch(search),
    ...ownerSearch(search),
    ...(search.archived === true && { archived: true }),
    ...(search.automatic === true && { automatic: true }),
  };
}

/** The address as a request. */
export function metricListRequest({ archived, ...search }: ReturnType<typeof metricListSearch>) {
  return plainListRequest({ ...search, ...(archived && { showHiddenMetrics: true }) });
}
