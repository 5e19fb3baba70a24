import type { SprtPlan } from "../../results/pulse/sequential-tests.ts";
import { metricID } from "../common/named.ts";
import type { Experiment } from "../experiments/experiment.ts";

const USUAL_POWER = 0.8;

/** The plan of an experiment for the sequential probability ratio test of a metric and a test group. */
export function planSprt(experiment: Experiment, id: string, testID: string): SprtPlan {
  const { defaultSPRTMDE, defaultSPRTPowerParam: power = USUAL_POWER, sprtBaselineMode, sprtMDESettings = [] } = experiment;
  const { primaryMetrics, secondaryMetrics, otherMetrics = [] } = experiment;
  const named = [...primaryMetrics, ...secondaryMetrics, ...otherMetrics].find((metric) => metricID(metric) === id);
  const test = experiment.groups.find((group) => group.id === testID);
  const setting = sprtMDESettings
    .find(({ metricKey }) => metricKey === id || metricKey === named?.name)
    ?.groupSettings.find(({ groupKey }) => groupKey === testID || groupKey === test?.name);
  const { mde, mean, stdDev: standardDeviation } = setting ?? {};
  const isManual = sprtBaselineMode === "manual" && mean !== undefined && standardDeviation !== undefined;
  return {
    effect: mde || (named?.hypothesizedValue && named.hypothesizedValue / 100) || defaultSPRTMDE,
    power,
    baseline: isManual ? { mean, standardDeviation } : undefined,
  };
}

/** How many units of two groups an experiment plans to expose; undefined if it plans none. */
export function plannedUnits({ targetExposures, groups }: Experiment, groupIDs: readonly string[]): number | undefined {
  const size = groups.reduce((sum, { id, size }) => (id && groupIDs.includes(id) ? sum + size : sum), 0);
  return targetExposures === undefined || size === 0 ? undefined : (targetExposures * size) / 100;
}
