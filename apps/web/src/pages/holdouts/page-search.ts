import { tabSearch } from "../../entity/plain-list-search.ts";
import { monitoringSearch } from "../../results/results-search.ts";
import { TABS } from "./tabs.ts";

const tabs = tabSearch(TABS);

/** What the address of a holdout's page says. */
export const holdoutPageSearch = (search: Record<string, unknown>) => ({ ...tabs(search), ...monitoringSearch(search) });
