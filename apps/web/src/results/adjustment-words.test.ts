import { expect, test } from "vitest";
import { adjustmentLabel, adjustmentText, leftText } from "./adjustment-words.ts";

test("the choice names the dimension of the experiment", () => {
  expect(adjustmentLabel({ postStratifyBy: "country" })).toBe("Post-stratify by country");
  expect(adjustmentLabel({ postStratifyBy: "" })).toBeUndefined();
  expect(adjustmentLabel({})).toBeUndefined();
  expect(adjustmentLabel({ cureCovariates: [{ name: "Revenue", type: "sum" }] })).toBe("Adjust for earlier Revenue");
});

test("a metric says how much variance the adjustment saved, or added", () => {
  const used = { method: "post_stratification" as const, isUsed: true, dimension: "country", strata: 3 };
  expect(adjustmentText({ ...used, varianceReduction: 0.4132 })).toBe("Variance reduced by 41.32% (3 values)");
  expect(adjustmentText({ ...used, varianceReduction: -0.02 })).toBe("Variance increased by 2% (3 values)");
});

test("covariates that were left out have their reasons", () => {
  const used = { method: "regression" as const, isUsed: true, covariates: ["Revenue::sum"], varianceReduction: 0.25 };
  expect(adjustmentText(used)).toBe("Variance reduced by 25% (1 covariate)");
  expect(leftText(used)).toBeUndefined();
  const left = [{ metricID: "Price::mean", reason: "It's a ratio." }];
  expect(leftText({ ...used, isUsed: false, reason: "No covariate can be used.", left })).toBe(
    "No covariate can be used. Price::mean: It's a ratio.",
  );
});
