import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createEvaluator, type Explanation, type Spec } from "../src/index.ts";
import { condition, config, everyone, gate, rule, ruleset } from "./support/ruleset.ts";

const isPro = condition("user_field", { field: "plan", operator: "any", targetValue: ["pro"] });
const fromOrg = condition("user_field", { field: "email", operator: "str_ends_with_any", targetValue: [".org"] });
const passes = (name: string) => condition("pass_gate", { targetValue: name });
const fails = (name: string) => condition("fail_gate", { targetValue: name });

const evaluator = (...gates: Spec[]) => createEvaluator(ruleset({ feature_gates: gates }));
const explained = ({ rules }: Explanation) =>
  rules.map(({ rule, passed, conditions }) => [rule.id, passed, ...conditions.map((one) => [one.passed, one.compared])]);

describe("explaining a gate", () => {
  test("tells each rule up to the one that decides, with the value that each condition compared", () => {
    const spec = gate("g", [
      rule("pro", { conditions: [isPro] }),
      rule("org", { conditions: [everyone, fromOrg] }),
      rule("never reached", { conditions: [everyone] }),
    ]);
    const explanation = evaluator(spec).explain.gate("g", { userID: "a", email: "a@example.org", custom: { plan: "free" } });
    expect(explained(explanation as Explanation)).toEqual([
      ["pro", false, [false, "free"]],
      ["org", true, [true, undefined], [true, "a@example.org"]],
    ]);
    expect(explanation?.decision).toMatchObject({ on: true, ruleID: "org" });
  });

  test("tells the unit's position in a pass percentage, which is the same at every percentage", () => {
    const positionAt = (passPercentage: number) => {
      const explanation = evaluator(gate("g", [rule("r", { passPercentage })])).explain.gate("g", { userID: "a" });
      return explanation?.rules.map(({ passed, position }) => [passed, position]);
    };
    const [[, position]] = positionAt(50) as [[boolean, number]];
    expect(position).toBeGreaterThanOrEqual(0);
    expect(position).toBeLessThan(100);
    for (const percentage of [0, position, position + 0.01, 100]) {
      expect(positionAt(percentage)).toEqual([[percentage > position, position]]);
    }
  });

  test("shows the values of gates that it depends on, for any expected values", () => {
    const spec = gate("g", [
      rule("off", { conditions: [fails("on")] }),
      rule("any", { conditions: [condition("multi_pass_gate", { targetValue: ["missing", "on"] })] }),
    ]);
    const explanation = evaluator(spec, gate("on", [rule("all")])).explain.gate("g", { userID: "a" });
    expect(explained(explanation as Explanation)).toEqual([
      ["off", false, [false, true]],
      ["any", true, [true, true]],
    ]);
  });

  test("ends at a rule that cannot be evaluated", () => {
    const spec = gate("g", [rule("odd", { conditions: [condition("phase_of_moon")] }), rule("all")]);
    const explanation = evaluator(spec).explain.gate("g", { userID: "a" });
    expect(explained(explanation as Explanation)).toEqual([["odd", false, [false, undefined]]]);
    expect(explanation?.decision).toMatchObject({ on: false, reason: "unsupported" });
  });

  test("is undefined for a gate that does not exist, and has no rules for one that is disabled", () => {
    const { explain } = evaluator(gate("off", [rule("all")], { enabled: false }));
    expect([explain.gate("absent", {}), explain.gate("off", {})]).toMatchObject([
      undefined,
      { decision: { on: false, reason: "disabled" }, rules: [] },
    ]);
  });

  test("agrees with the decision: the last rule decided, unless none matched", () => {
    const conditions = fc.oneof(
      fc.constantFrom(everyone, isPro, fromOrg),
      fc.nat(4).map((index) => passes(`gate_${index}`)),
      fc.nat(4).map((index) => fails(`gate_${index}`)),
    );
    const rules = fc.array(fc.tuple(fc.array(conditions, { maxLength: 3 }), fc.constantFrom(0, 30, 70, 100)), { maxLength: 4 });
    const user = fc.record({
      userID: fc.string({ maxLength: 5 }),
      email: fc.constantFrom("a@example.org", "b@example.com"),
      custom: fc.record({ plan: fc.constantFrom("free", "pro") }),
    });
    fc.assert(
      fc.property(fc.array(rules, { minLength: 1, maxLength: 5 }), user, (gates, user) => {
        const specs = gates.map((given, index) =>
          gate(
            `gate_${index}`,
            given.map(([conditions, passPercentage], place) => rule(`r${place}`, { conditions, passPercentage })),
          ),
        );
        const { explain, gate: evaluate } = evaluator(...specs);
        for (const { name = "" } of specs) {
          const { value, ruleID, reason } = evaluate(name, user);
          const { rules } = explain.gate(name, user) as Explanation;
          if (reason === "unsupported") continue;
          const last = rules.at(-1);
          const isMatch = last?.conditions.every(({ passed }) => passed) ?? false;
          expect([isMatch ? last?.rule.id : "default", isMatch ? last?.passed : false]).toEqual([ruleID, value]);
        }
      }),
    );
  });
});

test("explaining a layer and a config tells their rules", () => {
  const experiment = config("c", "experiment", [rule("pro", { conditions: [isPro], returnValue: { a: 1 } })]);
  const layer = config("l", "layer", [rule("to", { configDelegate: "c", returnValue: {} })]);
  const { explain } = createEvaluator(ruleset({ dynamic_configs: [experiment], layer_configs: [layer] }));
  const user = { custom: { plan: "pro" } };
  expect(explain.config("c", user)).toMatchObject({ decision: { value: { a: 1 } }, rules: [{ passed: true }] });
  expect(explain.layer("l", user)).toMatchObject({ decision: { value: { a: 1 }, delegate: { name: "c" } }, rules: [{ passed: true }] });
});
