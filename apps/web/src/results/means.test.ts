import { describe, expect, test } from "vitest";
import { changeText, differenceTexts, errorText, meanText, percentChangeTexts, totalText } from "./means.ts";
import type { PulseMetric } from "./verdicts.ts";

const numbers: PulseMetric = {
  ...{ metricID: "Buys", metricName: "Buys", directionality: "increase" },
  ...{ controlMean: 0.30123, controlStd: 0.0145, controlTotal: 301, absoluteChange: 0.0212, absoluteInterval: [-0.0075, 0.0533] },
  ...{ percentChange: 7.034, percentInterval: [-2.66, 19.4], confidenceIntervalDelta: 0.0287 },
};

test("rates are percentages, their differences percentage points, and their totals counts", () => {
  const rate = { ...numbers, isProportion: true };
  expect([meanText("control", rate), errorText("control", rate), totalText("control", rate)]).toEqual([
    "30.1%",
    "SE 1.5\u00a0pp",
    "301 units counted",
  ]);
  expect(differenceTexts(rate)).toEqual({ difference: "+2.1\u00a0pp", interval: "(−0.8\u00a0pp to +5.3\u00a0pp)" });
  expect(percentChangeTexts(rate)).toEqual({ change: "+7%", interval: "(−3% to +19%)" });
});

test("other means have the unit of the metric", () => {
  expect([meanText("control", numbers), errorText("control", numbers)]).toEqual(["0.301", "SE 0.015"]);
  const even = { ...numbers, absoluteInterval: [-0.0088, 0.0512] };
  expect(differenceTexts(even)).toEqual({ difference: "+0.021", interval: "(−0.009 to +0.051)" });
  const early = { ...even, sequentialTestingConfidenceIntervalDelta: 0.5 };
  expect(differenceTexts(early)).toEqual({ difference: "+0.02", interval: "(−0.48 to +0.52)" });
  expect(percentChangeTexts({ ...early, percentChange: 7.034 })).toEqual({ change: "+7.03%", interval: undefined });
});

const changed = (metricName: string, absoluteChange: number, isSignificant = true, given: Partial<PulseMetric> = {}): PulseMetric => ({
  ...{ metricID: metricName, metricName, directionality: "increase", absoluteChange, isSignificant, confidenceIntervalDelta: 1 },
  ...given,
});

describe("a change is shown", () => {
  test("in percent with its interval", () => {
    const lifted = changed("Revenue", 0.29, true, { percentChange: 70.73, percentInterval: [8.371, 177.4] });
    expect(changeText(lifted)).toBe("+71% (+8% to +177%)");
  });

  test("with the interval that holds for every look, before the planned end", () => {
    const early = {
      ...{ percentChange: 10, percentInterval: [5, 15] },
      ...{ sequentialTestingConfidenceIntervalDelta: 2, sequentialPercentInterval: [-10, 30] },
    };
    expect(changeText(changed("Revenue", 1, false, early))).toBe("+10% (−10% to +30%)");
  });

  test("with both bounds where its interval is not symmetric", () => {
    expect(changeText(changed("Buys", 0.02, false, { absoluteInterval: [-0.01, 0.06] }))).toBe("+0.020 (−0.010 to +0.060)");
  });

  test("in the metric's unit if it cannot be relative to the control", () => {
    expect(changeText(changed("Revenue", -2.5))).toBe("−2.5 (−3.5 to −1.5)");
    expect(changeText(changed("Revenue", 2.5, true, { percentChange: 900 }))).toContain("the control mean may be 0");
  });
});
