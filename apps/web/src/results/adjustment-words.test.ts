import { expect, test } from "vitest";
import { adjustmentLabel, adjustmentText } from "./adjustment-words.ts";

test("the choice names the dimension of the experiment", () => {
  expect(adjustmentLabel({ postStratifyBy: "country" })).toBe("Post-stratify by country");
  expect(adjustmentLabel({ postStratifyBy: "" })).toBeUndefined();
  expect(adjustmentLabel({})).toBeUndefined();
});

test("a metric says how much variance the adjustment saved, or added", () => {
  const used = { method: "post_stratification" as const, isUsed: true, dimension: "country", strata: 3 };
  expect(adjustmentText({ ...used, varianceReduction: 0.4132 })).toBe("41.32 % of the variance saved by 3 strata");
  expect(adjustmentText({ ...used, varianceReduction: -0.02 })).toBe("Variance raised by 2 % by 3 strata");
});
