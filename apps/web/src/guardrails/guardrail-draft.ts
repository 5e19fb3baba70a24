// Edits of guardrails that are not saved yet. Pure.
import { equal } from "../targeting/equal.ts";
import type { GuardedMetric } from "../targeting/metric-changes.ts";
import type { Fault } from "../targeting/types.ts";

type Guardrail = NonNullable<GuardedMetric["guardrail"]>;

/** Without a number, the guardrail is removed. @param maxHarmPercent 0 to 100 @param added more fields of a guardrail that is new */
export function setMostHarm<Metric extends GuardedMetric>(
  { guardrail, ...metric }: Metric,
  maxHarmPercent: number | undefined,
  added: Partial<Guardrail> = {},
): Omit<Metric, "guardrail"> & { guardrail?: Guardrail } {
  return maxHarmPercent === undefined ? metric : { ...metric, guardrail: { ...(guardrail ?? added), maxHarmPercent } };
}

/** Leaves a metric without a guardrail as it is. */
export function setPausing<Metric extends GuardedMetric>(metric: Metric, isPausing: boolean): Metric {
  if (metric.guardrail === undefined) return metric;
  const { pausesRollouts: _, ...guardrail } = metric.guardrail;
  return { ...metric, guardrail: isPausing ? { ...guardrail, pausesRollouts: true } : guardrail };
}

/**
 * The faults of a draft's guardrails, each with its path in a request. Guardrails that are as they were stored have none.
 * @param field the list that has the metrics
 */
export function guardrailFaults(field: string, metrics: readonly GuardedMetric[], stored: readonly GuardedMetric[]): Fault[] {
  return metrics.flatMap((metric, index): Fault[] => {
    const { guardrail } = metric;
    if (guardrail === undefined || stored.some((one) => equal(one, metric))) return [];
    if (guardrail.maxHarmPercent >= 0 && guardrail.maxHarmPercent <= 100) return [];
    return [{ property: `${guardrailPlace(field, index)}.maxHarmPercent`, level: "error", message: "Enter a percentage from 0 to 100." }];
  });
}

/** The fault of the guardrail of the metric at an index, found by the page or the server. */
export const guardrailFaultAt = (faults: readonly Fault[], field: string, index: number): string | undefined =>
  faults.find(({ property }) => property.startsWith(guardrailPlace(field, index)))?.message;

const guardrailPlace = (field: string, index: number): string => `${field}[${index}].guardrail`;
