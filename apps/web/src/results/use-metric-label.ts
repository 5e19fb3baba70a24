import { useQuery } from "@tanstack/react-query";
import { query } from "../api.ts";
import { metricLabels, nameInMetricID } from "../targeting/metric-id.ts";

/** Among so many metrics that a search for the name finds, one with the same name is found. */
const MAX_FOUND = 100;
/** The longest text that lists can be searched for. */
const MAX_SEARCH = 100;

/** The name of a metric, with its type if the project has another metric of this name. */
export function useMetricLabel(id: string): string {
  const search = [...nameInMetricID(id)].slice(0, MAX_SEARCH).join("").trim();
  const { data } = useQuery(query("listMetrics", { query: { search, limit: MAX_FOUND } }));
  return metricLabels([id, ...(data?.data ?? []).map((metric) => metric.id)])(id);
}
