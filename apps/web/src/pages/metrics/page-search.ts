import { tabSearch } from "../../entity/plain-list-search.ts";
import { kinds } from "../../kinds/kinds.ts";
import { dayIn, flagIn, numberIn, withoutAbsent } from "../../shell/search-values.ts";

const readTab = tabSearch(kinds.metric.tabs);

/** The lengths of ranges, in days. */
export const RANGES = [7, 14, 28, 90] as const;

/** The search parameters of a metric's page: its tab, the version of the history, and the days of its values. */
export function metricSearch(search: Record<string, unknown>) {
  const days = numberIn(search, "days", { min: 1, max: 90 });
  return {
    ...readTab(search),
    ...withoutAbsent({
      days: RANGES.find((range) => range === days),
      // The last day, YYYY-MM-DD. Without it, today.
      until: dayIn(search, "until"),
      // Whether as many days before are shown as well.
      previous: flagIn(search, "previous") === true ? true : undefined,
    }),
  };
}
