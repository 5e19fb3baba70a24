import type { Schema } from "@gatehouse/contract/console";
import { dateInWords } from "../../common/local-day.ts";
import type { TimeZone } from "../../common/time-zone.ts";
import { type AskedMetric, computePulse } from "../../results/pulse/pulse.ts";
import { computeScorecard } from "../../results/pulse/scorecard.ts";
import { metricID } from "../common/named.ts";
import type { Experiment } from "../experiments/experiment.ts";
import { METRIC_LISTS } from "../experiments/metric-tests.ts";
import { outlookOf, resolveQuery } from "./experiment-pulse.ts";

type Groups = { control: string; test: string };

type Known = {
  metrics: readonly AskedMetric[];
  /** When the results end, ms; undefined before anything is loaded. */
  last: number | undefined;
  timeZone: TimeZone;
  openAlerts: readonly { groupID: string; metricID: string }[];
};

/** The scorecard of a test group, by the experiment's own plan; undefined before the start. */
export function scorecardOf(
  experiment: Experiment,
  { control, test }: Groups,
  { metrics, last, timeZone, openAlerts }: Known,
): Schema<"ExperimentScorecard"> | undefined {
  if (experiment.startTime === null) return undefined;
  const outlook = outlookOf(experiment, timeZone);
  const results = computePulse(metrics, { ...resolveQuery(experiment, { control, test }, last, timeZone), outlook });
  return toScorecard(experiment, test, results, { metrics, last, timeZone, openAlerts });
}

/** The scorecard of a test group with these results of its metrics; undefined before the start. */
export function toScorecard(
  experiment: Experiment,
  test: string,
  results: readonly Schema<"PulseMetric">[],
  { metrics, last, timeZone, openAlerts }: Known,
): Schema<"ExperimentScorecard"> | undefined {
  const { plannedEnd } = outlookOf(experiment, timeZone);
  if (plannedEnd === undefined) return undefined;
  const named = METRIC_LISTS.flatMap((list) => experiment[list] ?? []);
  return computeScorecard({
    metrics: results.map((result, index) => ({ role: metrics[index]?.role ?? "other", result })),
    healthChecks: experiment.healthChecks,
    alerted: openAlerts
      .filter(({ groupID }) => groupID === test)
      .map((alert) => ({ ...alert, metricName: named.find((one) => metricID(one) === alert.metricID)?.name ?? alert.metricID })),
    isEndReached: last !== undefined && last + 1 >= plannedEnd,
    isRunning: experiment.status === "active" || experiment.status === "assignment_stopped",
    plannedEndDate: dateInWords(plannedEnd, timeZone),
  });
}
