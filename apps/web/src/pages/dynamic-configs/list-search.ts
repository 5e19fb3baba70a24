import { listRequest, listSearch, ownerSearch } from "../../entity/list-search.ts";

export const STATUSES = ["Enabled", "Disabled", "Archived"] as const;
export const SORTS = ["name", "createdTime", "lastModifiedTime", "status"] as const;

export const configListSearch = (search: Record<string, unknown>) => ({
  ...listSearch(search, { statuses: STATUSES, sorts: SORTS }),
  ...ownerSearch(search),
});

export const configListRequest = (search: ReturnType<typeof configListSearch>) =>
  listRequest<(typeof STATUSES)[number], (typeof SORTS)[number]>(search);
