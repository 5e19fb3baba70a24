import { describe, expect, test } from "vitest";
import { correctionQuery, dividesAlpha, primaryShareQuery, toCorrection } from "./correction-choice.ts";
import { CORRECTIONS } from "./corrections.ts";
import { comparisonSearch, groupsCompared, monitoringSearch } from "./results-search.ts";

describe("an address", () => {
  test("says how results are computed", () => {
    const search = { confidence: 99, cuped: false, control: "green", test: "blue", correction: "bonferroni-both", primaryShare: 80 };
    expect(comparisonSearch(search)).toEqual(search);
    expect(monitoringSearch({ confidence: "80", cuped: "false" })).toEqual({ confidence: 80, cuped: false });
  });

  test("leaves out what is usual and what it cannot mean", () => {
    expect(comparisonSearch({ cuped: true, adjustment: true })).toEqual({});
    expect(comparisonSearch({ adjustment: "false" })).toEqual({ adjustment: false });
    expect(comparisonSearch({ confidence: 97, cuped: "perhaps", control: "", test: ["a"], correction: "all" })).toEqual({});
    expect(comparisonSearch({ confidence: 1e9 })).toEqual({});
    for (const primaryShare of [0, 100, 33.3, "half"]) expect(comparisonSearch({ primaryShare })).toEqual({});
  });
});

describe("the groups that are compared", () => {
  const experiment = { controlGroupID: "b", groups: [{ id: "a" }, { id: "b" }, { id: "c" }] };

  test("are the control and the first other group, unless the address names others", () => {
    expect(groupsCompared({}, experiment)).toEqual({ control: "b", test: "a" });
    expect(groupsCompared({ control: "a", test: "c" }, experiment)).toEqual({ control: "a", test: "c" });
  });

  test("are two existing groups, for any groups in the address", () => {
    expect(groupsCompared({ control: "gone", test: "gone" }, experiment)).toEqual({ control: "b", test: "a" });
    expect(groupsCompared({ test: "b" }, experiment)).toEqual({ control: "b", test: "a" });
    expect(groupsCompared({ control: "a", test: "a" }, experiment)).toEqual({ control: "a", test: "b" });
    expect(groupsCompared({}, { controlGroupID: null, groups: [] })).toEqual({ control: "", test: "" });
  });
});

describe("a correction", () => {
  test("is that of the experiment without a choice", () => {
    expect(correctionQuery(undefined)).toEqual({});
    expect(toCorrection({ bonferroniCorrection: false })).toBe("none");
    expect(toCorrection({ bonferroniCorrection: true, bonferroniCorrectionPerMetric: true })).toBe("bonferroni-both");
    expect(toCorrection({ bonferroniCorrection: false, benjaminiHochbergPerVariant: true })).toBe("benjamini-groups");
    // Bonferroni counts where both are asked for.
    expect(toCorrection({ bonferroniCorrection: true, benjaminiHochbergPerMetric: true })).toBe("bonferroni-groups");
    expect(toCorrection({ bonferroniCorrection: false, holmPerMetric: true, benjaminiHochbergPerMetric: true })).toBe("holm-metrics");
  });

  test("over metrics divides α into a share of the primary metrics and one of the others", () => {
    expect(CORRECTIONS.filter(dividesAlpha)).toEqual(["bonferroni-metrics", "bonferroni-both"]);
    expect(primaryShareQuery(80)).toEqual({ bonferroniPrimaryMetricWeight: 0.8 });
    expect(primaryShareQuery(undefined)).toEqual({});
  });

  test("of the experiment is the choice that asks for the same", () => {
    for (const correction of CORRECTIONS) {
      const asked = correctionQuery(correction);
      const settings = {
        bonferroniCorrection: asked.applyBonferroniPerVariant ?? false,
        bonferroniCorrectionPerMetric: asked.applyBonferroniPerMetric ?? false,
        holmPerVariant: asked.applyHolmPerVariant ?? false,
        holmPerMetric: asked.applyHolmPerMetric ?? false,
        benjaminiHochbergPerVariant: asked.applyBenjaminiHochbergPerVariant ?? false,
        benjaminiHochbergPerMetric: asked.applyBenjaminiHochbergPerMetric ?? false,
      };
      expect(toCorrection(settings)).toBe(correction);
    }
  });
});
