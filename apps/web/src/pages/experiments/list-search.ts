import { listRequest, listSearch, ownerSearch } from "../../entity/list-search.ts";
import { STATUSES } from "./statuses.ts";

export const SORTS = ["name", "createdTime", "lastModifiedTime", "status"] as const;

export const experimentListSearch = (search: Record<string, unknown>) => ({
  ...listSearch(search, { statuses: STATUSES, sorts: SORTS }),
  ...ownerSearch(search),
  // The API has no filter for experiments that are not stale.
  ...((search.stale === true || search.stale === "true") && { stale: true as const }),
});

export function experimentListRequest({ stale, ...search }: ReturnType<typeof experimentListSearch>) {
  const { query } = listRequest<(typeof STATUSES)[number], (typeof SORTS)[number]>(search);
  return { query: { ...query, ...(stale && { stale }) } };
}
