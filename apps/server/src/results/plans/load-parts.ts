import type { Schema } from "@gatehouse/contract/console";
import { listed } from "../../common/words.ts";
import { type ComparedUnits, type planMetric, plansFor } from "./metric-plan.ts";
import { distinctMarkers, distinctTerms, type PercentilePlan, type Plan } from "./plan.ts";

/** The reason for a metric that can't be planned. */
export const NO_METRIC = "The metric does not exist.";

type Metric = Schema<"Metric">;

/** The most metrics that one statement computes: its data for each unit grows with their number. */
export const METRICS_PER_STATEMENT = 5;

export type Planned = { metric: Metric; plan: Plan };
/** A percentile, which no other metric shares a statement with. */
export type PlannedPercentile = { metric: Metric; plan: PercentilePlan };
/** A metric that cannot be computed, with the reason. */
export type Refused = { metricID: string; reason: string };

/**
 * Divides metrics into those that one statement computes together, percentiles, and those that none can compute.
 */
export function divided(
  metricIDs: readonly string[],
  metrics: ReadonlyMap<string, Metric>,
  compared: ComparedUnits & { idType: string },
): { parts: Planned[][]; percentiles: PlannedPercentile[]; refused: Refused[] } {
  const alike = new Map<string, Planned[]>();
  const percentiles: PlannedPercentile[] = [];
  const refused: Refused[] = [];
  const plan = plansFor(compared);
  for (const metricID of metricIDs) {
    const metric = metrics.get(metricID);
    const planned = metric ? plannedFor(metric, metrics, compared.idType, plan) : { reason: NO_METRIC };
    if ("reason" in planned) refused.push({ metricID, reason: planned.reason });
    else if (!metric) continue;
    else if ("percentile" in planned) percentiles.push({ metric, plan: planned });
    else alike.set(likenessKey(planned), [...(alike.get(likenessKey(planned)) ?? []), { metric, plan: planned }]);
  }
  return { parts: [...alike.values()].flatMap(chunks), percentiles, refused };
}

/**
 * One statement reads one engine and one window before the exposure. Markers are separate rows, which other metrics would only read past.
 * Bounds of units whose span is over need a statement without other units: ClickHouse loses rows of a union of both.
 */
export function likenessKey(plan: Plan): string {
  const span = plan.waitsForSpan && isBounded(plan) ? plan.numerator.terms.map((term) => term.span.to) : null;
  return JSON.stringify([plan.from, plan.preMs, distinctMarkers(distinctTerms([plan])).map(({ marks }) => marks), span]);
}

function isBounded({ numerator, denominator }: Plan): boolean {
  return [numerator, denominator].some((amount) => amount !== undefined && Object.keys(amount.bounds).length > 0);
}

function plannedFor(
  metric: Metric,
  metrics: ReadonlyMap<string, Metric>,
  idType: string,
  plan: typeof planMetric,
): Plan | PercentilePlan | { reason: string } {
  const { isHidden, unitTypes } = metric;
  if (isHidden) return { reason: "It is archived." };
  const units = unitTypes.map((one) => one.toLowerCase());
  if (units.length > 0 && !units.includes(idType.toLowerCase()))
    return {
      reason: `It is computed for units of the type ${listed(unitTypes, "or")}, and those that are compared are of the type ${idType}.`,
    };
  return plan(metric, metrics);
}

function chunks(planned: Planned[]): Planned[][] {
  const parts: Planned[][] = [];
  for (let at = 0; at < planned.length; at += METRICS_PER_STATEMENT) parts.push(planned.slice(at, at + METRICS_PER_STATEMENT));
  return parts;
}
