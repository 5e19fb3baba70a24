import { expect, test } from "vitest";
import type { PulseMetric } from "./verdicts.ts";
import { workedOut } from "./worked.ts";

const revenue: PulseMetric = {
  metricID: "Revenue::sum",
  metricName: "Revenue",
  directionality: "increase",
  controlTotal: 38.1,
  controlUnits: 100,
  controlMean: 0.381,
  controlStd: 0.01,
  testTotal: 41.2,
  testUnits: 100,
  testMean: 0.412,
  testStd: 0.012,
  absoluteChange: 0.031,
  confidenceIntervalDelta: 0.03062,
  percentChange: 8.136,
  percentInterval: [0.1, 16.4],
  pValue: 0.0473,
  alpha: 0.05,
};

test("a number is worked out with the numbers that it came from", () => {
  expect(workedOut("absoluteChange", revenue)).toBe("0.412 − 0.381 = 0.031");
  expect(workedOut("percentChange", revenue)).toBe("100 × 0.031 ÷ 0.381 = 8.136%");
  expect(workedOut("controlMean", revenue)).toBe("38.1 ÷ 100 = 0.381");
  expect(workedOut("testStd", revenue)).toBe("0.12 ÷ √100 = 0.012");
  expect(workedOut("confidenceIntervalDelta", revenue)).toBe("1.96 × 0.01562 = 0.03062");
  expect(workedOut("percentInterval", revenue)).toBe("+0.1% to +16.4%. Of 100 such intervals, 95 hold the true change.");
  expect(workedOut("pValue", revenue)).toBe("0.031 ÷ 0.01562 = 1.985 standard errors: p = 0.0473, α = 0.05");
});

test("a mean that CUPED adjusted says both", () => {
  const adjusted: PulseMetric = { ...revenue, testMean: 0.409, cuped: { isUsed: true, varianceReduction: 0.3 } };
  expect(workedOut("testMean", adjusted)).toBe("41.2 ÷ 100 = 0.412, and 0.409 after CUPED");
  const stratified: PulseMetric = { ...adjusted, adjustment: { method: "post_stratification", isUsed: true } };
  expect(workedOut("testMean", stratified)).toBe("41.2 ÷ 100 = 0.412, and 0.409 after CUPED and the adjustment");
});

test("a number is not worked out unless the other numbers explain it", () => {
  const { controlMean: _, ...unknown } = revenue;
  expect(workedOut("absoluteChange", unknown)).toBeUndefined();
  expect(workedOut("percentChange", { ...revenue, controlMean: 0 })).toBeUndefined();
  // A percentile is not a quotient.
  expect(workedOut("testMean", { ...revenue, testMean: 7 })).toBeUndefined();
  expect(workedOut("testUnits", revenue)).toBeUndefined();
});
