import fc from "fast-check";
import { expect, test } from "vitest";
import { anyRules, ENVIRONMENTS } from "./arbitrary.ts";
import { copyEnvironment } from "./copy-environment.ts";
import { toDraft, toRules } from "./rule-draft.ts";
import { rulesIn } from "./rule-environments.ts";
import type { Rule } from "./types.ts";

const rule = (name: string, environments: string[] | null, more: Partial<Rule> = {}): Rule => ({
  ...{ id: name, baseID: name, name, passPercentage: 100, conditions: [], environments },
  ...more,
});

/** All that decides in an environment: the rules in their order, apart from the list of their environments. */
const decidingIn = (rules: readonly Rule[], environment: string) =>
  rulesIn(rules, environment).map(({ environments: _environments, ...deed }) => deed);

test("a copy says what happens to each rule of the target", () => {
  const staging = { conditions: [{ type: "environment_tier" as const, operator: "any" as const, targetValue: ["staging"] }] };
  const { draft, ...told } = copyEnvironment(
    toDraft([
      rule("Everywhere", null),
      rule("Staff", ["Staging"], { pendingAutomatedRollouts: [{ time: 1, passPercent: 50 }] }),
      rule("Shared", ["development", "Production"]),
      rule("Live", ["production"]),
      rule("Tier", ["staging", "production"], staging),
    ]),
    "staging",
    "production",
  );
  expect(told).toEqual({ added: ["Staff"], withdrawn: ["Shared"], deleted: ["Live"], conditional: ["Tier"] });
  expect(toRules(draft)).toEqual([
    rule("Everywhere", null),
    rule("Staff", ["Staging", "production"], { pendingAutomatedRollouts: [{ time: 1, passPercent: 50 }] }),
    rule("Shared", ["development"]),
    rule("Tier", ["staging", "production"], staging),
  ]);
});

test("after a copy, the target evaluates the rules of the source, and every other environment the same rules as before", () => {
  fc.assert(
    fc.property(anyRules({ stored: true }), (rules) => {
      const copied = toRules(copyEnvironment(toDraft(rules), "staging", "production").draft);
      expect(decidingIn(copied, "production")).toEqual(decidingIn(rules, "staging"));
      for (const other of ENVIRONMENTS.filter((name) => name !== "production"))
        expect(decidingIn(copied, other)).toEqual(decidingIn(rules, other));
    }),
  );
});
