import { describe, expect, test } from "vitest";
import { type Comparison, type Corrections, computeAlphas } from "./alphas.ts";

const NONE: Corrections = {
  bonferroniPerVariant: false,
  bonferroniPerMetric: false,
  primaryWeight: 0.5,
  holmPerVariant: false,
  holmPerMetric: false,
  benjaminiHochbergPerVariant: false,
  benjaminiHochbergPerMetric: false,
  primaryOnly: false,
};

/** Two primary metrics and a secondary one, each for two test groups. */
const COMPARISONS: Comparison[] = [
  { metricID: "a", testID: "one", isPrimary: true, p: 0.001 },
  { metricID: "a", testID: "two", isPrimary: true, p: 0.03 },
  { metricID: "b", testID: "one", isPrimary: true, p: 0.04 },
  { metricID: "b", testID: "two", isPrimary: true, p: undefined },
  { metricID: "c", testID: "one", isPrimary: false, p: 0.9 },
  { metricID: "c", testID: "two", isPrimary: false, p: 0.002 },
];

const alphas = (corrections: Partial<Corrections>, comparisons = COMPARISONS) => {
  const adjustAlpha = computeAlphas(comparisons, "one", 0.06, { ...NONE, ...corrections });
  return ["a", "b", "c"].map((id) => Number(adjustAlpha(id).toFixed(10)));
};

describe("the α of each metric", () => {
  test("is that of the question without corrections", () => {
    expect(alphas({})).toEqual([0.06, 0.06, 0.06]);
  });

  test("is divided among test groups, among metrics, and among both", () => {
    expect(alphas({ bonferroniPerVariant: true })).toEqual([0.03, 0.03, 0.03]);
    expect(alphas({ bonferroniPerMetric: true })).toEqual([0.015, 0.015, 0.03]);
    expect(alphas({ bonferroniPerMetric: true, bonferroniPerVariant: true })).toEqual([0.0075, 0.0075, 0.015]);
    expect(alphas({ bonferroniPerMetric: true, primaryWeight: 0.9 })).toEqual([0.027, 0.027, 0.006]);
  });

  test("is all there is for metrics of the only sort", () => {
    const primary = COMPARISONS.filter(({ isPrimary }) => isPrimary);
    expect(alphas({ bonferroniPerMetric: true }, primary).slice(0, 2)).toEqual([0.03, 0.03]);
  });

  test("comes from the metrics of one test group, from the test groups of one metric, or from all", () => {
    // 0.001 and 0.04 of 0.001, 0.04, 0.9: the largest rank that passes is 2 of 3, where α is 0.04.
    expect(alphas({ benjaminiHochbergPerMetric: true })).toEqual([0.04, 0.04, 0.04]);
    // Both test groups of a pass, and the only one of b; of c one of two.
    expect(alphas({ benjaminiHochbergPerVariant: true })).toEqual([0.06, 0.06, 0.03]);
    // 0.001, 0.002, 0.03, 0.04 of five.
    expect(alphas({ benjaminiHochbergPerMetric: true, benjaminiHochbergPerVariant: true })).toEqual([0.048, 0.048, 0.048]);
  });

  test("of Benjamini–Hochberg can count primary metrics only; the others keep the whole", () => {
    expect(alphas({ benjaminiHochbergPerMetric: true, primaryOnly: true })).toEqual([0.06, 0.06, 0.06]);
  });

  test("is Holm's over the metrics of a test group, over the test groups of a metric, and over all", () => {
    // 0.001 is at most 0.06/3, and 0.04 is more than 0.06/2.
    expect(alphas({ holmPerMetric: true })).toEqual([0.03, 0.03, 0.03]);
    // All of a and b pass. For c, 0.002 is at most 0.06/2, and 0.9 is more than 0.06.
    expect(alphas({ holmPerVariant: true })).toEqual([0.06, 0.06, 0.06]);
    // 0.001 and 0.002 of five are at most 0.06/5 and 0.06/4, and 0.03 is more than 0.06/3.
    expect(alphas({ holmPerMetric: true, holmPerVariant: true })).toEqual([0.02, 0.02, 0.02]);
    expect(alphas({ holmPerMetric: true, benjaminiHochbergPerMetric: true })).toEqual([0.03, 0.03, 0.03]);
    expect(alphas({ holmPerMetric: true, bonferroniPerVariant: true })).toEqual([0.03, 0.03, 0.03]);
  });

  test("is Bonferroni's where both are asked for", () => {
    expect(alphas({ benjaminiHochbergPerMetric: true, bonferroniPerVariant: true })).toEqual([0.03, 0.03, 0.03]);
  });
});
