import { textIn, withoutAbsent } from "../shell/search-values.ts";

/** The search parameters of results by dimension: the field that divides units, and the metric. Without a field they are not shown. */
export const dimensionSearch = (search: Record<string, unknown>) =>
  withoutAbsent({ dimension: textIn(search, "dimension"), dimensionMetric: textIn(search, "dimensionMetric") });

export type DimensionSearch = ReturnType<typeof dimensionSearch>;
