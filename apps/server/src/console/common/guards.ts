import { metricID } from "./named.ts";

/** How much harm a metric may take. */
export type Guard = { metricID: string; maxHarmPercent: number; pausesRollouts: boolean };

type Guardable = { name: string; type: string; guardrail?: { maxHarmPercent: number; pausesRollouts?: boolean } };

/** The guardrails of metrics. A metric that has several keeps the strictest. */
export function collectGuards(metrics: readonly Guardable[]): Guard[] {
  const guards = new Map<string, Guard>();
  for (const { guardrail, ...metric } of metrics) {
    if (!guardrail) continue;
    const id = metricID(metric);
    const other = guards.get(id);
    guards.set(id, {
      metricID: id,
      maxHarmPercent: Math.min(guardrail.maxHarmPercent, other?.maxHarmPercent ?? guardrail.maxHarmPercent),
      pausesRollouts: guardrail.pausesRollouts === true || other?.pausesRollouts === true,
    });
  }
  return [...guards.values()];
}
