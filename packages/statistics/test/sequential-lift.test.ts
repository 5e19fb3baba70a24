import { expect, test } from "vitest";
import { confidenceSequence, type Estimate, sequentialLift } from "../src/index.ts";
import { present } from "./support.ts";

const ALPHA = 0.05;
const estimate = (mean: number, variance: number, units: number): Estimate => {
  return { mean, variance, units, standardError: Math.sqrt(variance / units) };
};

test.each([
  ["a positive", 10, 9],
  ["a negative", -10, -11],
])("the bounds of a sequential lift over %s mean are the lifts that the confidence sequence just holds", (_, controlMean, testMean) => {
  const control = estimate(controlMean, 4, 400);
  const treated = estimate(testMean, 9, 500);
  const { lift, interval } = present(sequentialLift(control, treated, { alpha: ALPHA }));
  expect(lift).toBeCloseTo(-0.1, 12);
  for (const bound of interval) {
    const factor = 1 + Math.sign(controlMean) * bound;
    const delta = treated.mean - factor * control.mean;
    const standardError = Math.sqrt(treated.standardError ** 2 + factor ** 2 * control.standardError ** 2);
    expect(confidenceSequence({ delta, standardError, n: 900 }, { alpha: ALPHA }).p).toBeCloseTo(ALPHA, 10);
  }
});
