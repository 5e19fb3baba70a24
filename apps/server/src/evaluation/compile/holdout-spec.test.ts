import { describe, expect, test } from "vitest";
import {
  compileOnce,
  condition,
  experimentOf,
  gateOf,
  holdoutOf,
  layerOf,
  NO_LISTS,
  ruleIDs,
  specOf,
} from "../../../test/support/evaluated-project.ts";

const passes = (id: string) => ({
  id: `rule_${id}`,
  baseID: `rule_${id}`,
  name: "r",
  passPercentage: 100,
  conditions: [{ type: "passes_gate" as const, targetValue: id }],
  environments: null,
});

describe("a holdout", () => {
  test("is a gate that held-out units pass: overrides, targeting, and the share, which is not part of its salt", () => {
    const holdout = holdoutOf("held", { passPercentage: 0.5, targetingGateID: "web", version: 4 });
    const overrides = { ...NO_LISTS, failingUserIDs: ["u1"] };
    const ruleset = compileOnce({ gates: [gateOf("web")], holdouts: [holdout], holdoutOverrides: { held: overrides } });
    const rule = { groupName: null, passPercentage: 0, returnValue: true, idType: "userID" };
    expect(specOf(ruleset, "held")).toEqual({
      name: "held",
      type: "feature_gate",
      salt: "held",
      enabled: true,
      defaultValue: false,
      idType: "userID",
      entity: "holdout",
      rules: [
        {
          ...rule,
          id: "fail:all:id_override",
          name: "fail:all:id_override",
          salt: "fail:all:id_override",
          conditions: [condition("unit_id", { operator: "any_case_sensitive", targetValue: ["u1"] })],
        },
        {
          ...rule,
          id: "targetingGate",
          name: "targetingGate",
          salt: "targetingGate",
          conditions: [condition("fail_gate", { targetValue: "web" })],
        },
        { ...rule, id: "held:0.50:1", name: "held:0.50:1", salt: "held", passPercentage: 0.5, conditions: [condition("public")] },
      ],
      version: 4,
    });
  });

  test("with the id of a gate has another name", () => {
    const ruleset = compileOnce({
      gates: [gateOf("beta", { holdoutIDs: ["beta"] })],
      holdouts: [holdoutOf("beta", { gateIDs: ["beta"] })],
    });
    expect(ruleset.feature_gates.map(({ name, entity }) => [name, entity])).toEqual([
      ["beta", "feature_gate"],
      ["holdout:beta", "holdout"],
    ]);
    expect(ruleIDs(specOf(ruleset, "beta"))).toEqual(["holdout:beta"]);
  });

  test("that is disabled holds nothing", () => {
    const ruleset = compileOnce({
      gates: [gateOf("beta", { holdoutIDs: ["held"] })],
      holdouts: [holdoutOf("held", { gateIDs: ["beta"], isEnabled: false, passPercentage: 10 })],
    });
    expect(specOf(ruleset, "beta")?.rules).toEqual([]);
    expect(specOf(ruleset, "held")).toMatchObject({ enabled: false, rules: [] });
  });

  test("that is global holds each gate, experiment and layer, in the order of the holdouts' ids", () => {
    const ruleset = compileOnce({
      gates: [gateOf("beta", { holdoutIDs: ["z"] })],
      experiments: [experimentOf("green")],
      layers: [layerOf("checkout")],
      holdouts: [holdoutOf("z", { gateIDs: ["beta"] }), holdoutOf("all", { isGlobal: true })],
    });
    expect(["beta", "green", "checkout"].map((name) => ruleIDs(specOf(ruleset, name)))).toEqual([
      ["all", "z"],
      ["all", "prestart"],
      ["all"],
    ]);
  });

  test("that is global does not hold what decides who is held out", () => {
    const ruleset = compileOnce({
      gates: [gateOf("web", { rules: [passes("eu")] }), gateOf("eu"), gateOf("beta")],
      holdouts: [
        holdoutOf("one", { isGlobal: true, targetingGateID: "web" }),
        holdoutOf("two", { isGlobal: true, targetingGateID: "beta" }),
      ],
    });
    expect(ruleIDs(specOf(ruleset, "web"))).toEqual(["rule_eu"]);
    expect(ruleIDs(specOf(ruleset, "eu"))).toEqual([]);
    expect(ruleIDs(specOf(ruleset, "beta"))).toEqual([]);
  });

  test("does not hold what it depends on through others, so that no evaluation is circular", () => {
    const ruleset = compileOnce({
      gates: [gateOf("a", { holdoutIDs: ["two"] }), gateOf("b", { holdoutIDs: ["one"] }), gateOf("c", { holdoutIDs: ["one", "two"] })],
      holdouts: [
        holdoutOf("one", { gateIDs: ["b", "c"], targetingGateID: "a" }),
        holdoutOf("two", { gateIDs: ["a", "c"], targetingGateID: "b" }),
      ],
    });
    expect(["a", "b", "c"].map((name) => ruleIDs(specOf(ruleset, name)))).toEqual([[], [], ["one", "two"]]);
  });
});
