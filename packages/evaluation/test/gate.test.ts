import { describe, expect, test } from "vitest";
import { createEvaluator, type Spec } from "../src/index.ts";
import { asV2, condition, everyone, gate, rule, ruleset } from "./support/ruleset.ts";

const user = { userID: "alice" };
const evaluate = (...gates: Spec[]) => createEvaluator(ruleset({ feature_gates: gates })).gate("g", user);
const nobody = condition("user_field", { field: "email", operator: "any", targetValue: ["nobody@example.com"] });
const answer = { groupName: null, secondaryExposures: [], reason: "recognised" };

describe("a gate", () => {
  test("has the value and the id of the first rule whose conditions all hold", () => {
    const rules = [rule("first", { conditions: [everyone, nobody] }), rule("second", { groupName: "Second" }), rule("third")];
    expect(evaluate(gate("g", rules))).toEqual({ ...answer, value: true, ruleID: "second", groupName: "Second" });
  });

  test("does not look at further rules where the unit fails the percentage of one that holds", () => {
    expect(evaluate(gate("g", [rule("none", { passPercentage: 0 }), rule("all")]))).toEqual({ ...answer, value: false, ruleID: "none" });
  });

  test("has its default value where no rule holds", () => {
    expect(evaluate(gate("g", [rule("first", { conditions: [nobody] })]))).toEqual({ ...answer, value: false, ruleID: "default" });
    expect(evaluate(gate("g", [], { defaultValue: true }))).toEqual({ ...answer, value: true, ruleID: "default" });
  });

  test("that is disabled has its default value, and says so", () => {
    expect(evaluate(gate("g", [rule("all")], { enabled: false }))).toEqual({
      ...answer,
      value: false,
      ruleID: "disabled",
      reason: "disabled",
    });
  });

  test("is on where a rule passes that returns anything but false", () => {
    expect(evaluate(gate("g", [rule("object", { returnValue: {} })])).value).toBe(true);
    expect(evaluate(gate("g", [rule("off", { returnValue: false })]))).toEqual({ ...answer, value: false, ruleID: "off" });
  });

  test("that does not exist is off, without a rule", () => {
    expect(evaluate()).toEqual({ ...answer, value: false, ruleID: "", reason: "not_found" });
    expect(createEvaluator(asV2(ruleset())).gate("constructor", user).reason).toBe("not_found");
  });

  test("is unsupported if a rule with unknown conditions comes before any rule that matches", () => {
    const unsupported = { ...answer, value: false, ruleID: "", reason: "unsupported" };
    const strange = rule("strange", { conditions: [nobody, condition("phase_of_moon", { operator: "any" })] });
    expect(evaluate(gate("g", [strange, rule("all")], { defaultValue: true }))).toEqual(unsupported);
    expect(evaluate(gate("g", [rule("all"), strange])).reason).toBe("recognised");
    const operator = condition("user_field", { field: "email", operator: "sounds_like", targetValue: "a" });
    expect(evaluate(gate("g", [rule("operator", { conditions: [operator] })]))).toEqual(unsupported);
  });

  test("is unsupported where the other shape lacks a condition that a rule names", () => {
    const v2 = { ...asV2(ruleset({ feature_gates: [gate("g", [rule("all")])] })), condition_map: {} };
    expect(createEvaluator(v2).gate("g", user).reason).toBe("unsupported");
  });

  test("needs no more of a ruleset than the smallest that SDKs accept", () => {
    const smallest = { time: 1, feature_gates: [{ name: "g", enabled: true, rules: [{ passPercentage: 100 }] }] };
    const { gate, config } = createEvaluator(JSON.parse(JSON.stringify(smallest)));
    expect(gate("g", user)).toEqual({ ...answer, value: true, ruleID: "" });
    expect(config("c", user).reason).toBe("not_found");
  });
});

describe("a rule's pass percentage", () => {
  const passing = (passPercentage: number, given: object = {}) => {
    const { gate: evaluate } = createEvaluator(ruleset({ feature_gates: [gate("g", [rule("r", { passPercentage, ...given })])] }));
    return Array.from({ length: 10_000 }, (_, index) => `user_${index}`).filter((userID) => evaluate("g", { userID }).value);
  };

  test("is the part of all units that pass", () => {
    expect(passing(0)).toHaveLength(0);
    expect(passing(100)).toHaveLength(10_000);
    expect(passing(10).length / 10_000).toBeCloseTo(0.1, 1);
    expect(passing(0.5).length / 10_000).toBeCloseTo(0.005, 2);
  });

  test("hashes the spec's salt, the rule's salt or else its id, and the unit's id", () => {
    expect(passing(50, { salt: "other" })).not.toEqual(passing(50));
    expect(passing(50, { salt: "r" })).toEqual(passing(50));
    expect(passing(50, { salt: "" })).not.toEqual(passing(50));
  });

  test("buckets a missing unit id as the empty one", () => {
    const { gate: evaluate } = createEvaluator(ruleset({ feature_gates: [gate("g", [rule("r", { passPercentage: 50 })])] }));
    expect(evaluate("g", {})).toEqual(evaluate("g", { userID: "" }));
    expect(evaluate("g", { userID: null })).toEqual(evaluate("g", { userID: "" }));
  });
});

describe("a gate that depends on others", () => {
  const depends = (type: string, targetValue: unknown) => rule("r", { conditions: [condition(type, { targetValue })] });
  const on = gate("on", [rule("all")]);
  const off = gate("off", []);
  const exposure = (name: string, gateValue: "true" | "false", ruleID: string) => ({ gate: name, gateValue, ruleID });

  test("passes where the other is on or, for fail_gate, off, and exposes it", () => {
    expect(evaluate(gate("g", [depends("pass_gate", "on")]), on)).toEqual({
      ...answer,
      value: true,
      ruleID: "r",
      secondaryExposures: [exposure("on", "true", "all")],
    });
    expect(evaluate(gate("g", [depends("fail_gate", "off")]), off)).toMatchObject({
      value: true,
      secondaryExposures: [exposure("off", "false", "default")],
    });
  });

  test("takes one that does not exist as off, and does not expose it", () => {
    expect(evaluate(gate("g", [depends("pass_gate", "nope")]))).toEqual({ ...answer, value: false, ruleID: "default" });
    expect(evaluate(gate("g", [depends("fail_gate", "nope")]))).toEqual({ ...answer, value: true, ruleID: "r" });
  });

  test("is unsupported where the other is", () => {
    const strange = gate("strange", [rule("r", { conditions: [condition("phase_of_moon")] })]);
    expect(evaluate(gate("g", [depends("fail_gate", "strange")]), strange).reason).toBe("unsupported");
  });

  test("exposes what a rule depends on even where another of its conditions failed, each once, and never a segment", () => {
    const segment = gate("segment:s", [depends("pass_gate", "on")], { entity: "segment" });
    const passGate = (targetValue: string) => condition("pass_gate", { targetValue });
    const first = rule("first", { conditions: [nobody, passGate("segment:s"), passGate("on"), passGate("off")] });
    const second = rule("second", { conditions: [passGate("on"), passGate("middle")] });
    const middle = gate("middle", [depends("pass_gate", "on")]);
    expect(evaluate(gate("g", [first, second]), segment, on, off, middle)).toEqual({
      ...answer,
      value: true,
      ruleID: "second",
      secondaryExposures: [exposure("on", "true", "all"), exposure("off", "false", "default"), exposure("middle", "true", "r")],
    });
  });

  test("passes multi_pass_gate where any is on, and multi_fail_gate where any is off", () => {
    expect(evaluate(gate("g", [depends("multi_pass_gate", ["off", "on"])]), on, off)).toMatchObject({
      value: true,
      secondaryExposures: [exposure("off", "false", "default"), exposure("on", "true", "all")],
    });
    expect(evaluate(gate("g", [depends("multi_fail_gate", ["on"])]), on).value).toBe(false);
    expect(evaluate(gate("g", [depends("multi_pass_gate", "on")]), on).reason).toBe("unsupported");
  });
});
