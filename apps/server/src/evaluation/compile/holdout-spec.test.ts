import { describe, expect, test } from "vitest";
import {
  buildExperiment,
  buildGate,
  buildHoldout,
  buildLayer,
  compileOnce,
  condition,
  findSpec,
  NO_LISTS,
  ruleIDs,
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
    const holdout = buildHoldout("held", { passPercentage: 0.5, targetingGateID: "web", version: 4 });
    const overrides = { ...NO_LISTS, failingUserIDs: ["u1"] };
    const ruleset = compileOnce({ gates: [buildGate("web")], holdouts: [holdout], holdoutOverrides: { held: overrides } });
    const rule = { groupName: null, passPercentage: 0, returnValue: true, idType: "userID" };
    expect(findSpec(ruleset, "held")).toEqual({
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
      gates: [buildGate("beta", { holdoutIDs: ["beta"] })],
      holdouts: [buildHoldout("beta", { gateIDs: ["beta"] })],
    });
    expect(ruleset.feature_gates.map(({ name, entity }) => [name, entity])).toEqual([
      ["beta", "feature_gate"],
      ["holdout:beta", "holdout"],
    ]);
    expect(ruleIDs(findSpec(ruleset, "beta"))).toEqual(["holdout:beta"]);
  });

  test("that is disabled holds nothing", () => {
    const ruleset = compileOnce({
      gates: [buildGate("beta", { holdoutIDs: ["held"] })],
      holdouts: [buildHoldout("held", { gateIDs: ["beta"], isEnabled: false, passPercentage: 10 })],
    });
    expect(findSpec(ruleset, "beta")?.rules).toEqual([]);
    expect(findSpec(ruleset, "held")).toMatchObject({ enabled: false, rules: [] });
  });

  test("that is global holds each gate, experiment and layer, in the order of the holdouts' ids", () => {
    const ruleset = compileOnce({
      gates: [buildGate("beta", { holdoutIDs: ["z"] })],
      experiments: [buildExperiment("green")],
      layers: [buildLayer("checkout")],
      holdouts: [buildHoldout("z", { gateIDs: ["beta"] }), buildHoldout("all", { isGlobal: true })],
    });
    expect(["beta", "green", "checkout"].map((name) => ruleIDs(findSpec(ruleset, name)))).toEqual([
      ["all", "z"],
      ["all", "prestart"],
      ["all"],
    ]);
  });

  test("that is global does not hold what decides who is held out", () => {
    const ruleset = compileOnce({
      gates: [buildGate("web", { rules: [passes("eu")] }), buildGate("eu"), buildGate("beta")],
      holdouts: [
        buildHoldout("one", { isGlobal: true, targetingGateID: "web" }),
        buildHoldout("two", { isGlobal: true, targetingGateID: "beta" }),
      ],
    });
    expect(ruleIDs(findSpec(ruleset, "web"))).toEqual(["rule_eu"]);
    expect(ruleIDs(findSpec(ruleset, "eu"))).toEqual([]);
    expect(ruleIDs(findSpec(ruleset, "beta"))).toEqual([]);
  });

  test("does not hold what it depends on through others, so that no evaluation is circular", () => {
    const ruleset = compileOnce({
      gates: [
        buildGate("a", { holdoutIDs: ["two"] }),
        buildGate("b", { holdoutIDs: ["one"] }),
        buildGate("c", { holdoutIDs: ["one", "two"] }),
      ],
      holdouts: [
        buildHoldout("one", { gateIDs: ["b", "c"], targetingGateID: "a" }),
        buildHoldout("two", { gateIDs: ["a", "c"], targetingGateID: "b" }),
      ],
    });
    expect(["a", "b", "c"].map((name) => ruleIDs(findSpec(ruleset, name)))).toEqual([[], [], ["one", "two"]]);
  });
});
