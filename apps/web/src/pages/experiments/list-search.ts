import { listRequest, listSearch } from "../../entity/list-search.ts";
import { textIn, withoutAbsent } from "../../shell/search-values.ts";
import { STATUSES } from "./statuses.ts";

export const SORTS = ["name", "createdTime", "lastModifiedTime", "status"] as const;

export const experimentListSearch = (search: Record<string, unknown>) => ({
  ...listSearch(search, { statuses: STATUSES, sorts: SORTS }),
  ...withoutAbsent({ teamID: textIn(search, "teamID") }),
});

export const experimentListRequest = (search: ReturnType<typeof experimentListSearch>) =>
  listRequest<(typeof STATUSES)[number], (typeof SORTS)[number]>(search);
