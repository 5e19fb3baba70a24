import { tabSearch } from "../../entity/plain-list-search.ts";
import { kinds } from "../../kinds/kinds.ts";
import { flagIn, numberIn, textIn, withoutAbsent } from "../../shell/search-values.ts";

const readTab = tabSearch(kinds.metric.tabs);

/** The lengths of ranges, in days. */
export const RANGES = [7, 14, 28, 90] as const;

/** The search parameters of a metric's page: its tab, the version of the history, and the days of its values. */
export function metricSearch(search: Record<string, unknown>) {
  const until = textIn(search, "until");
  const days = numberIn(search, "days", { min: 1, max: 90 });
  return {
    ...readTab(search),
    ...withoutAbsent({
      days: RANGES.find((range) => range === days),
      // The last day, YYYY-MM-DD. Without it, today.
      until: until !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(until) && !Number.isNaN(Date.parse(until)) ? until : undefined,
      // Whether as many days before are shown as well.
      previous: flagIn(search, "previous") === true ? true : undefined,
    }),
  };
}
