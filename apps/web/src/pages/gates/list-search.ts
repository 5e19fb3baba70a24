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

/** Names each parameter, since addresses also have those of the project. */
export function gateListRequest(search: GateListSearch): Request<"listGates"> {
  const { search: text, status, type, tags, teamID, ownerID, onIn, offIn, sort, order, page } = search;
  const named = { search: text, sort, order, page, tags, teamID, ownerID, onIn, offIn };
  return { query: { limit: PAGE_SIZE, ...withoutAbsent({ ...named, status: status && [status], type: type && [type] }) } };
}
