import { describe, expect, test } from "vitest";
import { importLaunchDarkly } from "../src/import/launchdarkly.ts";

const clause = (attribute: string, op: string, values: unknown[], more = {}) => ({ attribute, op, values, ...more });
const rule = (variation: number, ...clauses: object[]) => ({ clauses, variation });
const [ON, OFF] = [0, 1];
const flag = (key: string, production: object, more = {}) => ({
  ...{ key, kind: "boolean", variations: [{ value: true }, { value: false }], ...more },
  environments: { production: { on: true, offVariation: OFF, fallthrough: { variation: OFF }, ...production } },
});

type Rule = { name: string; passPercentage: number; conditions: object[] };

/** The rules of the first flag, and the notes. */
function imported(...items: object[]) {
  const { configuration, notes } = importLaunchDarkly({ items });
  const { gates = [], dynamicConfigs = [] } = configuration as { gates?: { rules: Rule[] }[]; dynamicConfigs?: { rules: Rule[] }[] };
  const [{ rules }] = [...gates, ...dynamicConfigs] as [{ rules: Rule[] }];
  return { rules: rules.map(({ name, passPercentage }) => [name, passPercentage]), conditions: rules.map((one) => one.conditions), notes };
}

const BETA = clause("plan", "in", ["beta"]);
const AFTER = "The rules after it were left out too, because they would match its users.";

describe("a rule of a LaunchDarkly flag", () => {
  test.each<[string, object, string]>([
    ["a negated operator", clause("plan", "contains", ["x"], { negate: true }), `"plan not contains" cannot be expressed exactly`],
    ["an unknown operator", clause("plan", "near", ["x"]), `"plan near" cannot be expressed exactly`],
    ["a version", clause("app", "semVerEqual", ["1.2.3"]), `"app semVerEqual" cannot be expressed exactly`],
    ["a number", clause("level", "in", [1]), `"level in" has a value that is not a text, or is empty`],
    ["no values", clause("plan", "in", [], { negate: true }), `"plan not in" cannot be expressed exactly`],
    ["another kind of context", clause("plan", "in", ["x"], { contextKind: "firm" }), `"firm:plan in" cannot be expressed exactly`],
    ["an address", clause("ip", "in", ["::1"]), `"ip in" tests an attribute that Gatehouse does not read in the same way`],
    ["one of several segments", clause("", "segmentMatch", ["a", "b"]), `"segmentMatch" cannot be expressed exactly`],
  ])("is left out with its reason if it tests %s", (_, tested, reason) => {
    const { rules, notes } = imported(flag("beta", { rules: [rule(ON, tested, BETA), rule(ON, BETA)] }));
    expect(rules).toEqual([
      ["Rule", 100],
      ["Everyone else", 0],
    ]);
    expect(notes[0]).toEqual({ flag: "beta", message: `has a rule in production that was left out: ${reason}.` });
  });

  test("matches texts in the same case, and no users without the attribute if it is negated", () => {
    const { conditions } = imported(
      flag("beta", { rules: [rule(ON, clause("email", "endsWith", ["@A.example"])), rule(ON, { ...BETA, negate: true })] }),
    );
    expect(conditions.slice(0, 2)).toEqual([
      [{ type: "email", operator: "str_matches", targetValue: "(?:@A\\.example)$" }],
      [
        { type: "custom_field", field: "plan", operator: "is_not_null" },
        { type: "custom_field", field: "plan", operator: "none_case_sensitive", targetValue: ["beta"] },
      ],
    ]);
  });

  test("that is left out takes the rules after it along if they would turn the flag on for its users", () => {
    const out = rule(OFF, clause("born", "before", ["2000-01-01"]));
    const { rules, notes } = imported(flag("beta", { rules: [rule(ON, BETA), out, rule(ON, BETA)], fallthrough: { variation: ON } }));
    expect(rules).toEqual([["Rule", 100]]);
    const message = `has a rule in production that was left out: "born before" cannot be expressed exactly. ${AFTER}`;
    expect(notes).toEqual([{ flag: "beta", message }]);
  });

  test("that is left out takes no rules along that give its users the value that they had", () => {
    const variations = [{ value: "a" }, { value: "b" }, { value: "c" }];
    const theme = (...rules: object[]) => flag("theme", { rules, fallthrough: { variation: 2 } }, { kind: "multivariate", variations });
    const left = (variation: number) => rule(variation, clause("born", "before", ["2000-01-01"]));
    expect(imported(theme(left(2))).rules).toEqual([["Everyone else", 100]]);
    expect(imported(theme(left(0))).rules).toEqual([]);
  });

  test("for targets of another kind counts as left out, and keys that differ only in case are all targeted", () => {
    const contextTargets = [{ contextKind: "firm", values: ["acme"], variation: OFF }];
    const { rules, notes } = imported(
      flag("beta", { targets: [{ values: ["Ann", "ann", "bob"], variation: ON }], contextTargets, fallthrough: { variation: ON } }),
    );
    expect(rules).toEqual([
      ["Targets of variation 0 1", 100],
      ["Targets of variation 0 2", 100],
    ]);
    const message = `has a rule in production that was left out: targets of the kind firm cannot be expressed. ${AFTER}`;
    expect(notes).toEqual([{ flag: "beta", message }]);
  });

  test("needs the flag's prerequisites, and is left out if one of them cannot be expressed", () => {
    const needing = (variation: number) =>
      flag("beta", { rules: [rule(ON, BETA)], fallthrough: { variation: ON }, prerequisites: [{ key: "pay/ments", variation }] });
    const payments = flag("pay/ments", { fallthrough: { variation: ON } });
    const needed = { type: "passes_gate", targetValue: "pay_ments" };
    expect(imported(needing(ON), payments).conditions).toEqual([[needed, expect.objectContaining({ field: "plan" })], [needed]]);
    const message = "has no rules in production, because its prerequisite pay/ments cannot be expressed.";
    for (const items of [[needing(OFF), payments], [needing(ON)]]) {
      const { rules, notes } = imported(...items);
      expect([rules, notes[0]]).toEqual([[], { flag: "beta", message }]);
    }
  });

  test("never passes more users than its rollout, and reports what it is divided by", () => {
    const rollout = { contextKind: "firm", bucketBy: "group", variations: [{ variation: ON, weight: 33_338 }] };
    const { rules, notes } = imported(flag("beta", { fallthrough: { rollout } }));
    expect(rules).toEqual([["Everyone else", 33.33]]);
    expect(notes.map(({ message }) => message)).toEqual([
      "has a percentage rollout. Gatehouse divides users again, so some users get another value.",
      "divides users by group. Set the unit ID type.",
      "divides contexts of the kind firm. Set the unit ID type.",
    ]);
  });
});
