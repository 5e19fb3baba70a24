import type { Experiment } from "../console/experiments/experiment.ts";
import type { MetricSource } from "../console/metric-sources/metric-source.ts";
import type { Metric } from "../console/metrics/metric.ts";
import { sourcesOf } from "../results/source-events.ts";
import type { Stores } from "../stores.ts";
import type { Assigned } from "./result-engines.ts";

/** What metrics and an experiment read on the warehouse. */
export type SourcesRead = { sources: Map<string, MetricSource>; assigned: Assigned | undefined };

/** @param experiment undefined for gates' rules and holdouts, whose units are known here */
export async function readSources(
  { metricSources, assignmentSources }: Pick<Stores, "metricSources" | "assignmentSources">,
  metrics: readonly Metric[],
  experiment: Experiment | undefined,
): Promise<SourcesRead> {
  const sources = await metricSources.findAll(metrics.flatMap(sourcesOf));
  const name = experiment?.assignmentSourceName;
  return {
    sources: new Map(sources.map((source) => [source.name, source])),
    assigned: experiment && name ? { experiment, name, source: await assignmentSources.find(name) } : undefined,
  };
}
