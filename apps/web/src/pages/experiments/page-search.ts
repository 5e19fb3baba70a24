import { tabSearch } from "../../entity/plain-list-search.ts";
import { kinds } from "../../kinds/kinds.ts";
import { dimensionSearch } from "../../results/dimension-search.ts";
import { comparisonSearch } from "../../results/results-search.ts";
import { withoutAbsent } from "../../shell/search-values.ts";

const readTab = tabSearch(kinds.experiment.tabs);

/** The search parameters of an experiment's page. */
export const experimentPageSearch = (search: Record<string, unknown>) =>
  withoutAbsent({
    ...readTab(search),
    ...comparisonSearch(search),
    ...dimensionSearch(search),
  });
