import { expect, test } from "vitest";
import { pointText, toDayPoints, trendText } from "./effect-words.ts";

const GROUPS = { control: "Blue", test: "Green" };

test("days are shown in percent if each has a relative change, and as differences if not", () => {
  const relative = { absoluteChange: 2, absoluteInterval: [1, 3], percentChange: 20, percentInterval: [9, 32] };
  const days = [
    { ...relative, at: 0 },
    { at: 1, reason: "No units." },
  ];
  expect(toDayPoints(days, ({ at }) => at)).toEqual({ points: [{ time: 0, value: 20, low: 9, high: 32 }], isPercent: true });
  const fromZero = [...days, { at: 2, absoluteChange: 0.5, reason: "Too few." }];
  expect(toDayPoints(fromZero, ({ at }) => at)).toEqual({
    points: [
      { time: 0, value: 2, low: 1, high: 3 },
      { time: 2, value: 0.5 },
    ],
    isPercent: false,
  });
});

test("a point has its interval, and its unit", () => {
  expect(pointText({ time: 0, value: 20, low: 9, high: 32 }, true)).toBe("+20% (+9% to +32%)");
  expect(pointText({ time: 0, value: 2 }, false)).toBe("2");
});

test("a trend says what changed, what could have been found, and how it was tested", () => {
  const trend = {
    ...{ summary: "The effect wears off.", verdict: "wearsOff" as const, days: 7, controlUnits: 2204, testUnits: 2187 },
    ...{ change: -0.021, interval: [-0.035, -0.007], pValue: 0.0033, averageChange: 0.014, minimumDetectableChange: 0.02 },
    tested: "Compared once.",
  };
  expect(trendText(trend, GROUPS)).toEqual([
    "The effect wears off.",
    "From day 0 to day 6, the daily effect changed by −0.021 (−0.035 to −0.007), p = 0.0033. It was 0.014 a day on average.",
    "A change of 0.02 or more would be found with a chance of 80%.",
    "Users observed for all 7 days: 2,204 in Blue, 2,187 in Green.",
    "Compared once.",
  ]);
  expect(trendText({ summary: "Not tested for a change.", reason: "Too early." }, GROUPS)).toEqual(["Not tested for a change. Too early."]);
});
