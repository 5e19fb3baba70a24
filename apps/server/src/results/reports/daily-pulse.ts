import type { Schema } from "@gatehouse/contract/console";
import type { Column } from "./columns.ts";

type PulseMetric = Schema<"PulseMetric">;
type Group = { id: string; name: string };

/** A test group compared with the control group by a metric, as of the end of a day. */
export type DailyPulse = {
  date: string;
  experiment: { id: string; name: string };
  control: Group;
  test: Group;
  role: "primary" | "secondary" | "other";
  metric: PulseMetric;
};

const text = (name: string, readCell: (row: DailyPulse) => string | undefined): Column<DailyPulse> => ({ name, type: "text", readCell });
const number = (name: string, readCell: (metric: PulseMetric) => number | undefined): Column<DailyPulse> => {
  return { name, type: "number", readCell: ({ metric }) => readCell(metric) };
};

/** The columns that have the names of the metric's own numbers. */
const numbers = (
  ...names: (keyof { [Name in keyof PulseMetric as PulseMetric[Name] extends number | undefined ? Name : never]: true })[]
) => names.map((name) => number(name, (metric) => metric[name]));

/** The comparison that a row belongs to. */
const comparison: readonly Column<DailyPulse>[] = [
  text("date", ({ date }) => date),
  text("experimentID", ({ experiment }) => experiment.id),
  text("experimentName", ({ experiment }) => experiment.name),
  text("controlGroupID", ({ control }) => control.id),
  text("controlGroupName", ({ control }) => control.name),
  text("testGroupID", ({ test }) => test.id),
  text("testGroupName", ({ test }) => test.name),
  text("metricID", ({ metric }) => metric.metricID),
  text("metricName", ({ metric }) => metric.metricName),
  text("role", ({ role }) => role),
  text("directionality", ({ metric }) => metric.directionality),
];

export const dailyPulseColumns: readonly Column<DailyPulse>[] = [
  ...comparison,
  ...numbers("absoluteChange", "confidenceIntervalDelta", "percentChange", "percentConfidenceIntervalDelta"),
  number("percentIntervalLower", ({ percentInterval }) => percentInterval?.[0]),
  number("percentIntervalUpper", ({ percentInterval }) => percentInterval?.[1]),
  ...numbers("sequentialTestingConfidenceIntervalDelta", "percentSequentialTestingConfidenceIntervalDelta"),
  ...numbers("pValue", "alpha"),
  { name: "isSignificant", type: "boolean", readCell: ({ metric }) => metric.isSignificant },
  ...numbers("testMean", "controlMean", "testStd", "controlStd"),
  { name: "testUnits", type: "integer", readCell: ({ metric }) => metric.testUnits },
  { name: "controlUnits", type: "integer", readCell: ({ metric }) => metric.controlUnits },
  ...numbers("testTotal", "controlTotal", "testDenominator", "controlDenominator"),
  { name: "isCupedUsed", type: "boolean", readCell: ({ metric }) => metric.cuped?.isUsed },
  number("varianceReduction", ({ cuped }) => cuped?.varianceReduction),
  number("chanceToBeat", ({ bayesian }) => bayesian?.chanceToBeat),
  number("expectedLoss", ({ bayesian }) => bayesian?.expectedLoss),
  { name: "metricVersion", type: "integer", readCell: ({ metric }) => metric.metricVersion },
  { name: "loadedTime", type: "time", readCell: ({ metric }) => metric.loadedTime },
  text("reason", ({ metric }) => metric.reason ?? metric.verdict?.reason),
];

export const toplineColumns: readonly Column<DailyPulse>[] = [
  ...comparison,
  ...numbers("absoluteToplineImpact", "absoluteToplineImpactDelta", "relativeToplineImpact", "relativeToplineImpactDelta"),
  ...numbers("projectedAbsoluteToplineImpact", "projectedAbsoluteToplineImpactDelta"),
  ...numbers("projectedRelativeToplineImpact", "projectedRelativeToplineImpactDelta"),
  number("days", ({ topline }) => topline?.days),
  number("total", ({ topline }) => topline?.total),
  number("share", ({ topline }) => topline?.share),
  text("reason", ({ metric }) => metric.topline?.reason ?? metric.reason),
];
