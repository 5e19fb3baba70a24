import { tabSearch } from "../../entity/plain-list-search.ts";
import { kinds } from "../../kinds/kinds.ts";

/** What the address of a dynamic config's page says. */
export const configPageSearch = tabSearch(kinds.dynamic_config.tabs);
