import { tabSearch } from "../../entity/plain-list-search.ts";
import { kinds } from "../../kinds/kinds.ts";
import { monitoringSearch } from "../../results/results-search.ts";

const tabs = tabSearch(kinds.holdout.tabs);

/** The search parameters of a holdout's page. */
export const holdoutPageSearch = (search: Record<string, unknown>) => ({ ...tabs(search), ...monitoringSearch(search) });
