import type { Request } from "../../api.ts";
import { numberIn, oneOf, textIn, withoutAbsent } from "../../shell/search-values.ts";

export const STATUSES = ["active", "deactivated"] as const;
export const SORTS = ["createdTime", "status"] as const;
const MAX_PAGE = 100_000;
const PAGE_SIZE = 100;

/** The search parameters of the list. */
export function keyListSearch(search: Record<string, unknown>) {
  return withoutAbsent({
    search: textIn(search, "search"),
    status: oneOf(search, "status", STATUSES),
    sort: oneOf(search, "sort", SORTS),
    order: oneOf(search, "order", ["asc", "desc"]),
    page: numberIn(search, "page", { min: 2, max: MAX_PAGE }),
  });
}

export function keyListRequest({ search, status, sort, order, page }: ReturnType<typeof keyListSearch>): Request<"listKeys"> {
  return { query: { limit: PAGE_SIZE, ...withoutAbsent({ search, sort, order, page, status: status && [status] }) } };
}
