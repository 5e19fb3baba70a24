import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createEvaluator, type Rule, type Spec } from "../src/index.ts";
import { asV2, condition, everyone, gate, rule, ruleset } from "./support/ruleset.ts";

const percentage = fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100);
const user = fc.record({
  userID: fc.string({ maxLength: 12 }),
  email: fc.constantFrom("a@example.com", "b@example.org", ""),
  custom: fc.record({ plan: fc.constantFrom("free", "pro") }),
});

const evaluate = (...gates: Spec[]) => createEvaluator(ruleset({ feature_gates: gates }));

describe("for every user", () => {
  test("raising a pass percentage never takes a gate away", () => {
    fc.assert(
      fc.property(user, percentage, percentage, (user, one, other) => {
        const [less, more] = [one, other]
          .toSorted((left, right) => left - right)
          .map((passPercentage) => gate("g", [rule("r", { passPercentage })]));
        const [before, after] = [less, more].map((spec) => evaluate(spec as Spec).gate("g", user).value);
        expect(before && !after).toBe(false);
      }),
    );
  });

  test("an experiment's bucket is the same in any ruleset", () => {
    const bucket = condition("user_bucket", { operator: "lt", targetValue: 500, additionalValues: { salt: "salt" } });
    const alone = evaluate(gate("g", [rule("r", { conditions: [bucket] })]));
    const among = evaluate(gate("other", [rule("all")]), gate("g", [rule("r", { conditions: [everyone, bucket] })]));
    fc.assert(
      fc.property(user, (user) => {
        expect(among.gate("g", user).value).toBe(alone.gate("g", user).value);
      }),
    );
  });

  test("evaluating all gates at once equals evaluating each alone, no matter which users were evaluated before", () => {
    const plans = Array.from({ length: 6 }, (_, index) => `plan_${index}`);
    const users = fc.array(
      fc.record({
        userID: fc.string({ maxLength: 4 }),
        custom: fc.record({ plan: fc.constantFrom(...plans), team: fc.constantFrom(...plans) }),
      }),
      { minLength: 2, maxLength: 60 },
    );
    const conditions = fc.oneof(
      fc.constant(everyone),
      fc
        .tuple(fc.constantFrom("plan", "team"), fc.subarray(plans))
        .map(([field, targetValue]) => condition("user_field", { field, operator: "any", targetValue })),
      fc.nat(1000).map((targetValue) => condition("user_bucket", { operator: "lt", targetValue, additionalValues: { salt: "salt" } })),
      fc.nat(9).map((index) => condition("pass_gate", { targetValue: `gate_${index}` })),
      fc.constant(condition("phase_of_moon")),
    );
    const rules = fc.array(fc.tuple(fc.array(conditions, { maxLength: 2 }), fc.constantFrom(0, 30, 100)), { maxLength: 4 });
    const specs = fc.array(rules, { minLength: 1, maxLength: 10 }).map((all) =>
      all.map((rules, index) =>
        gate(
          `gate_${index}`,
          rules.map(([conditions, passPercentage], place) => rule(`r${place}`, { conditions, passPercentage })),
        ),
      ),
    );
    fc.assert(
      fc.property(specs, users, (feature_gates, users) => {
        const evaluator = createEvaluator(ruleset({ feature_gates }));
        for (const user of users) {
          const all = evaluator.initialize(user, { hash: "none" }).feature_gates;
          expect(Object.keys(all)).toHaveLength(feature_gates.length);
          for (const { name = "" } of feature_gates) {
            const { value, ruleID, secondaryExposures } = evaluator.gate(name, user);
            expect(all[name]).toMatchObject({ value, rule_id: ruleID, secondary_exposures: secondaryExposures });
          }
        }
      }),
    );
  });

  test("both shapes of a ruleset, one gate asked for alone and all at once have the same answers", () => {
    const conditions = fc.oneof(
      fc.constant(everyone),
      fc.constantFrom("free", "pro").map((plan) => condition("user_field", { field: "plan", operator: "any", targetValue: [plan] })),
      fc
        .constantFrom(".com", ".org")
        .map((end) => condition("user_field", { field: "email", operator: "str_ends_with_any", targetValue: [end] })),
      fc.nat(5).map((index) => condition("pass_gate", { targetValue: `gate_${index}` })),
      fc.nat(5).map((index) => condition("fail_gate", { targetValue: `gate_${index}` })),
      fc.constant(condition("phase_of_moon")),
    );
    const rules = fc
      .array(fc.tuple(fc.array(conditions, { maxLength: 3 }), percentage, fc.boolean()), { maxLength: 4 })
      .map((parts) =>
        parts.map(
          ([conditions, passPercentage, returnValue], index): Rule => rule(`r${index}`, { conditions, passPercentage, returnValue }),
        ),
      );
    const specs = fc
      .array(fc.tuple(rules, fc.boolean(), fc.boolean()), { minLength: 1, maxLength: 6 })
      .map((parts) => parts.map(([rules, enabled, defaultValue], index) => gate(`gate_${index}`, rules, { enabled, defaultValue })));
    fc.assert(
      fc.property(specs, user, (feature_gates, user) => {
        const given = ruleset({ feature_gates });
        const [v1, v2] = [createEvaluator(given), createEvaluator(asV2(given))];
        const [all, allOfV2] = [v1.initialize(user, { hash: "none" }), v2.initialize(user, { hash: "none" })];
        expect(allOfV2).toEqual(all);
        for (const { name = "" } of feature_gates) {
          const { value, ruleID, secondaryExposures } = v1.gate(name, user);
          expect(v2.gate(name, user)).toEqual(v1.gate(name, user));
          expect(all.feature_gates[name]).toMatchObject({ value, rule_id: ruleID, secondary_exposures: secondaryExposures });
        }
      }),
    );
  });

  test("evaluating again gives the same answer, and changes neither the ruleset nor the user", () => {
    const given = ruleset({
      feature_gates: [gate("on", [rule("all")]), gate("g", [rule("r", { conditions: [condition("pass_gate", { targetValue: "on" })] })])],
    });
    const before = structuredClone(given);
    const evaluator = createEvaluator(given);
    fc.assert(
      fc.property(user, (user) => {
        const untouched = structuredClone(user);
        expect(evaluator.gate("g", user)).toEqual(evaluator.gate("g", user));
        evaluator.initialize(user, { hash: "djb2" });
        expect(user).toEqual(untouched);
      }),
    );
    expect(given).toEqual(before);
  });
});

describe("making specs ready", () => {
  /** Counts how often a spec's rules are read. */
  function counted(spec: Spec) {
    const reads = { count: 0 };
    const { rules } = spec;
    Object.defineProperty(spec, "rules", {
      get() {
        reads.count++;
        return rules;
      },
    });
    return reads;
  }

  test("waits until a spec is asked for, and is done once for all evaluators of rulesets that share it", () => {
    const shared = gate("shared", [rule("all")]);
    const unused = gate("unused", [rule("all")]);
    const [reads, unusedReads] = [counted(shared), counted(unused)];
    for (let version = 0; version < 3; version++) {
      const evaluator = evaluate(shared, unused, gate("changed", [rule(`version_${version}`)]));
      expect(evaluator.gate("shared", {}).value).toBe(true);
      expect(evaluator.gate("changed", {}).ruleID).toBe(`version_${version}`);
    }
    expect([reads.count, unusedReads.count]).toEqual([1, 0]);
  });

  test("shares one list among all answers without exposures, which cannot be changed", () => {
    const { gate: evaluate } = createEvaluator(ruleset({ feature_gates: [gate("g", [rule("all")])] }));
    const { secondaryExposures } = evaluate("g", {});
    expect(secondaryExposures).toBe(evaluate("nope", {}).secondaryExposures);
    expect(Object.isFrozen(secondaryExposures)).toBe(true);
  });
});
