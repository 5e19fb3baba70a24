import { numberIn, withoutAbsent } from "../../shell/search-values.ts";

const MAX_PAGE = 100_000;
const PAGE_SIZE = 20;

/** The search parameters of the list of runs. */
export const runListSearch = (search: Record<string, unknown>) =>
  withoutAbsent({ page: numberIn(search, "page", { min: 2, max: MAX_PAGE }) });

export const runListRequest = ({ page }: { page?: number }) => ({ query: { limit: PAGE_SIZE, ...(page !== undefined && { page }) } });
