import type { Schema } from "@gatehouse/contract/console";
import type { Experiment } from "../experiments/experiment.ts";
import type { Metric } from "../metrics/metric.ts";
import { metricsNamedBy } from "./loaded-metrics.ts";
import type { PulseLoad } from "./pulse-load.ts";

/** The most loads that one request starts. */
export const MAX_RELOADS = 200;

/** Whether an experiment names a metric, or a tag of it. */
export function isMeasuredBy(experiment: Experiment, { id, isHidden, tags }: Metric): boolean {
  const named = metricsNamedBy(experiment, { primary: [], secondary: [] });
  const namedTags = [...experiment.primaryMetricTags, ...experiment.secondaryMetricTags];
  return named.has(id) || (!isHidden && namedTags.some((tag) => tags.includes(tag)));
}

export function startedLoad({ id, subject }: PulseLoad): Schema<"MetricReloadLoad"> {
  return { entityType: subject.type, entityID: subject.id, ...(subject.ruleID !== null && { ruleID: subject.ruleID }), dagID: id };
}
