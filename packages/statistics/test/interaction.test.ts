import { describe, expect, test } from "vitest";
import { type Estimate, estimateInteraction, estimateMoments, testDifference, testIndependence } from "../src/index.ts";

const cell = (n: number, sum: number, sumSquares: number): Estimate => {
  const { value } = estimateMoments({ n, sum, sumSquares });
  if (!value) throw new Error("The cell has no estimate.");
  return value;
};

describe("the interaction of two experiments", () => {
  // statsmodels 0.15: OLS of y on A, B and A·B with cov_type HC2; degrees of freedom and p-value from SciPy 1.17 by Satterthwaite's formula.
  const cells = {
    control: { otherControl: cell(40, 133.78, 661.140286), otherTest: cell(55, 196.119, 1148.621471) },
    test: { otherControl: cell(48, 214.947, 1683.953431), otherTest: cell(70, 543.757, 7277.221669) },
  };

  test("is the coefficient of the product in a regression, with the standard error HC2", () => {
    const { value } = estimateInteraction(cells);
    if (!value) throw new Error("It has no value.");
    expect(value.delta).toBeCloseTo(3.0685946428571413, 11);
    expect(value.standardError).toBeCloseTo(1.113646939044964, 11);
    expect(value.degreesOfFreedom).toBeCloseTo(173.36051575074382, 8);
    const { p, interval } = testDifference(value, { confidence: 0.95 });
    expect(p).toBeCloseTo(0.006487668695033198, 11);
    expect((interval[1] - interval[0]) / 2).toBeCloseTo(2.1980522108785925, 9);
  });

  test("has no value if no cell varies", () => {
    const constant = cell(3, 3, 3);
    expect(
      estimateInteraction({
        control: { otherControl: constant, otherTest: constant },
        test: { otherControl: constant, otherTest: constant },
      }),
    ).toEqual({
      reason: "no_variance",
    });
  });
});

describe("the test of independent assignments", () => {
  test("is Pearson's, and leaves out columns without units", () => {
    // SciPy 1.17, chi2_contingency without correction.
    const { value } = testIndependence([
      [410, 385, 402, 0],
      [398, 441, 0, 0],
      [377, 402, 391, 0],
    ]);
    expect(value?.chiSquare).toBeCloseTo(376.55779455183836, 9);
    expect(value?.degreesOfFreedom).toBe(4);
    expect((value?.p ?? 1) / 3.2256411539986117e-80).toBeCloseTo(1, 9);
  });

  test("needs two rows and two columns with units", () => {
    expect(
      testIndependence([
        [10, 0],
        [12, 0],
      ]),
    ).toEqual({ reason: "no_units" });
    expect(testIndependence([])).toEqual({ reason: "no_units" });
  });
});
