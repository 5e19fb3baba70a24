import { expect, test } from "vitest";
import { testedText } from "./tested.ts";
import type { PulseMetric } from "./verdicts.ts";

const metric = (verdict: PulseMetric["verdict"], given: Partial<PulseMetric> = {}): PulseMetric => ({
  ...{ metricID: "m", metricName: "m", directionality: "increase", alpha: 0.05, ...(verdict && { verdict }), ...given },
});

test.each([
  [{ test: "fixed" }, "Two-sided test at α = 0.05, planned for one look at the end. Updated 3 times so far."],
  [{ test: "sequential", testType: "one_sided" }, "One-sided sequential test at α = 0.05, built for daily looks. Updated 3 times so far."],
  [
    { test: "plannedEnd", testType: "non_inferiority" },
    "Non-inferiority sequential test at α = 0.05, with its last look at the planned end. Updated 3 times so far.",
  ],
  [{ test: "sprt" }, "Sequential probability ratio test of 5% at α = 0.05, valid at every look. Updated 3 times so far."],
  [
    { test: "bayesian" },
    "Bayesian: the chance of being better. Valid at any time, but false positives aren’t limited by α. Updated 3 times so far.",
  ],
] as [NonNullable<PulseMetric["verdict"]>, string][])(
  "a verdict by %j says how it was tested and how often it could be looked at",
  (verdict, text) => {
    expect(testedText(metric(verdict, { sprt: { effect: 5 } }), 3)).toBe(text);
  },
);

test("text about the test or the updates is omitted if the verdict or the number of updates is missing", () => {
  expect(testedText(metric(undefined), 3)).toBeUndefined();
  expect(testedText(metric({ test: "fixed" }), undefined)).toBe("Two-sided test at α = 0.05, planned for one look at the end.");
  expect(testedText(metric({ test: "fixed" }), 1)).toMatch(/Updated once so far\.$/);
});
