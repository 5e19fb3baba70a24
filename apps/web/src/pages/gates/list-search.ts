import type { Request } from "../../api.ts";
import { listIn, numberIn, oneOf, textIn, withoutAbsent } from "../../shell/search-values.ts";

const STATUSES = ["In Progress", "Launched", "Disabled", "Archived"] as const;
export const TYPES = ["PERMANENT", "TEMPORARY", "STALE"] as const;
const SORTS = ["name", "createdTime", "lastModifiedTime", "status"] as const;
const MAX_PAGE = 100_000;
const PAGE_SIZE = 100;

/** The search parameters of the list. */
export function gateListSearch(search: Record<string, unknown>) {
  return withoutAbsent({
    search: textIn(search, "search"),
    status: oneOf(search, "status", STATUSES),
    type: oneOf(search, "type", TYPES),
    tags: listIn(search, "tags"),
    teamID: textIn(search, "teamID"),
    ownerID: textIn(search, "ownerID"),
    sort: oneOf(search, "sort", SORTS),
    order: oneOf(search, "order", ["asc", "desc"]),
    page: numberIn(search, "page", { min: 2, max: MAX_PAGE }),
  });
}

export type GateListSearch = ReturnType<typeof gateListSearch>;

export function gateListRequest({ search, status, type, tags, teamID, ownerID, sort, order, page }: GateListSearch): Request<"listGates"> {
  return {
    query: {
      limit: PAGE_SIZE,
      ...withoutAbsent({ search, sort, order, page, tags, teamID, ownerID, status: status && [status], type: type && [type] }),
    },
  };
}
