import { describe, expect, test } from "vitest";
import { buildGate, buildHoldout } from "../../../test/support/evaluated-project.ts";
import { comparedUnits } from "../../results/sql/compared-units.ts";
import { analysesOfGate, analysesOfHoldout } from "./analyses.ts";

const rule = (id: string, passPercentage: number) => ({ id, baseID: id, name: id, passPercentage, conditions: [], environments: null });

describe("analysesOfGate", () => {
  const rules = [rule("none", 0), rule("few", 10), rule("all", 100)];

  test("compares the units of each enabled rule that passes some and fails others", () => {
    const disabled = { ...rule("off", 20), isEnabled: false };
    expect(analysesOfGate("p", buildGate("g", { rules: [disabled, ...rules] }))).toEqual([
      { projectID: "p", type: "gate", id: "g", idType: "userID", createdTime: 1, ruleID: "few", passPercentage: 10 },
    ]);
  });

  test("compares nothing for a gate that is not in progress or measures nothing", () => {
    for (const status of ["Launched", "Disabled", "Archived"] as const)
      expect(analysesOfGate("p", buildGate("g", { rules, status }))).toEqual([]);
    expect(analysesOfGate("p", buildGate("g", { rules, measureMetricLifts: false }))).toEqual([]);
  });
});

test("analysesOfHoldout compares the units of every rule, as long as the holdout is enabled and holds out units", () => {
  const holdout = buildHoldout("h", { passPercentage: 5, idType: "companyID", isEnabled: true });
  const analysis = { projectID: "p", type: "holdout", id: "h", idType: "companyID", createdTime: 1, ruleID: null, passPercentage: 5 };
  expect(analysesOfHoldout("p", holdout)).toEqual([analysis]);
  expect(analysesOfHoldout("p", { ...holdout, isEnabled: false })).toEqual([]);
  expect(analysesOfHoldout("p", { ...holdout, passPercentage: 0 })).toEqual([]);
});

test("comparedUnits are the smaller side, and as many of the larger", () => {
  expect(comparedUnits(50)).toEqual({ smallerPasses: true, shareOfOthers: 1 });
  expect(comparedUnits(20)).toEqual({ smallerPasses: true, shareOfOthers: 0.25 });
  expect(comparedUnits(80)).toEqual({ smallerPasses: false, shareOfOthers: 0.25 });
});
