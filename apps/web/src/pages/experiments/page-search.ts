import { dimensionSearch } from "../../results/dimension-search.ts";
import { comparisonSearch } from "../../results/results-search.ts";
import { numberIn, oneOf, withoutAbsent } from "../../shell/search-values.ts";

export const TABS = ["setup", "overrides", "exposures", "results", "history", "used-by", "details"] as const;
export type Tab = (typeof TABS)[number];

/** What the address of an experiment's page says. */
export const experimentPageSearch = (search: Record<string, unknown>) =>
  withoutAbsent({
    tab: oneOf(search, "tab", TABS),
    version: numberIn(search, "version", { min: 1, max: 1e9 }),
    ...comparisonSearch(search),
    ...dimensionSearch(search),
  });
