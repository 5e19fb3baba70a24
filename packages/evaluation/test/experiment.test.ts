import { describe, expect, test } from "vitest";
import { createEvaluator, type Rule, type Spec } from "../src/index.ts";
import { asV2, condition, config, gate, rule, ruleset } from "./support/ruleset.ts";

const user = { userID: "alice" };
const group = (id: string, returnValue: object, given: Partial<Rule> = {}) =>
  rule(id, { groupName: id.toUpperCase(), returnValue, isExperimentGroup: true, ...given });
const both = (given: Parameters<typeof ruleset>[0]) => [ruleset(given), asV2(ruleset(given))].map((shape) => createEvaluator(shape));

describe("a config", () => {
  const evaluate = (spec: Spec) => createEvaluator(ruleset({ dynamic_configs: [spec] })).config("c", user);
  const answer = { groupName: null, isUserInExperiment: false, isExperimentActive: false, secondaryExposures: [], reason: "recognised" };

  test("has the value of the rule that decides, or its default value", () => {
    const rules = [rule("blue", { returnValue: { colour: "blue" }, groupName: "Blue" })];
    expect(evaluate(config("c", "dynamic_config", rules))).toEqual({
      ...answer,
      value: { colour: "blue" },
      ruleID: "blue",
      groupName: "Blue",
    });
    const none = [rule("blue", { returnValue: { colour: "blue" }, passPercentage: 0 })];
    expect(evaluate(config("c", "dynamic_config", none, { defaultValue: { colour: "red" } }))).toEqual({
      ...answer,
      value: { colour: "red" },
      ruleID: "blue",
    });
  });

  test("says whether an experiment runs and whether the user is in one of its groups", () => {
    const running = config("c", "experiment", [group("test", { size: 2 })], { isActive: true });
    expect(evaluate(running)).toEqual({
      ...answer,
      value: { size: 2 },
      ruleID: "test",
      groupName: "TEST",
      isUserInExperiment: true,
      isExperimentActive: true,
    });
    expect(evaluate({ ...running, isActive: false }).isExperimentActive).toBe(false);
  });

  test("has an empty object as its value where it has none, is unsupported or does not exist", () => {
    expect(evaluate(config("c", "dynamic_config", [rule("r", { returnValue: ["no", "object"] })]))).toMatchObject({
      value: {},
      ruleID: "r",
    });
    const strange = config("c", "dynamic_config", [rule("r", { conditions: [condition("phase_of_moon")] })], { defaultValue: { a: 1 } });
    expect(evaluate(strange)).toEqual({ ...answer, value: {}, ruleID: "", reason: "unsupported" });
    expect(evaluate(config("other", "dynamic_config", []))).toEqual({ ...answer, value: {}, ruleID: "", reason: "not_found" });
  });

  test("keeps numbers of every size as they are", () => {
    const defaultValue = { large: 1e60, exact: 9_999_999_999, fraction: 0.9999999999999991 };
    expect(evaluate(config("c", "dynamic_config", [], { defaultValue })).value).toEqual(defaultValue);
  });
});

describe("a layer", () => {
  const holdout = gate("holdout", [rule("held", { passPercentage: 0 })], { entity: "holdout" });
  const targeting = gate("targeting", [rule("all")]);
  const passGate = (targetValue: string) => condition("pass_gate", { targetValue });
  const experiment = config(
    "e",
    "experiment",
    [
      rule("holdout", { conditions: [passGate("holdout")] }),
      group("test", { colour: "red", size: 2 }, { conditions: [passGate("targeting")] }),
    ],
    { isActive: true, explicitParameters: ["colour"], hasSharedParams: true },
  );
  const layer = (rules: Rule[]) => config("l", "layer", rules, { defaultValue: { colour: "blue", size: 1 }, explicitParameters: ["size"] });
  const given = (...rules: Rule[]) => ({
    feature_gates: [holdout, targeting],
    dynamic_configs: [experiment],
    layer_configs: [layer(rules)],
  });
  const exposed = [
    { gate: "holdout", gateValue: "false", ruleID: "held" },
    { gate: "targeting", gateValue: "true", ruleID: "all" },
  ];

  test("answers as the experiment that a rule hands the user to, in both shapes", () => {
    const assignment = rule("assignment", { conditions: [passGate("targeting")], configDelegate: "e", passPercentage: 0 });
    for (const evaluator of both(given(assignment))) {
      expect(evaluator.layer("l", user)).toEqual({
        value: { colour: "red", size: 2 },
        ruleID: "test",
        groupName: "TEST",
        allocatedExperiment: "e",
        explicitParameters: ["colour"],
        secondaryExposures: exposed.toReversed(),
        undelegatedSecondaryExposures: [exposed[1]],
        reason: "recognised",
      });
    }
  });

  test("decides by itself where no experiment does, or where that does not exist", () => {
    const own = {
      ruleID: "mine",
      value: { colour: "green" },
      groupName: null,
      allocatedExperiment: "",
      explicitParameters: ["size"],
      secondaryExposures: [],
      undelegatedSecondaryExposures: [],
      reason: "recognised",
    };
    for (const configDelegate of [null, "", "nope"]) {
      const evaluator = createEvaluator(ruleset(given(rule("mine", { returnValue: { colour: "green" }, configDelegate }))));
      expect(evaluator.layer("l", user)).toEqual(own);
    }
    const byDefault = { ...own, ruleID: "default", value: { colour: "blue", size: 1 } };
    expect(createEvaluator(ruleset(given())).layer("l", user)).toEqual(byDefault);
  });

  test("names the experiment that decided also where that is unsupported", () => {
    const strange = { ...experiment, rules: [rule("r", { conditions: [condition("phase_of_moon")] })] };
    const { layer } = createEvaluator(ruleset({ ...given(rule("a", { configDelegate: "e" })), dynamic_configs: [strange] }));
    expect(layer("l", user)).toMatchObject({ value: {}, ruleID: "", allocatedExperiment: "e", reason: "unsupported" });
  });

  test("that does not exist has no value", () => {
    expect(createEvaluator(ruleset()).layer("l", user)).toEqual({
      value: {},
      ruleID: "",
      groupName: null,
      allocatedExperiment: "",
      explicitParameters: [],
      secondaryExposures: [],
      undelegatedSecondaryExposures: [],
      reason: "not_found",
    });
  });
});

describe("a condition on an experiment's group", () => {
  const inGroup = (targetValue: string[]) => condition("experiment_group", { field: "e", operator: "any", targetValue });
  const experiment = config("e", "experiment", [group("test", {})], { isActive: true });
  const value = (targetValue: string[]) =>
    createEvaluator(
      ruleset({ feature_gates: [gate("g", [rule("r", { conditions: [inGroup(targetValue)] })])], dynamic_configs: [experiment] }),
    ).gate("g", user).value;

  test("compares the name of the group that the user is in", () => {
    expect(value(["Test"])).toBe(true);
    expect(value(["Control"])).toBe(false);
  });
});

describe("a param store", () => {
  const parameters = {
    fixed: { ref_type: "static", param_type: "array", value: [1] },
    switch: { ref_type: "gate", param_type: "string", gate_name: "on", pass_value: "yes", fail_value: "no" },
    missing: { ref_type: "gate", param_type: "string", gate_name: "nope", pass_value: "yes", fail_value: "no" },
    colour: { ref_type: "dynamic_config", param_type: "string", config_name: "c", param_name: "colour" },
    size: { ref_type: "experiment", param_type: "number", experiment_name: "e", param_name: "size" },
    layered: { ref_type: "layer", param_type: "number", layer_name: "l", param_name: "size" },
    absent: { ref_type: "layer", param_type: "number", layer_name: "l", param_name: "toString" },
  } as const;

  test("has the value of what each parameter refers to, and leaves out those that have none", () => {
    for (const evaluator of both({
      feature_gates: [gate("on", [rule("all")])],
      dynamic_configs: [
        config("c", "dynamic_config", [], { defaultValue: { colour: "red" } }),
        config("e", "experiment", [group("test", { size: 2 })]),
      ],
      layer_configs: [config("l", "layer", [rule("r", { configDelegate: "e" })])],
      param_stores: { p: { parameters } },
    })) {
      expect(evaluator.paramStore("p", user)).toEqual({
        value: { fixed: [1], switch: "yes", missing: "no", colour: "red", size: 2, layered: 2 },
        isStatic: false,
        reason: "recognised",
      });
      expect(evaluator.paramStore("nope", user)).toEqual({ value: {}, isStatic: false, reason: "not_found" });
    }
  });

  test("can have a parameter of any name", () => {
    const names = ["__proto__", "constructor", "toString"];
    const odd = Object.fromEntries(names.map((name) => [name, { ref_type: "static", param_type: "object", value: { name } } as const]));
    for (const evaluator of both({ param_stores: { p: { parameters: odd } } })) {
      expect(Object.entries(evaluator.paramStore("p", user).value)).toEqual(names.map((name) => [name, { name }]));
    }
  });
});
