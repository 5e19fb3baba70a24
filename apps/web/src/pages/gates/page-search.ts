import { tabSearch } from "../../entity/plain-list-search.ts";
import { kinds } from "../../kinds/kinds.ts";
import { monitoringSearch } from "../../results/results-search.ts";
import { oneOf, withoutAbsent } from "../../shell/search-values.ts";

const readTab = tabSearch(kinds.gate.tabs);

/** The search parameters of a gate's page. */
export function gatePageSearch(search: Record<string, unknown>) {
  return withoutAbsent({
    ...readTab(search),
    range: oneOf(search, "range", ["hour", "day", "week", "quarter"]),
    rule: typeof search.rule === "string" && search.rule !== "" ? search.rule : undefined,
    compare: typeof search.compare === "string" && search.compare !== "" ? search.compare : undefined,
    ...monitoringSearch(search),
  });
}
