import type { Schema } from "@gatehouse/contract/console";
import { estimateDifference, testDifference } from "@gatehouse/statistics";
import type { Found } from "../pulse/stored-moments.ts";
import { estimateEarlier } from "../pulse/sum-moments.ts";
import { NOTHING, type Sums } from "../pulse/sums.ts";
import type { HealthCheck } from "./health-check.ts";
import { rounded } from "./health-check.ts";

type Experiment = Schema<"Experiment">;
type CheckedGroup = Schema<"HealthCheckGroup">;

/** A metric that an experiment names. */
export type CheckedMetric = {
  metricID: string;
  exists: boolean;
  /** The findings of its last load; undefined before the first. */
  found: Found | undefined;
};

/** How often the groups may differ by chance before their exposure, with all tests together. */
const BIAS_ALPHA = 0.01;
/** With fewer units that did something before their exposure, normal distributions say little. */
const MIN_UNITS_BEFORE = 100;

/** Checks of an experiment's metrics. @param hasUnits whether any unit has been exposed: without units, events say nothing about ids */
export function metricChecks(experiment: Experiment, metrics: readonly CheckedMetric[], hasUnits: boolean): HealthCheck[] {
  if (metrics.length === 0) return [];
  const checks = [existence(metrics), ...events(metrics, hasUnits), ...bias(experiment, metrics)];
  return checks.map((check) => ({
    ...check,
    metadata: { type: check.type, primary_id_type: experiment.idType, ...check.metadata },
  }));
}

type Check = Omit<HealthCheck, "metadata" | "type"> & { type: string & HealthCheck["type"]; metadata?: object };

function existence(metrics: readonly CheckedMetric[]): Check {
  const about = { name: "Metrics", type: "user_metrics_exist" } as const;
  const missing = metrics.filter(({ exists }) => !exists).map(({ metricID }) => metricID);
  if (missing.length === 0) return { ...about, ...computability(metrics) };
  return {
    ...about,
    status: "WARNING",
    description: `It names metrics that do not exist: ${listed(missing)}.`,
    metadata: { missingMetrics: missing },
  };
}

/** Whether the last load could compute every metric. One that exists can name another one that does not. */
function computability(metrics: readonly CheckedMetric[]): Pick<Check, "status" | "description" | "metadata"> {
  const failed = metrics.flatMap(({ metricID, found }) => (found?.reason === undefined ? [] : [{ metricID, reason: found.reason }]));
  const [first] = failed;
  if (first === undefined) return { status: "PASSED", description: "All of its metrics exist." };
  const ids = failed.map(({ metricID }) => metricID);
  const description = `The last load did not compute ${listed(ids)}. ${first.reason}`;
  return { status: "WARNING", description, metadata: { missingMetrics: ids } };
}

function events(metrics: readonly CheckedMetric[], hasUnits: boolean): Check[] {
  const about = { name: "Events of the metrics", type: "has_event_metrics" } as const;
  const loaded = metrics.flatMap(({ metricID, found }) => (found && found.reason === undefined ? [{ metricID, found }] : []));
  if (loaded.length === 0) {
    // Metrics that do not exist are never loaded.
    if (!metrics.some(({ exists }) => exists)) return [];
    return [{ ...about, status: "WAITING", description: "No metric has been loaded yet." }];
  }
  if (!hasUnits) return [{ ...about, status: "WAITING", description: "No unit has been exposed yet." }];
  const silent = loaded.filter(({ found }) => !hasEvents(found)).map(({ metricID }) => metricID);
  if (silent.length === 0) return [{ ...about, status: "PASSED", description: "Every metric that was loaded has events of the units." }];
  const description = `No unit has an event of ${listed(silent)}. Compare the ids of the exposures with those of the events.`;
  return [{ ...about, status: "WARNING", description, metadata: { missingMetrics: silent } }];
}

/** Groups without events have no percentile. */
function hasEvents({ groups, percentile }: Found): boolean {
  if (percentile) return Object.keys(percentile.groups).length > 0;
  return Object.values(groups ?? {}).some(({ y, d }) => y !== 0 || d !== 0);
}

type Comparison = { metricID: string; groupID: string; p: number };

function bias(experiment: Experiment, metrics: readonly CheckedMetric[]): Check[] {
  const comparisons = metrics.flatMap(({ metricID, found }) => comparedBefore(experiment, metricID, found));
  if (comparisons.length === 0) return [];
  const about = { name: "Before the exposure", type: "pre_experimental_bias_check" } as const;
  const level = BIAS_ALPHA / comparisons.length;
  const isOff = ({ p }: Comparison) => p < level;
  const groups = experiment.groups.flatMap(({ id, name }): CheckedGroup[] => {
    const own = comparisons.filter(({ groupID }) => groupID === id);
    if (!id || own.length === 0) return [];
    const tested = own.map((one) => ({ metricKey: one.metricID, metricTitle: metricTitle(one.metricID), status: toStatus(isOff(one)) }));
    return [{ groupID: id, groupName: name, status: toStatus(own.some(isOff)), metrics: tested }];
  });
  const worst = comparisons.reduce((first, second) => (second.p < first.p ? second : first));
  const metadata = { pValue: worst.p, groups };
  if (!isOff(worst)) {
    const description = `Before their exposure the groups do not differ from the control. The smallest of ${comparisons.length} p-values is ${rounded(worst.p)}.`;
    return [{ ...about, status: "PASSED", metadata, description }];
  }
  const off = [...new Set(comparisons.filter(isOff).map(({ metricID }) => metricID))];
  const description = `Groups differed from the control before their exposure, in ${listed(off)}: p = ${rounded(worst.p)}. Later differences may not be effects of the experiment.`;
  return [{ ...about, status: "WARNING", metadata, description }];
}

const toStatus = (isOff: boolean): CheckedGroup["status"] => (isOff ? "WARNING" : "PASSED");

/** The tests of each group against the control, of units' behavior before exposure. Empty for percentiles and with too little activity. */
function comparedBefore({ groups, controlGroupID }: Experiment, metricID: string, found: Found | undefined): Comparison[] {
  const control = controlGroupID ? found?.groups?.[controlGroupID] : undefined;
  if (!found?.groups || !control) return [];
  const { groups: sums, isRatio } = found;
  return groups.flatMap(({ id }) => {
    if (!id || id === controlGroupID) return [];
    const test = sums[id] ?? NOTHING;
    if (control.m < MIN_UNITS_BEFORE || test.m < MIN_UNITS_BEFORE) return [];
    const p = pBefore(control, test, isRatio);
    return p === undefined ? [] : [{ metricID, groupID: id, p }];
  });
}

function pBefore(control: Sums, test: Sums, isRatio: boolean): number | undefined {
  const [first, second] = [estimateEarlier(control, isRatio).value, estimateEarlier(test, isRatio).value];
  const difference = first && second && estimateDifference(first, second).value;
  return difference && testDifference(difference, { confidence: 1 - BIAS_ALPHA }).p;
}

const metricTitle = (metricID: string) => metricID.slice(0, metricID.lastIndexOf("::"));
const listed = (ids: readonly string[]) => ids.map(metricTitle).join(", ");
