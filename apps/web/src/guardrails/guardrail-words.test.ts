import { expect, test } from "vitest";
import type { GuardedMetric } from "../targeting/metric-changes.ts";
import { type GuardedPart, guardrailRows, metricNameIn, type ShownCheck } from "./guardrail-words.ts";

const guarded = (maxHarmPercent: number, pausesRollouts?: boolean): GuardedMetric => ({
  ...{ name: "Revenue", type: "sum" },
  guardrail: { maxHarmPercent, ...(pausesRollouts !== undefined && { pausesRollouts }) },
});
const REFUNDS: GuardedMetric = { name: "Refunds", type: "sum" };
const check = (given: Partial<ShownCheck> = {}): ShownCheck => ({
  ...{ partID: "half", metricID: "Revenue::sum", maxHarmPercent: 10, isBeyond: false, testUnits: undefined, controlUnits: undefined },
  ...given,
});
const buildRows = (metrics: GuardedMetric[], checks: ShownCheck[], part: GuardedPart = "rule") =>
  guardrailRows({ metrics, part, whyUnseen: "Not checked yet." }, checks);

test("a guardrail holds, is beyond, or is not known with the reason, for each rule or group that was compared", () => {
  const found = [check(), check({ partID: "other", isBeyond: true }), check({ partID: "new", reason: "Too few units." })];
  expect(buildRows([guarded(10), REFUNDS], found).map(({ partID, state, reason }) => [partID, state, reason])).toEqual([
    ["half", "holds", undefined],
    ["other", "beyond", undefined],
    ["new", "unknown", "Too few units."],
  ]);
});

test("a guardrail without a check says why", () => {
  expect(buildRows([guarded(10)], [])).toMatchObject([
    { partID: undefined, state: "unknown", check: undefined, reason: "Not checked yet." },
  ]);
});

test("a removed guardrail shows no past findings, and a changed one shows its current settings", () => {
  expect(buildRows([REFUNDS], [check()])).toEqual([]);
  expect(buildRows([guarded(5)], [check()])).toMatchObject([{ maxHarmPercent: 5, check: { maxHarmPercent: 10 } }]);
});

test("a metric with several guardrails has the strictest", () => {
  expect(buildRows([guarded(5), guarded(2, true)], [check()])).toMatchObject([{ maxHarmPercent: 2, pausesRollouts: true }]);
});

test("only guardrails of rules say whether they pause rollouts", () => {
  expect([buildRows([guarded(5)], []), buildRows([guarded(5)], [], "group")].map(([row]) => row?.pausesRollouts)).toEqual([
    false,
    undefined,
  ]);
});

test("a deleted metric is called by the name in its ID", () => {
  expect(["Refunds::sum", "Gone::sum"].map((id) => metricNameIn([REFUNDS], id))).toEqual(["Refunds", "Gone"]);
});
