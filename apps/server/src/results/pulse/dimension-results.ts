import type { Schema } from "@gatehouse/contract/console";
import type { Bases } from "../plans/plan.ts";
import { type Part, partIn } from "../sql/dimension.ts";
import type { DimensionCounts } from "../sql/dimension-counts.ts";
import type { MomentsRow } from "../sql/moments-query.ts";
import { type Asked, type AskedMetric, computePulse } from "./pulse.ts";
import type { Found, StoredMoments } from "./stored-moments.ts";
import { basesIn, dailySums, type GroupSums, NOTHING, sumsAsOf } from "./sums.ts";

type DimensionResult = Schema<"PulseDimensionResult">;

/** The maximum difference between sums that are added up in another order, relative to their size. */
const ROUNDING = 1e-9;

/** A metric with a load's findings, which have the time of results by dimension, and whether the metric divides. */
export type DividedMetric = AskedMetric & { moments: StoredMoments & { latest: Extract<Found, { groups: GroupSums }> } };

/** The parts of a dimension that have units, those with the most units first. */
export function listParts({ values, others, none }: DimensionCounts): Part[] {
  return [
    ...values.map(({ value }): Part => ({ kind: "value", value })),
    ...(others.values > 0 ? [{ kind: "others" } as const] : []),
    ...(Object.values(none).some((units) => units > 0) ? [{ kind: "none" } as const] : []),
  ];
}

/** How a part is called in answers. */
export function describePart(part: Part, { others }: DimensionCounts): Pick<DimensionResult, "dimension_value" | "kind" | "otherValues"> {
  const { kind } = part;
  return { dimension_value: kind === "value" ? part.value : "", kind, ...(kind === "others" && { otherValues: others.values }) };
}

/** The sums of a metric for each part of a dimension. @param rows its moments by the dimension */
export function sumsByPart(counts: DimensionCounts, rows: readonly MomentsRow[], bases: Bases | undefined): GroupSums[] {
  return rowsByPart(counts, rows).map(({ rows: own }) => sumsAsOf(dailySums(own, bases)));
}

function rowsByPart(counts: DimensionCounts, rows: readonly MomentsRow[]): { part: Part; rows: MomentsRow[] }[] {
  const byPart = new Map<string, MomentsRow[]>();
  for (const row of rows) byPart.set(toKey(partIn(row.dim)), [...(byPart.get(toKey(partIn(row.dim))) ?? []), row]);
  return listParts(counts).map((part) => ({ part, rows: byPart.get(toKey(part)) ?? [] }));
}

/** A metric for the units of each part of a dimension. @param rows the metric's moments by the dimension */
export function metricByPart(
  metric: DividedMetric,
  counts: DimensionCounts,
  rows: readonly MomentsRow[],
): { part: Part; divided: AskedMetric }[] {
  return rowsByPart(counts, rows).map(({ part, rows: own }) => {
    const daily = dailySums(own, basesIn(metric.moments.latest.groups));
    const moments = { ...metric.moments, daily, latest: { ...metric.moments.latest, groups: sumsAsOf(daily) } };
    // Alone, it shares its α with no other metric.
    return { part, divided: { ...metric, role: "other", moments } };
  });
}

/**
 * The results of a metric for each part of a dimension. All parts are compared, so each has an equal share of α (Bonferroni).
 * @param rows the metric's moments by the dimension
 * @param alpha that of the metric without a dimension
 */
export function resultsByPart(
  metric: DividedMetric,
  counts: DimensionCounts,
  rows: readonly MomentsRow[],
  alpha: number,
  asked: Asked,
): DimensionResult[] {
  const parts = metricByPart(metric, counts, rows);
  return parts.flatMap(({ part, divided }) => {
    const alone = computePulse([divided], { ...asked, alpha: alpha / parts.length, adjustment: undefined });
    return alone.map((result) => ({ dimension: counts.field, ...describePart(part, counts), metric: result }));
  });
}

const toKey = (part: Part): string => JSON.stringify(part);

/** Whether the parts of a dimension add up to a load's finding. */
export function addUpTo(groups: GroupSums, rows: readonly MomentsRow[]): boolean {
  const sums = sumsAsOf(dailySums(rows));
  return [...new Set([...Object.keys(groups), ...Object.keys(sums)])].every((id) => {
    const [found, added] = [groups[id] ?? NOTHING, sums[id] ?? NOTHING];
    return (["n", "k", "y", "d"] as const).every(
      (name) => Math.abs(found[name] - added[name]) <= ROUNDING * Math.max(1, Math.abs(found[name])),
    );
  });
}
