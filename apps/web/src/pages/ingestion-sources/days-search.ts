import { tabSearch } from "../../entity/plain-list-search.ts";
import { kinds } from "../../kinds/kinds.ts";
import { dayIn } from "../../shell/search-values.ts";

const readTab = tabSearch(kinds.ingestion_source.tabs);

/** The search parameters of a source's page: its tab, the version of the history, and the shown days. */
export function sourceSearch(search: Record<string, unknown>) {
  const [from, to] = [dayIn(search, "from"), dayIn(search, "to")];
  return { ...readTab(search), ...(from !== undefined && to !== undefined && { from, to }) };
}
