import { describe, expect, test } from "vitest";
import { createEvaluator, type RulesetV1 } from "../src/index.ts";
import { condition, config, gate, rule, ruleset } from "./support/ruleset.ts";

const user = { userID: "alice" };
const passes = (name: string) => condition("pass_gate", { targetValue: name });
const dependent = (name: string, ...on: string[]) => gate(name, [rule("r", { conditions: on.map(passes) })]);

/** gate_0 depends on none, each other one on the one before. */
function chain(length: number): RulesetV1 {
  const rest = Array.from({ length }, (_, index) => dependent(`gate_${index + 1}`, `gate_${index}`));
  return ruleset({ feature_gates: [gate("gate_0", [rule("all")]), ...rest] });
}

describe("a chain of gates", () => {
  test("of 50 below the one that is asked for is evaluated", () => {
    const answer = createEvaluator(chain(50)).gate("gate_50", user);
    expect(answer).toMatchObject({ value: true, reason: "recognised" });
    expect(answer.secondaryExposures).toHaveLength(50);
  });

  test("that is longer is unsupported and off", () => {
    const { gate } = createEvaluator(chain(100_000));
    for (const name of ["gate_51", "gate_100000"]) {
      expect(gate(name, user)).toEqual({ value: false, ruleID: "", groupName: null, secondaryExposures: [], reason: "unsupported" });
    }
  });

  test("has the same answers in an initialize response, for any order of the gates", () => {
    const { feature_gates, ...rest } = chain(60);
    for (const gates of [feature_gates, feature_gates.toReversed()]) {
      const evaluator = createEvaluator({ ...rest, feature_gates: gates });
      const response = evaluator.initialize(user, { hash: "none" });
      for (const { name = "" } of gates) {
        const { value, ruleID } = evaluator.gate(name, user);
        expect(response.feature_gates[name]).toMatchObject({ value, rule_id: ruleID });
        expect(value).toBe(Number(name.slice("gate_".length)) <= 50);
      }
    }
  });

  test("that branches at each step costs no more than one that does not", () => {
    const gates = Array.from({ length: 50 }, (_, index) => dependent(`gate_${index + 1}`, `gate_${index}`, `gate_${index}`));
    const evaluator = createEvaluator(ruleset({ feature_gates: [gate("gate_0", [rule("all")]), ...gates] }));
    expect(evaluator.gate("gate_50", user).value).toBe(true);
  });
});

describe("a cycle", () => {
  const unsupported = { value: false, ruleID: "", groupName: null, secondaryExposures: [], reason: "unsupported" };

  test("of gates is unsupported for each gate of it and each that leads there, and for no other", () => {
    const gates = [dependent("a", "b"), dependent("b", "c"), dependent("c", "a"), dependent("self", "self"), dependent("outside", "a")];
    const evaluator = createEvaluator(ruleset({ feature_gates: [...gates, gate("free", [rule("all")])] }));
    for (const name of ["a", "b", "c", "self", "outside"]) expect(evaluator.gate(name, user)).toEqual(unsupported);
    expect(evaluator.gate("free", user).value).toBe(true);
  });

  test("that no rule reaches does no harm", () => {
    const evaluator = createEvaluator(ruleset({ feature_gates: [gate("a", [rule("all"), rule("r", { conditions: [passes("a")] })])] }));
    expect(evaluator.gate("a", user)).toMatchObject({ value: true, ruleID: "all" });
  });

  test("that branches ends at once", () => {
    const gates = [dependent("a", "b", "b"), dependent("b", "a", "a")];
    expect(createEvaluator(ruleset({ feature_gates: gates })).gate("a", user)).toEqual(unsupported);
  });

  test("of experiments that decide for each other, and of experiments that ask for each other's group, is unsupported", () => {
    const delegating = (name: string, to: string) => config(name, "experiment", [rule("r", { configDelegate: to })]);
    const asking = (name: string, about: string) => {
      const group = condition("experiment_group", { field: about, operator: "any", targetValue: ["Test"] });
      return config(name, "experiment", [rule("r", { conditions: [group] })]);
    };
    const dynamic_configs = [delegating("a", "b"), delegating("b", "a"), asking("c", "d"), asking("d", "c")];
    const layer_configs = [config("l", "layer", [rule("r", { configDelegate: "a" })])];
    const evaluator = createEvaluator(ruleset({ dynamic_configs, layer_configs }));
    for (const name of ["a", "c"]) expect(evaluator.config(name, user)).toMatchObject({ value: {}, ruleID: "", reason: "unsupported" });
    expect(evaluator.layer("l", user)).toMatchObject({ value: {}, ruleID: "", reason: "unsupported" });
  });
});
