import type { Schema } from "@gatehouse/contract/console";
import type { ValuesRow } from "../../results/sql/values-query.ts";
import type { Metric } from "./metric.ts";

/** The funnel without its last steps: with two steps, three, and so on. None for other metrics. */
export function funnelsWithFewerSteps(metric: Metric): Metric[] {
  if (metric.type !== "funnel") return [];
  const { funnelEventList: steps } = metric;
  return steps.slice(2).map((_, index) => ({ ...metric, funnelEventList: steps.slice(0, index + 2) }));
}

/**
 * The counts of each step by day. The first step begins the funnel. Each other step completes the funnel that ends with it.
 * @param rows of the funnel as metric 0, and of the funnels with fewer steps as the next ones
 */
export function stepCounts({ funnelEventList }: Metric, rows: readonly ValuesRow[], days: number): Schema<"FunnelStepCounts">[] {
  const countsOf = (metric: number, part: "numerator" | "denominator") => {
    const counts = Array.from({ length: days }, () => 0);
    for (const row of rows) if (Number(row.metric) === metric) counts[Number(row.day) - 1] = Number(row[part]);
    return counts;
  };
  const last = funnelEventList.length - 1;
  return funnelEventList.map(({ name }, index) => ({
    name,
    counts: index === 0 ? countsOf(0, "denominator") : countsOf(index === last ? 0 : index, "numerator"),
  }));
}
