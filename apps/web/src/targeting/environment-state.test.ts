import { expect, test } from "vitest";
import { environmentState } from "./environment-state.ts";
import type { DraftRule } from "./rule-draft.ts";
import type { Rule } from "./types.ts";

const EVERYONE = [{ type: "public" as const }];
const STAFF = [{ type: "email" as const, operator: "str_contains_any" as const, targetValue: ["@example.com"] }];
const rule = (name: string, passPercentage: number, conditions: Rule["conditions"], environments: string[] | null = null): Rule => ({
  ...{ id: name, name, passPercentage, conditions, environments },
});
const GATE = { status: "In Progress", isEnabled: true };
const state = (...rules: DraftRule[]) => environmentState({ ...GATE, rules }, "production");

test.each([
  ["without rules no users pass", [], "No one"],
  ["a rule for everyone shows its share", [rule("All", 12.5, EVERYONE)], "12.5%"],
  ["a rule for everyone at 100% is everyone", [rule("All", 100, EVERYONE)], "Everyone"],
  ["one targeted rule shows its name", [rule("Staff", 100, STAFF)], "Staff"],
  ["one targeted rule for a share of its users shows the share", [rule("Staff", 5, STAFF)], "5% of Staff"],
  ["shares stay apart from names", [rule("Staff", 5, STAFF), rule("All", 10, EVERYONE)], "5% of Staff, 10% of others"],
  [
    "targeted rules before the rest show both",
    [rule("Staff", 100, STAFF), rule("Beta", 5, STAFF), rule("All", 10, EVERYONE)],
    "Some users (2 rules: 100%, 5%), 10% of others",
  ],
  ["targeted rules with one share show it", [rule("Staff", 60, STAFF), rule("Beta", 60, STAFF)], "Some users (2 rules: 60% each)"],
  ["targeted rules that pass all their users need no share", [rule("Staff", 100, STAFF), rule("Beta", 100, STAFF)], "Some users (2 rules)"],
  [
    "a rule for everyone after a targeted one is for everyone else",
    [rule("Staff", 5, STAFF), rule("All", 100, EVERYONE)],
    "5% of Staff, everyone else",
  ],
  ["a new rule without an audience is for no one yet", [{ ...rule("New rule", 100, []), needsAudience: true as const }], "No one"],
  ["rules behind one for everyone are never reached", [rule("All", 10, EVERYONE), rule("Staff", 100, STAFF)], "10%"],
  ["rules of other environments do not count", [rule("All", 100, EVERYONE, ["staging"])], "No one"],
  ["an empty list of environments means all", [rule("All", 100, EVERYONE, [])], "Everyone"],
])("%s", (_title, rules, text) => {
  expect(state(...rules).text).toBe(text);
});

test("a rule that is switched off does not count", () => {
  expect(state({ ...rule("All", 100, EVERYONE), isEnabled: false }).text).toBe("No one");
});

test.each([
  ["disabled", { status: "Disabled", isEnabled: false }, "Off"],
  ["archived", { status: "Archived" }, "Off"],
  ["off in this environment", { disabledEnvironments: ["production"] }, "Off"],
  ["launched, but off in this environment", { status: "Launched", disabledEnvironments: ["production"] }, "Off"],
  ["launched, and off in another environment", { status: "Launched", disabledEnvironments: ["staging"] }, "Everyone"],
])("a gate that is %s ignores its rules", (_title, given, text) => {
  expect(environmentState({ ...GATE, ...given, rules: [rule("All", 50, EVERYONE)] }, "production").text).toBe(text);
});
