import { expect, test } from "vitest";
import { scoreRows } from "../../results/score-rows.ts";
import type { PulseMetric } from "../../results/verdicts.ts";
import { concernsOf, plannedEndText, shippedValues, toFindings, wasLoaded } from "./decision.ts";
import type { Experiment } from "./states.ts";

const DAY_MS = 86_400_000;
const groups = [
  { id: "control", name: "Control", size: 50, parameterValues: { color: "blue" } },
  { id: "test", name: "Test", size: 50, parameterValues: { color: "green", sizes: [1, 2], isNew: true } },
];

test("shipping shows every value of the group beside the layer's current default", () => {
  expect(shippedValues({ groups }, "test", undefined)).toEqual([
    { name: "color", value: '"green"', before: undefined, isChanged: true },
    { name: "sizes", value: "[1,2]", before: undefined, isChanged: true },
    { name: "isNew", value: "true", before: undefined, isChanged: true },
  ]);
  const defaults = [
    { name: "color", type: "string" as const, defaultValue: "blue" },
    { name: "sizes", type: "array" as const, defaultValue: [1, 2] },
  ];
  expect(shippedValues({ groups }, "test", defaults)).toEqual([
    { name: "color", value: '"green"', before: '"blue"', isChanged: true },
    { name: "sizes", value: "[1,2]", before: "[1,2]", isChanged: false },
    { name: "isNew", value: "true", before: undefined, isChanged: true },
  ]);
  expect(shippedValues({ groups }, "gone", defaults)).toEqual([]);
});

test("the planned end is reached, or a decision is early", () => {
  const run = { status: "active", startTime: 0, endTime: null, duration: 14 } as const;
  expect(plannedEndText(run, 14 * DAY_MS)).toEqual({ isRisky: false, text: "Planned end reached. Day 14 of 14." });
  expect(plannedEndText(run, 3.5 * DAY_MS)).toEqual({
    isRisky: true,
    text: "Day 4 of 14. Results before the planned end may be false positives.",
  });
  expect(plannedEndText({ ...run, sequentialTesting: true }, DAY_MS)).toEqual({
    isRisky: false,
    text: "Day 1 of 14. You can decide early: this experiment uses sequential testing.",
  });
  // A stopped experiment does not grow older.
  expect(plannedEndText({ ...run, status: "experiment_stopped", endTime: 5 * DAY_MS }, 30 * DAY_MS).text).toMatch(/^Ended on day 5 of 14/);
});

test("the results show a change and a verdict for each metric, or the reason they are missing", () => {
  const known = { metricID: "Revenue::sum", metricName: "Revenue", directionality: "increase" as const };
  const revenue: PulseMetric = {
    ...known,
    ...{ absoluteChange: 2, confidenceIntervalDelta: 1, percentChange: 20, percentInterval: [9, 31], isSignificant: true, loadedTime: 1 },
  };
  const visits: PulseMetric = { ...known, metricName: "Visits", reason: "No results update has computed this metric yet." };
  const pulse = { primaryMetrics: [revenue], secondaryMetrics: [{ ...visits, metricID: "Visits::sum" }], otherMetrics: [] };
  const rows = scoreRows([{ group: { id: "test", name: "Test" }, pulse }], new Map([["Visits::sum", 5]]));
  expect(toFindings(rows)).toEqual([
    { metricID: "Revenue::sum", name: "Revenue", limit: undefined, verdict: "better", change: "+20% (+9% to +31%)" },
    {
      ...{ metricID: "Visits::sum", name: "Visits", limit: 5, verdict: "unknown" },
      change: "No results update has computed this metric yet.",
    },
  ]);
  expect(wasLoaded([revenue, visits])).toBe(true);
  expect(wasLoaded([visits])).toBe(false);
});

test("open alerts of the group, and metrics that got worse in it, speak against shipping it", () => {
  const groups = [
    { id: "control", name: "Control", size: 50 },
    { id: "orange", name: "Orange", size: 50 },
  ] as Experiment["groups"];
  const metric = (metricName: string, percentChange: number, isSignificant: boolean): PulseMetric => ({
    ...{ metricID: `${metricName}::sum`, metricName, directionality: "decrease", absoluteChange: percentChange, percentChange },
    ...{ confidenceIntervalDelta: 1, percentInterval: [percentChange - 1, percentChange + 1], isSignificant },
  });
  const results = {
    primaryMetrics: [metric("Buyers", -15, true)],
    secondaryMetrics: [metric("Errors", 94, true), metric("Time", 3, false)],
  };
  const alert = (groupID: string, resolvedTime: number | null = null) => ({ groupID, metricID: "Errors::sum", resolvedTime });
  const alerts = [alert("orange"), alert("orange", 1), alert("control")];
  expect(concernsOf({ groups }, "orange", alerts, results)).toEqual([
    "Open guardrail alert: Errors is worse in Orange than its guardrail allows.",
    "Errors got worse in Orange: +94.0% (+93.0% to +95.0%).",
  ]);
  expect(concernsOf({ groups }, "orange", [], { primaryMetrics: [], secondaryMetrics: [] })).toEqual([]);
});
