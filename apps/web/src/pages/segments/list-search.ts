import type { Request } from "../../api.ts";
import { listSearch, ownerSearch, PAGE_SIZE } from "../../entity/list-search.ts";
import { oneOf } from "../../shell/search-values.ts";

const SORTS = ["name", "createdTime", "lastModifiedTime"] as const;

/** The search parameters of the segments. Their only status is being archived. */
export const segmentListSearch = (search: Record<string, unknown>) => {
  const { search: text, tags, sort, order, page } = listSearch(search, { statuses: [], sorts: SORTS });
  const status = oneOf(search, "status", ["all"]);
  return {
    ...(text !== undefined && { search: text }),
    ...(status !== undefined && { status }),
    ...(tags !== undefined && { tags }),
    ...(sort !== undefined && { sort }),
    ...(order !== undefined && { order }),
    ...(page !== undefined && { page }),
    ...ownerSearch(search),
  };
};

export const segmentListRequest = ({ status, ...others }: ReturnType<typeof segmentListSearch>): Request<"listSegments"> => ({
  query: { limit: PAGE_SIZE, ...others, ...(status === "all" && { includeArchived: true }) },
});
