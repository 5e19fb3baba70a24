import { useQueries, useQuery } from "@tanstack/react-query";
import { query, type Request, type Schema } from "../api.ts";
import { metricID } from "../targeting/metric-id.ts";

type Experiment = Schema<"Experiment">;

/** Among so many running experiments, the ones with guardrails are found. */
const MAX_RUNNING = 50;
/** The alerts of so many experiments are read. */
const MAX_GUARDED = 20;
/** Newest first, and only one of a metric and group is open at a time. */
const MAX_ALERTS = 20;

const RUNNING: Request<"listExperiments"> = { query: { status: ["active", "assignment_stopped"], limit: MAX_RUNNING, order: "asc" } };

export type OpenGuardrailAlert = {
  experiment: Pick<Experiment, "id" | "name">;
  metric: string;
  group: string;
  alert: Schema<"ExperimentGuardrailAlert">;
};

/** The open alerts of running experiments' guardrails, the newest first. Undefined until they are read. */
export function useOpenGuardrailAlerts(): OpenGuardrailAlert[] | undefined {
  const { data } = useQuery(query("listExperiments", RUNNING));
  const guarded = data?.data.filter(hasGuardrail).slice(0, MAX_GUARDED) ?? [];
  const answers = useQueries({
    queries: guarded.map(({ id }) => query("listExperimentAlerts", { path: { id }, query: { limit: MAX_ALERTS } })),
  });
  if (data === undefined || answers.some(({ isPending }) => isPending)) return undefined;
  return guarded
    .flatMap((experiment, index) => openAlerts(experiment, answers[index]?.data?.data.alerts ?? []))
    .sort((one, other) => other.alert.raisedTime - one.alert.raisedTime);
}

const metricsOf = ({ primaryMetrics, secondaryMetrics, otherMetrics }: Experiment) => [
  ...primaryMetrics,
  ...secondaryMetrics,
  ...otherMetrics,
];

const hasGuardrail = (experiment: Experiment): boolean => metricsOf(experiment).some(({ guardrail }) => guardrail !== undefined);

function openAlerts(experiment: Experiment, alerts: readonly OpenGuardrailAlert["alert"][]): OpenGuardrailAlert[] {
  const metrics = metricsOf(experiment);
  return alerts
    .filter(({ resolvedTime }) => resolvedTime === null)
    .map((alert) => ({
      experiment,
      alert,
      metric: metrics.find((metric) => metricID(metric) === alert.metricID)?.name ?? alert.metricID,
      group: experiment.groups.find(({ id }) => id === alert.groupID)?.name ?? alert.groupID,
    }));
}
