import { expect, test } from "vitest";
import type { GuardedMetric } from "../targeting/metric-changes.ts";
import { guardrailFaultAt, guardrailFaults, setMostHarm, setPausing } from "./guardrail-draft.ts";

const REVENUE: GuardedMetric = { name: "Revenue", type: "sum" };
const guarded = (maxHarmPercent: number, pausesRollouts?: boolean): GuardedMetric => ({
  ...REVENUE,
  guardrail: { maxHarmPercent, ...(pausesRollouts !== undefined && { pausesRollouts }) },
});

test("a number sets the guardrail and keeps whether it pauses, and none removes it", () => {
  expect(setMostHarm(REVENUE, 1)).toEqual(guarded(1));
  expect(setMostHarm(guarded(1, true), 2)).toEqual(guarded(2, true));
  expect(setMostHarm(guarded(1, true), undefined)).toEqual(REVENUE);
});

test("a new guardrail of a gate pauses rollouts, and one that doesn't pause stays so", () => {
  expect(setMostHarm(REVENUE, 1, { pausesRollouts: true })).toEqual(guarded(1, true));
  expect(setMostHarm(guarded(1), 2, { pausesRollouts: true })).toEqual(guarded(2));
});

test("a guardrail that pauses no more is as one that never did, and without a guardrail nothing pauses", () => {
  expect(setPausing(guarded(1), true)).toEqual(guarded(1, true));
  expect(setPausing(guarded(1, true), false)).toEqual(guarded(1));
  expect(setPausing(REVENUE, true)).toEqual(REVENUE);
});

test("a guardrail is from 0 to 100, unless it is stored already", () => {
  const metrics = [guarded(0), guarded(100), REVENUE, guarded(100.5), guarded(-1)];
  expect(guardrailFaults("monitoringMetrics", metrics, []).map(({ property }) => property)).toEqual([
    "monitoringMetrics[3].guardrail.maxHarmPercent",
    "monitoringMetrics[4].guardrail.maxHarmPercent",
  ]);
  expect(guardrailFaults("primaryMetrics", [guarded(-1)], [guarded(-1)])).toEqual([]);
});

test("a fault of the server is shown at its guardrail, and nowhere else", () => {
  const faults = [{ property: "monitoringMetrics[1].guardrail.maxHarmPercent", message: "Use 100 or less.", level: "error" as const }];
  expect([0, 1, 10].map((index) => guardrailFaultAt(faults, "monitoringMetrics", index))).toEqual([
    undefined,
    "Use 100 or less.",
    undefined,
  ]);
});
