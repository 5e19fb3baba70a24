import type { AskedMetric } from "../../results/pulse/pulse.ts";
import type { StoredMoments } from "../../results/pulse/stored-moments.ts";
import { metricID } from "../common/named.ts";
import type { Experiment } from "../experiments/experiment.ts";
import type { Metric } from "../metrics/metric.ts";

type Role = AskedMetric["role"];

/** The ids of the metrics that carry one of an experiment's tags. */
export type Tagged = { primary: string[]; secondary: string[] };

/** The metrics that an experiment names, by their own names and by their tags, each once with the first role that it has. */
export function metricsNamedBy(experiment: Experiment, tagged: Tagged): Map<string, Role> {
  const { primaryMetrics, secondaryMetrics, otherMetrics = [] } = experiment;
  const roles = new Map<string, Role>();
  const add = (role: Role, ids: string[]) => {
    for (const id of ids) if (!roles.has(id)) roles.set(id, role);
  };
  add("primary", [...primaryMetrics.map(metricID), ...tagged.primary]);
  add("secondary", [...secondaryMetrics.map(metricID), ...tagged.secondary]);
  add("other", otherMetrics.map(metricID));
  return roles;
}

/** An experiment's plan for a metric. */
export type MetricPlan = Partial<Pick<AskedMetric, "prior" | "plan" | "expectedPercent">>;

/** Reads an experiment's plans for metrics, by their ids. As with roles, the first list that names a metric counts. */
export function readPlans({
  primaryMetrics,
  secondaryMetrics,
  otherMetrics = [],
  bayesianPriors = [],
}: Experiment): Map<string, MetricPlan> {
  const plans = new Map<string, MetricPlan>();
  for (const metric of [...primaryMetrics, ...secondaryMetrics, ...otherMetrics]) {
    const { testType = "two_sided", nonInferiorityMargin: margin, hypothesizedValue: expectedPercent } = metric;
    if (plans.has(metricID(metric))) continue;
    plans.set(metricID(metric), { plan: { type: testType, margin: margin && margin / 100 }, expectedPercent });
  }
  for (const { metric, priorMean, priorStdDev } of bayesianPriors)
    plans.set(metricID(metric), { ...plans.get(metricID(metric)), prior: { mean: priorMean, standardDeviation: priorStdDev } });
  return plans;
}

/**
 * The metrics that an experiment, gate or holdout names, and others from its loads, with the loads' findings. Deleted metrics are left out,
 * unless they are still named.
 * @param roles named metrics
 * @param metrics existing metrics
 */
export function loadedMetrics(
  roles: ReadonlyMap<string, Role>,
  metrics: readonly Metric[],
  moments: readonly StoredMoments[],
  plans: ReadonlyMap<string, MetricPlan> = new Map(),
): AskedMetric[] {
  const byID = new Map(metrics.map((metric) => [metric.id, metric]));
  const found = new Map(moments.map((one) => [one.metricID, one]));
  const asked = (id: string, role: Role): AskedMetric => ({
    metricID: id,
    role,
    metric: byID.get(id),
    moments: found.get(id),
    prior: undefined,
    ...plans.get(id),
  });
  const others = [...found.keys()].filter((id) => !roles.has(id) && byID.has(id));
  return [...[...roles].map(([id, role]) => asked(id, role)), ...others.map((id) => asked(id, "other"))];
}
