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
    onIn: textIn(search, "onIn"),
    offIn: textIn(search, "offIn"),
    sort: oneOf(search, "sort", SORTS),
    order: oneOf(search, "order", ["asc", "desc"]),
    page: numberIn(search, "page", { min: 2, max: MAX_PAGE }),
  });
}

export type GateListSearch = ReturnType<typeof gateListSearch>;

/** Addresses also have the parameter `environment`, which is not the list's. */
export function gateListRequest({ status, type, ...search }: GateListSearch): Request<"listGates"> {
  const { environment: _, ...others } = search as typeof search & { environment?: string };
  return { query: { limit: PAGE_SIZE, ...others, ...withoutAbsent({ status: status && [status], type: type && [type] }) } };
}
