import type { Schema } from "@gatehouse/contract/console";
import type { EventCounts } from "../sql/event-counts.ts";
import type { GroupUnits } from "../sql/exposure-counts.ts";
import { type ArrivedExposures, arrivalChecks } from "./arrival-health.ts";
import { eventChecks } from "./event-health.ts";
import { exposureChecks } from "./exposure-health.ts";
import type { HealthCheck, HealthStatus } from "./health-check.ts";
import { type CheckedMetric, metricChecks } from "./metric-health.ts";

type Experiment = Schema<"Experiment">;

/** The known facts about an experiment's present run. */
export type Evidence = {
  /** In the order of the experiment's groups, or why they could not be counted. */
  units: readonly GroupUnits[] | { reason: string };
  /** The outcome of arrived exposures; undefined if the warehouse has the units. */
  arrivals?: ArrivedExposures | undefined;
  metrics: readonly CheckedMetric[];
  /** The last load's findings about the events that the metrics read. */
  events: readonly EventCounts[];
  /** How long it runs, ms. */
  ageMs: number;
};

/** The health checks of an experiment that has started. */
export function checkExperiment(experiment: Experiment, evidence: Evidence): HealthCheck[] {
  return [
    ...exposureChecks(experiment, evidence),
    ...arrivalChecks(experiment, evidence.arrivals),
    ...metricChecks(experiment, evidence.metrics, hasUnits(evidence)),
    ...eventChecks(experiment, evidence.events),
  ];
}

/** Whether any unit has been exposed, as far as the units could be counted. */
const hasUnits = ({ units }: Evidence): boolean => "reason" in units || units.some(({ alone, crossed }) => alone + crossed > 0);

const FROM_WORST: readonly HealthStatus[] = ["FAILED", "WARNING", "WAITING"];

/** The worst status of several; PASSED for an empty list. */
export function worstStatus(statuses: readonly HealthStatus[]): HealthStatus {
  return FROM_WORST.find((status) => statuses.includes(status)) ?? "PASSED";
}
