import { sourceNames } from "../../results/plans/source-events.ts";
import type { AskedOfUnits } from "../../warehouse/result-engines.ts";
import type { AssignmentSource } from "../assignment-sources/assignment-source.ts";
import type { Experiment } from "../experiments/experiment.ts";
import type { MetricSource } from "../metric-sources/metric-source.ts";
import type { Metric } from "../metrics/metric.ts";
import type { QualifyingEvent } from "../qualifying-events/qualifying-event.ts";

/** Finds sources by name. */
type Finders = {
  metricSources: { findAll(names: string[]): Promise<MetricSource[]> };
  assignmentSources: { find(name: string): Promise<AssignmentSource | undefined> };
  qualifyingEvents: { find(name: string): Promise<QualifyingEvent | undefined> };
};

/** The warehouse sources of metrics and an experiment. */
export type SourcesRead = { sources: Map<string, MetricSource> } & Pick<AskedOfUnits, "assigned" | "qualifying">;

/** @param experiment undefined for gates' rules and holdouts, whose units are known here */
export async function readSources(
  { metricSources, assignmentSources, qualifyingEvents }: Finders,
  metrics: readonly Metric[],
  experiment: Experiment | undefined,
): Promise<SourcesRead> {
  const sources = await metricSources.findAll(metrics.flatMap(sourceNames));
  const { assignmentSourceName: assigning, qualifyingEventName: qualifying } = experiment ?? {};
  return {
    sources: new Map(sources.map((source) => [source.name, source])),
    assigned: experiment && assigning ? { experiment, name: assigning, source: await assignmentSources.find(assigning) } : undefined,
    qualifying: qualifying ? { name: qualifying, source: await qualifyingEvents.find(qualifying) } : undefined,
  };
}
