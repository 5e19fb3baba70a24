import { tabSearch } from "../../entity/plain-list-search.ts";
import { kinds } from "../../kinds/kinds.ts";
import { monitoringSearch } from "../../results/results-search.ts";

const tabs = tabSearch(kinds.holdout.tabs);

/** What the address of a holdout's page says. */
export const holdoutPageSearch = (search: Record<string, unknown>) => ({ ...tabs(search), ...monitoringSearch(search) });
