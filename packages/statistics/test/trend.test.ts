import { expect, test } from "vitest";
import { compareMeans, describeTrend, type Estimate, estimateMoments, lackOfTrends, trendWeights } from "../src/index.ts";
import { present } from "./support.ts";

/** Values of days 0 to 6, and the change from the first to the last on numpy 2's `polyfit(range(7), x, 1)`. */
test.each([
  [[3, 1, 4, 1, 5, 9, 2], 3],
  [[9, 7, 1, 8, 2, 3, 1], -6.642857142857146],
  [[5, 5, 5, 5, 5, 5, 5], 0],
])("the weights of %j add up to the change that numpy's polyfit has", (days, expected) => {
  const weights = trendWeights(days.length);
  expect(days.reduce((sum, value, day) => sum + value * (weights[day] ?? Number.NaN), 0)).toBeCloseTo(expected, 12);
});

const moments = (values: readonly number[]): Estimate => {
  const sum = (power: number) => values.reduce((total, value) => total + value ** power, 0);
  return present(estimateMoments({ n: values.length, sum: sum(1), sumSquares: sum(2), sumCubes: sum(3) }));
};

test("a significant change is named by the sign of the average effect", () => {
  const rise = { delta: 2, p: 0.01 };
  expect(describeTrend(rise, { delta: 1, p: 0.001 }, 0.05)).toBe("grows");
  expect(describeTrend(rise, { delta: -1, p: 0.001 }, 0.05)).toBe("wearsOff");
  expect(describeTrend({ delta: -2, p: 0.01 }, { delta: -1, p: 0.001 }, 0.05)).toBe("grows");
  expect(describeTrend(rise, { delta: 1, p: 0.2 }, 0.05)).toBe("rises");
  expect(describeTrend({ delta: -2, p: 0.01 }, undefined, 0.05)).toBe("falls");
  expect(describeTrend({ delta: 2, p: 0.06 }, { delta: 1, p: 0.001 }, 0.05)).toBe("noChange");
});

test("symmetric trends of rare values lack data, because few units decide", () => {
  const trend = moments(Array.from({ length: 100 }, (_, unit) => (unit === 0 ? 1 : unit === 1 ? -1 : 0)));
  const level = moments(Array.from({ length: 100 }, (_, unit) => (unit < 2 ? 1 : 0)));
  expect(compareMeans(trend, trend).value?.p).toBe(1);
  expect(lackOfTrends({ trend, level }, { trend, level }, { alpha: 0.05 })?.reason).toBe("tooSkewed");
});
