import { monitoringSearch } from "../../results/results-search.ts";
import { numberIn, oneOf, withoutAbsent } from "../../shell/search-values.ts";

export const TABS = ["targeting", "overrides", "checks", "results", "history", "used-by", "details"] as const;
export type Tab = (typeof TABS)[number];

/** What the address of a gate's page says. */
export function gatePageSearch(search: Record<string, unknown>) {
  return withoutAbsent({
    tab: oneOf(search, "tab", TABS),
    range: oneOf(search, "range", ["hour", "day", "week", "quarter"]),
    rule: typeof search.rule === "string" && search.rule !== "" ? search.rule : undefined,
    version: numberIn(search, "version", { min: 1, max: 1e9 }),
    compare: typeof search.compare === "string" && search.compare !== "" ? search.compare : undefined,
    ...monitoringSearch(search),
  });
}

export type GatePageSearch = ReturnType<typeof gatePageSearch>;
