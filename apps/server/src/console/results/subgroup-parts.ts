import type { Schema } from "@gatehouse/contract/console";
import { divided, type Planned } from "../../results/plans/load-parts.ts";
import type { Plan } from "../../results/plans/plan.ts";
import type { DividedMetric } from "../../results/pulse/dimension-results.ts";
import type { AskedMetric } from "../../results/pulse/pulse.ts";
import { basesIn } from "../../results/pulse/sums.ts";
import { experimentUnitSource } from "../../results/sql/unit-source.ts";
import type { Experiment } from "../experiments/experiment.ts";
import type { Metric } from "../metrics/metric.ts";

/** The maximum number of metrics that one request divides: each five cost a pass over the events for each dimension. */
const MAX_METRICS = 20;

const TOO_MANY = `At most ${MAX_METRICS} metrics are computed by dimension. List it before others in the experiment.`;
const NOT_DIVIDED = "It is not computed by dimension.";

type Result = Schema<"PulseMetric">;
type Left = Schema<"ExperimentSubgroups">["left"][number];

/** A metric with its result for all units. */
type Totalled = { metric: DividedMetric; total: Result };

/** Metrics that one statement divides: their last loads cover the same time. */
export type SubgroupPart = Totalled & { all: Totalled[]; plans: Plan[] };

/** Divides metrics into those that one statement computes together, and those that are left, with the reason. */
export function subgroupParts(
  experiment: Experiment,
  metrics: readonly AskedMetric[],
  totals: readonly Result[],
  definitions: ReadonlyMap<string, Metric>,
): { parts: SubgroupPart[]; left: Left[] } {
  const known = metrics.map((metric, index) => readTotal(metric, totals[index]));
  const divisible = known.flatMap((one) => ("total" in one ? [one] : []));
  const left = known.flatMap((one): Left[] => ("total" in one ? [] : [one]));
  left.push(...divisible.slice(MAX_METRICS).map(({ metric }) => ({ metricID: metric.metricID, reason: TOO_MANY })));
  const byTime = new Map<string, Map<string, Totalled>>();
  for (const one of divisible.slice(0, MAX_METRICS)) {
    const { startTime, endTime, timeZone } = one.metric.moments;
    const key = JSON.stringify([startTime, endTime, timeZone]);
    byTime.set(key, (byTime.get(key) ?? new Map<string, Totalled>()).set(one.metric.metricID, one));
  }
  const parts = [...byTime.values()].flatMap((found) => {
    const { parts: planned, refused } = divided([...found.keys()], definitions, experimentUnitSource(experiment));
    left.push(...refused);
    return planned.flatMap((part) => toPart(part, found));
  });
  return { parts, left };
}

function readTotal(metric: AskedMetric, total: Result | undefined): Totalled | Left {
  if (total?.alpha === undefined) return { metricID: metric.metricID, reason: total?.reason ?? NOT_DIVIDED };
  return isDivided(metric) ? { metric, total } : { metricID: metric.metricID, reason: NOT_DIVIDED };
}

const isDivided = (metric: AskedMetric): metric is DividedMetric => metric.moments?.latest.groups !== undefined;

function toPart(planned: readonly Planned[], found: ReadonlyMap<string, Totalled>): SubgroupPart[] {
  const all = planned.flatMap(({ metric }) => found.get(metric.id) ?? []);
  const [first] = all;
  const plans = planned.map(({ plan }, index): Plan => {
    // Bounds and bases are those of the load.
    const bases = basesIn(all[index]?.metric.moments.latest.groups ?? {});
    return { ...plan, ...(bases && { bases }) };
  });
  return first ? [{ ...first, all, plans }] : [];
}
