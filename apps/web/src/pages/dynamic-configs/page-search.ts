import { tabSearch } from "../../entity/plain-list-search.ts";
import { kinds } from "../../kinds/kinds.ts";

/** The search parameters of a dynamic config's page. */
export const configPageSearch = tabSearch(kinds.dynamic_config.tabs);
