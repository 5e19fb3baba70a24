import { tabSearch } from "../../entity/plain-list-search.ts";
import { kinds } from "../../kinds/kinds.ts";
import { numberIn, textIn, withoutAbsent } from "../../shell/search-values.ts";

const MAX_PAGE = 100_000;

const readTab = tabSearch(kinds.segment.tabs);

/** The search parameters of a segment's page. */
export const segmentPageSearch = (search: Record<string, unknown>) =>
  withoutAbsent({
    ...readTab(search),
    /** The beginning of the listed IDs. */
    search: textIn(search, "search"),
    page: numberIn(search, "page", { min: 2, max: MAX_PAGE }),
  });
