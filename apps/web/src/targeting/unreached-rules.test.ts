import { expect, test } from "vitest";
import type { DraftRule } from "./rule-draft.ts";
import { unreachedRules, unreachedText } from "./unreached-rules.ts";

const STAFF = [{ type: "email" as const, operator: "any" as const, targetValue: ["ada@example.com"] }];
const rule = (given: Partial<DraftRule> = {}): DraftRule => ({
  name: "Rule",
  passPercentage: 10,
  conditions: [],
  environments: null,
  ...given,
});
const staff = (environments: string[] | null = null) => rule({ conditions: STAFF, environments });

test.each([
  ["behind a rule for everyone, at any percentage", [rule({ passPercentage: 0 }), staff(), staff(["staging"])], { 1: [0], 2: [0] }],
  ["behind a rule for everyone that names its audience", [rule({ conditions: [{ type: "public" }] }), staff()], { 1: [0] }],
  ["in the environments of a rule for everyone", [rule({ environments: ["staging"] }), staff(["Staging"]), staff()], { 1: [0] }],
  [
    "where several rules for everyone cover its environments",
    [rule({ environments: ["staging"] }), rule({ environments: ["production"] }), staff(["production", "staging"])],
    { 2: [0, 1] },
  ],
])("a rule is not reached %s", (_title, rules, unreached) => {
  expect(Object.fromEntries(unreachedRules(rules))).toEqual(unreached);
});

test.each([
  ["behind a rule with conditions", [staff(), rule()]],
  ["behind a rule that is switched off", [rule({ isEnabled: false }), staff()]],
  ["behind a new rule without an audience", [rule({ needsAudience: true }), staff()]],
  ["in an environment without a rule for everyone", [rule({ environments: ["staging"] }), staff(["staging", "production"])]],
])("a rule is reached %s", (_title, rules) => {
  expect(unreachedRules(rules).size).toBe(0);
});

test("the text numbers the rules as the page does", () => {
  expect(unreachedText([0])).toBe("Never reached: rule 1 matches everyone.");
  expect(unreachedText([0, 1])).toBe("Never reached: rules 1 and 2 match everyone.");
});
