import { listRequest, listSearch, ownerSearch } from "../../entity/list-search.ts";
import { STATUSES } from "./statuses.ts";

export const SORTS = ["name", "createdTime", "lastModifiedTime", "status"] as const;

export const experimentListSearch = (search: Record<string, unknown>) => ({
  ...listSearch(search, { statuses: STATUSES, sorts: SORTS }),
  ...ownerSearch(search),
});

export const experimentListRequest = (search: ReturnType<typeof experimentListSearch>) =>
  listRequest<(typeof STATUSES)[number], (typeof SORTS)[number]>(search);
