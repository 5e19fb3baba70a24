// The values that a decision ships, and the related results. Pure.
import type { Schema } from "../../api.ts";
import { changeText } from "../../results/means.ts";
import { dayText, isPlannedEndReached } from "../../results/run-days.ts";
import type { ScoreRow } from "../../results/score-rows.ts";
import { type PulseMetric, toVerdict, type Verdict } from "../../results/verdicts.ts";
import { equal } from "../../targeting/equal.ts";
import { nameInMetricID } from "../../targeting/metric-id.ts";
import type { Experiment } from "./states.ts";

/** A parameter of the group that ships. */
export type Shipped = {
  name: string;
  /** As JSON. */
  value: string;
  /** The layer's default until now, as JSON. Undefined if the experiment is in no layer, or the layer has no such parameter. */
  before: string | undefined;
  isChanged: boolean;
};

type Parameters = Schema<"Layer">["parameters"];

/** The values of the shipped group. @param defaults the parameters of the layer; undefined without a layer */
export function shippedValues({ groups }: Pick<Experiment, "groups">, groupID: string, defaults: Parameters | undefined): Shipped[] {
  const values = groups.find(({ id }) => id === groupID)?.parameterValues ?? {};
  return Object.entries(values).map(([name, value]) => {
    const known = defaults?.find((parameter) => parameter.name === name);
    const before = known === undefined ? undefined : JSON.stringify(known.defaultValue);
    return { name, value: JSON.stringify(value), before, isChanged: known === undefined || !equal(known.defaultValue, value) };
  });
}

/** Whether the planned end is reached, in a sentence. @param now ms since the epoch */
export function plannedEndText(
  experiment: Pick<Experiment, "status" | "startTime" | "endTime" | "duration" | "sequentialTesting">,
  now: number,
): { isRisky: boolean; text: string } {
  const day = dayText(experiment, now);
  if (isPlannedEndReached(experiment, experiment.endTime ?? now)) return { isRisky: false, text: `Planned end reached. ${day}.` };
  const early = experiment.sequentialTesting
    ? "You can decide early: this experiment uses sequential testing."
    : "Results before the planned end may be false positives.";
  return { isRisky: !experiment.sequentialTesting, text: `${day}. ${early}` };
}

export type Finding = { metricID: string; name: string; limit: number | undefined; verdict: Verdict; change: string };

/** The findings of each metric about the one group that the rows have. Of a guardrail, with the harm it allows in percent. */
export const toFindings = (rows: readonly ScoreRow[]): Finding[] =>
  rows.map(({ metricID, metricName, maxHarmPercent, lines: [{ metric }] }) => ({
    metricID,
    name: metricName,
    limit: maxHarmPercent,
    verdict: toVerdict(metric),
    change: changeText(metric) || (metric.reason ?? "No value."),
  }));

type Alert = Schema<"ExperimentGuardrailAlert">;
type Results = Record<"primaryMetrics" | "secondaryMetrics", readonly PulseMetric[]>;

/** Concerns about shipping a group, one sentence each: its open alerts, and its metrics that got significantly worse. */
export function concernsOf(
  { groups }: Pick<Experiment, "groups">,
  groupID: string,
  alerts: readonly Pick<Alert, "groupID" | "metricID" | "resolvedTime">[],
  results: Results | undefined,
): string[] {
  const name = groups.find(({ id }) => id === groupID)?.name ?? groupID;
  const metrics = [...(results?.primaryMetrics ?? []), ...(results?.secondaryMetrics ?? [])];
  const findName = (id: string) => metrics.find(({ metricID }) => metricID === id)?.metricName ?? nameInMetricID(id);
  const open = alerts.filter((alert) => alert.groupID === groupID && alert.resolvedTime === null);
  const worse = metrics.filter((metric) => toVerdict(metric) === "worse");
  return [
    ...open.map(({ metricID }) => `Open guardrail alert: ${findName(metricID)} is worse in ${name} than its guardrail allows.`),
    ...worse.map((metric) => `${metric.metricName} got worse in ${name}: ${changeText(metric)}.`),
  ];
}

/** Whether a load has computed any of them. */
export const wasLoaded = (metrics: readonly PulseMetric[]): boolean => metrics.some(({ loadedTime }) => loadedTime !== undefined);
