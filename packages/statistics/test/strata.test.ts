import { describe, expect, test } from "vitest";
import { compareMeans, estimateMoments, type Stratum, stratifiedDifference, stratifiedMeans } from "../src/index.ts";
import { computeMoments, present } from "./support.ts";

/**
 * Strata of units, as [control, test], with the contrast of their means in a saturated regression: statsmodels 0.15, OLS with HC2 errors. Degrees
 * of freedom by Satterthwaite in numpy, and p by scipy 1.17.
 */
const CASES: readonly { strata: readonly (readonly [readonly number[], readonly number[]])[]; expected: Record<string, number> }[] = [
  {
    strata: [
      [
        [8.4, 7.35, 9.5, 10.84, 12.27, 10.22, 8.89, 8.43, 11.5, 13.27, 10.55, 7.53],
        [8.13, 15.8, 11.61, 5.8, 10.75, 7.51, 9.11, 9.54, 8.86, 12.66, 10.81, 9.23, 12.23, 13.49, 6.07],
      ],
      [
        [
          14.49, 13.04, 14.65, 12.42, 15.04, 14.92, 14.39, 12.9, 14.21, 12.82, 12.29, 15.45, 12.78, 17.34, 16.43, 11.0, 15.54, 12.8, 15.07,
          15.09,
        ],
        [10.03, 15.3, 15.23, 18.89, 12.46, 18.21, 12.7, 15.01],
      ],
      [
        [
          20.32, 24.9, 23.14, 26.86, 23.28, 23.69, 23.68, 20.79, 21.86, 24.7, 21.21, 22.38, 21.96, 23.22, 21.27, 21.7, 22.48, 22.21, 20.27,
          23.79, 19.4, 19.6, 19.44, 23.93, 21.28, 20.06, 19.73, 22.84, 19.89, 19.46,
        ],
        [
          24.84, 19.41, 22.03, 22.98, 21.66, 22.84, 27.02, 21.45, 19.22, 17.49, 22.39, 21.94, 23.8, 21.61, 21.56, 20.84, 21.44, 23.48,
          21.86, 23.3, 28.7, 24.44, 18.27, 28.2, 24.04,
        ],
      ],
    ],
    expected: {
      delta: 0.5104681818181831,
      standardError: 0.481645067014237,
      degreesOfFreedom: 49.74278318375998,
      p: 0.29433528645552554,
      controlMean: 17.015595454545455,
    },
  },
  {
    strata: [
      [
        [
          11.12, 14.81, 13.04, 11.77, 11.73, 11.01, 13.1, 15.14, 12.35, 13.84, 16.75, 10.57, 13.52, 12.39, 10.88, 10.95, 12.97, 13.87,
          11.94, 13.11, 14.44, 13.59, 14.74, 13.92, 13.98, 16.65, 14.25, 13.26, 14.42, 11.16, 12.32, 14.59, 14.26, 16.1, 13.02, 10.08,
          16.89, 15.19, 10.88, 15.75,
        ],
        [14.1, 8.56, 12.74, 12.47, 18.77, 11.62, 13.24, 13.17, 12.86, 11.26],
      ],
      [
        [6.44, 8.15, 7.25, 4.15, 3.7, 6.24, 4.59, 4.74, 2.64, 9.9, 7.83],
        [
          4.08, 9.72, 11.03, -0.17, 5.35, 5.84, 8.94, 6.64, 6.31, 6.82, 12.56, 13.48, 5.43, 4.22, 15.08, 4.06, 5.28, 7.11, 8.45, 10.09,
          8.17, 4.38, 8.52, 7.75, 12.63, 6.96, 2.99, 3.86, 11.35, 5.38, 0.69, 5.26, 7.0, 10.57, 3.96, 9.0, 9.39, 4.9, 6.44, 12.31, 12.16,
          9.57, 8.0, 10.41, 6.58, 6.71, 4.42, 7.02, 6.75, 15.32, 6.42, 10.81, 10.96, 6.44, 10.51, 0.47, 7.28, 9.57, -0.19, 3.52,
        ],
      ],
    ],
    expected: {
      delta: 0.6484574254946152,
      standardError: 0.5914282656783633,
      degreesOfFreedom: 32.074320183777054,
      p: 0.28105651702973466,
      controlMean: 9.021068745304284,
    },
  },
];

const toStrata = (strata: (typeof CASES)[number]["strata"]): Stratum[] =>
  strata.map(([control, treated]) => ({
    control: present(estimateMoments(computeMoments(control))),
    test: present(estimateMoments(computeMoments(treated))),
  }));

describe("the difference over strata", () => {
  test.each(CASES)("is the contrast of a saturated regression with HC2 errors ($expected.delta)", ({ strata, expected }) => {
    const difference = present(stratifiedDifference(toStrata(strata)));
    expect(difference.delta).toBeCloseTo(expected.delta ?? Number.NaN, 10);
    expect(difference.standardError).toBeCloseTo(expected.standardError ?? Number.NaN, 10);
    expect(difference.degreesOfFreedom).toBeCloseTo(expected.degreesOfFreedom ?? Number.NaN, 8);
  });

  test.each(CASES)("is that of the groups' means, whose comparison has its p-value ($expected.p)", ({ strata, expected }) => {
    const { control, test: treated } = present(stratifiedMeans(toStrata(strata)));
    const { delta, standardError, p } = present(compareMeans(control, treated));
    expect(control.mean).toBeCloseTo(expected.controlMean ?? Number.NaN, 10);
    expect([delta, standardError, p]).toEqual(
      [expected.delta, expected.standardError, expected.p].map((one) => expect.closeTo(one ?? Number.NaN, 10)),
    );
  });

  test("has the skewness of the strata's means", () => {
    const skewed = (units: number) => ({ mean: 1, variance: 4, standardError: 2 / Math.sqrt(units), units, thirdMoment: 6 });
    const { control } = present(
      stratifiedMeans([
        { control: skewed(10), test: skewed(30) },
        { control: skewed(40), test: skewed(20) },
      ]),
    );
    // 50²(0.4³ · 6/10² + 0.6³ · 6/40²)
    expect(control.thirdMoment).toBeCloseTo(2_500 * (0.064 * 0.06 + 0.216 * (6 / 1_600)), 12);
    expect(control.units).toBe(50);
  });
});
