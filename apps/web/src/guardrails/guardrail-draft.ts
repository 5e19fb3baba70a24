// Edits of guardrails that are not saved yet. Pure.
import type { Schema } from "../../api.ts";
import { equal } from "../../targeting/equal.ts";
import type { Fault } from "../../targeting/types.ts";

export type Metric = Schema<"Gate">["monitoringMetrics"][number];

/** Without a number there is no guardrail. @param maxHarmPercent 0 to 100 */
export function setMostHarm({ guardrail, ...metric }: Metric, maxHarmPercent: number | undefined): Metric {
  return maxHarmPercent === undefined ? metric : { ...metric, guardrail: { ...guardrail, maxHarmPercent } };
}

/** Changes nothing of a metric without a guardrail. */
export function setPausing(metric: Metric, isPausing: boolean): Metric {
  if (metric.guardrail === undefined) return metric;
  const { pausesRollouts: _, ...guardrail } = metric.guardrail;
  return { ...metric, guardrail: isPausing ? { ...guardrail, pausesRollouts: true } : guardrail };
}

/** What is wrong with the guardrails of a draft, each with its path in a request. Those that are as they were stored have no faults. */
export function guardrailFaults(metrics: readonly Metric[], stored: readonly Metric[]): Fault[] {
  return metrics.flatMap((metric, index): Fault[] => {
    const { guardrail } = metric;
    if (guardrail === undefined || stored.some((one) => equal(one, metric))) return [];
    if (guardrail.maxHarmPercent >= 0 && guardrail.maxHarmPercent <= 100) return [];
    return [{ property: `${placeOf(index)}.maxHarmPercent`, level: "error", message: "Enter a percentage from 0 to 100." }];
  });
}

/** What is wrong with the guardrail of the metric at an index: what the page found, or the server. */
export const faultAt = (faults: readonly Fault[], index: number): string | undefined =>
  faults.find(({ property }) => property.startsWith(placeOf(index)))?.message;

const placeOf = (index: number): string => `monitoringMetrics[${index}].guardrail`;
