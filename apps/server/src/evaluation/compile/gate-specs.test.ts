import { describe, expect, test } from "vitest";
import {
  buildGate,
  buildHoldout,
  buildSegment,
  compileOnce,
  condition,
  findSpec,
  NO_LISTS,
  ruleIDs,
} from "../../../test/support/evaluated-project.ts";

const RULES = [
  { id: "r1", baseID: "b1", name: "Beta", passPercentage: 12.5, conditions: [{ type: "public" as const }], environments: ["staging"] },
  { id: "r2", baseID: "r2", name: "All", passPercentage: 0, conditions: [], environments: null },
];
const everyone = condition("public");
const listed = (targetValue: string[], idType = "userID") => condition("unit_id", { operator: "any_case_sensitive", targetValue, idType });
const passing = { groupName: null, passPercentage: 100, returnValue: true, idType: "userID" };

describe("a gate", () => {
  test("is a spec of its rules, each with its base id as salt", () => {
    const ruleset = compileOnce({ gates: [buildGate("beta", { rules: RULES, version: 7 })] });
    expect(ruleset.feature_gates).toEqual([
      {
        name: "beta",
        type: "feature_gate",
        salt: "beta",
        enabled: true,
        defaultValue: false,
        idType: "userID",
        entity: "feature_gate",
        rules: [
          {
            ...passing,
            id: "r1",
            name: "Beta",
            salt: "b1",
            passPercentage: 12.5,
            conditions: [condition("environment_field", { operator: "any", targetValue: ["staging"], field: "tier" }), everyone],
          },
          { ...passing, id: "r2", name: "All", salt: "r2", passPercentage: 0, conditions: [] },
        ],
        version: 7,
      },
    ]);
  });

  test("has overrides first, those of one environment before those of all, then holdouts, then its rules", () => {
    const gate = buildGate("beta", { idType: "companyID", rules: RULES, holdoutIDs: ["held"] });
    const overrides = {
      ...NO_LISTS,
      passingUserIDs: ["u1"],
      failingUserIDs: ["u2"],
      passingCustomIDs: ["c1"],
      environmentOverrides: [{ environment: "staging", unitID: null, passingIDs: [], failingIDs: ["u1"] }],
    };
    const ruleset = compileOnce({
      gates: [gate],
      gateOverrides: { beta: overrides },
      holdouts: [buildHoldout("held", { gateIDs: ["beta"] })],
    });
    const ofID = (id: string, details: object) => ({ ...passing, id, name: id, salt: id, ...details });
    expect(findSpec(ruleset, "beta")?.rules.slice(0, 5)).toEqual([
      ofID("fail:staging:id_override", {
        passPercentage: 0,
        conditions: [condition("environment_field", { operator: "any", targetValue: ["staging"], field: "tier" }), listed(["u1"])],
      }),
      ofID("pass:all:id_override", { conditions: [listed(["u1"])] }),
      ofID("fail:all:id_override", { passPercentage: 0, conditions: [listed(["u2"])] }),
      ofID("pass:all:id_override", { conditions: [listed(["c1"], "companyID")], idType: "companyID" }),
      ofID("held", {
        passPercentage: 0,
        conditions: [condition("pass_gate", { targetValue: "held", idType: "companyID" })],
        idType: "companyID",
      }),
    ]);
    expect(ruleIDs(findSpec(ruleset, "beta")).slice(5)).toEqual(["r1", "r2"]);
  });

  test("that is launched passes everyone except held-out users", () => {
    const gate = buildGate("beta", { rules: RULES, status: "Launched", holdoutIDs: ["held"] });
    const overrides = { ...NO_LISTS, failingUserIDs: ["u1"] };
    const ruleset = compileOnce({
      gates: [gate],
      gateOverrides: { beta: overrides },
      holdouts: [buildHoldout("held", { gateIDs: ["beta"] })],
    });
    expect(ruleIDs(findSpec(ruleset, "beta"))).toEqual(["held", "launched"]);
    expect(findSpec(ruleset, "beta")?.rules[1]).toEqual({
      ...passing,
      id: "launched",
      name: "launched",
      salt: "launched",
      conditions: [everyone],
    });
  });

  test("that is disabled has no rules, and one that is archived is left out", () => {
    const off = buildGate("off", { rules: RULES, isEnabled: false, status: "Disabled" });
    const ruleset = compileOnce({ gates: [off, buildGate("old", { rules: RULES, status: "Archived" })], gateOverrides: { off: NO_LISTS } });
    expect(ruleset.feature_gates.map(({ name, enabled, rules }) => ({ name, enabled, rules }))).toEqual([
      { name: "off", enabled: false, rules: [] },
    ]);
  });

  test("puts ids that differ only in case in separate lists, since newer SDKs could not tell them apart in one", () => {
    const overrides = { ...NO_LISTS, passingUserIDs: ["Ann", "ann", "bob", "ANN"] };
    const spec = findSpec(compileOnce({ gates: [buildGate("beta")], gateOverrides: { beta: overrides } }), "beta");
    expect(spec?.rules.map(({ conditions }) => conditions)).toEqual([[listed(["Ann", "bob"])], [listed(["ann"])], [listed(["ANN"])]]);
  });
});

describe("a segment", () => {
  test("of rules is a gate of its rules", () => {
    const ruleset = compileOnce({ segments: [buildSegment("staff", "rule_based", { rules: RULES.slice(1), version: 3 })] });
    expect(ruleset.feature_gates).toEqual([
      {
        name: "segment:staff",
        type: "feature_gate",
        salt: "staff",
        enabled: true,
        defaultValue: false,
        idType: "userID",
        entity: "segment",
        rules: [{ ...passing, id: "r2", name: "All", salt: "r2", passPercentage: 0, conditions: [] }],
        version: 3,
      },
    ]);
    expect(ruleset.id_lists).toEqual({});
  });

  test("of few ids contains them, and one of many references the list that SDKs download", () => {
    const few = buildSegment("few", "id_list", { idType: "stableID", count: 2 });
    const many = buildSegment("many", "user_store_id_list", { count: 2000 });
    const ruleset = compileOnce({ segments: [few, many, buildSegment("none", "id_list")], segmentIDs: { few: ["s1", "s2"] } });
    const rule = { ...passing, id: "id_list", name: "id_list", salt: "id_list" };
    expect(findSpec(ruleset, "segment:few")?.rules).toEqual([
      { ...rule, conditions: [listed(["s1", "s2"], "stableID")], idType: "stableID" },
    ]);
    expect(findSpec(ruleset, "segment:many")?.rules).toEqual([
      { ...rule, conditions: [condition("unit_id", { operator: "in_segment_list", targetValue: "many" })] },
    ]);
    expect(findSpec(ruleset, "segment:none")?.rules).toEqual([]);
    expect(ruleset.id_lists).toEqual({ many: true });
  });

  test("that is archived is left out, so it matches no users", () => {
    expect(compileOnce({ segments: [buildSegment("staff", "id_list", { isEnabled: false, count: 2000 })] }).feature_gates).toEqual([]);
  });
});
