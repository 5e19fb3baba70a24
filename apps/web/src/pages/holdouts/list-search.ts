import type { Request } from "../../api.ts";
import { plainListRequest, statusListSearch } from "../../entity/plain-list-search.ts";

/** The search parameters of the list. */
export const holdoutListSearch = statusListSearch(["enabled", "disabled"]);

export const holdoutListRequest = ({ status, ...search }: ReturnType<typeof holdoutListSearch>): Request<"listHoldouts"> =>
  plainListRequest({ ...search, ...(status !== undefined && { isEnabled: status === "enabled" }) });
