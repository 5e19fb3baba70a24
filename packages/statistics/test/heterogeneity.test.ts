import { describe, expect, test } from "vitest";
import { type Difference, testHeterogeneity } from "../src/index.ts";
import { present } from "./support.ts";

const toDifferences = (numbers: readonly (readonly number[])[]): Difference[] =>
  numbers.map(([delta = Number.NaN, standardError = Number.NaN, degreesOfFreedom = Number.POSITIVE_INFINITY]) => ({
    ...{ delta, standardError, degreesOfFreedom },
  }));

const EFFECTS = [
  [0.5, 0.2, 40],
  [-0.2, 0.25, 25],
  [0.9, 0.4, 18.5],
  [0.1, 0.15, 300],
] as const;

describe("the test of heterogeneous differences", () => {
  test("has Q, I² and the common difference of combine_effects in statsmodels 0.15", () => {
    const { q, iSquared, delta, degreesOfFreedom } = present(testHeterogeneity(toDifferences(EFFECTS)));
    expect(q).toBeCloseTo(8.305362011511665, 12);
    expect(iSquared).toBeCloseTo(0.6387875693025971, 12);
    expect(delta).toBeCloseTo(0.2112390184792487, 12);
    expect(degreesOfFreedom).toBe(3);
  });

  test("has the p-value of χ² if the variances are known: that of test_homogeneity in statsmodels", () => {
    const known = EFFECTS.map(([delta, standardError]) => [delta, standardError]);
    expect(present(testHeterogeneity(toDifferences(known))).p).toBeCloseTo(0.04010486778564265, 8);
  });

  test("has Welch's p-value if the variances are estimates: those of scipy 1.17 and of Welch's analysis in statsmodels", () => {
    expect(present(testHeterogeneity(toDifferences(EFFECTS))).p).toBeCloseTo(0.05385641142933231, 12);
    const means = [
      [1.2, 0.5773502691896257, 11],
      [0.7, 0.6708203932499369, 19],
      [2, 0.31622776601683794, 14],
    ];
    const { q, p } = present(testHeterogeneity(toDifferences(means)));
    expect(q).toBeCloseTo(3.8379562043795623, 12);
    expect(p).toBeCloseTo(0.17485420437956103, 12);
  });

  test("explains no variation if the differences vary less than chance has it", () => {
    const { iSquared, p } = present(
      testHeterogeneity(
        toDifferences([
          [1, 1],
          [1, 2],
        ]),
      ),
    );
    expect([iSquared, p]).toEqual([0, 1]);
  });

  test("needs two differences that vary", () => {
    expect(testHeterogeneity(toDifferences([[1, 1]]))).toEqual({ reason: "one_part" });
    expect(
      testHeterogeneity(
        toDifferences([
          [1, 0],
          [2, 1],
        ]),
      ),
    ).toEqual({ reason: "no_variance" });
  });
});
