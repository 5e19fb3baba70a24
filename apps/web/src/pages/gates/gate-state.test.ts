import { expect, test } from "vitest";
import { environmentState } from "./gate-state.ts";

const EVERYONE = [{ type: "public" as const }];
const STAFF = [{ type: "email" as const, operator: "str_contains_any" as const, targetValue: ["@example.com"] }];
const rule = (name: string, passPercentage: number, conditions: typeof EVERYONE | typeof STAFF, environments: string[] | null = null) => ({
  ...{ id: name, name, passPercentage, conditions, environments },
});
const state = (...rules: ReturnType<typeof rule>[]) => environmentState({ status: "In Progress", rules }, "production");

test.each([
  ["without rules no users pass", [], "No one"],
  ["a rule for everyone shows its share", [rule("All", 12.5, EVERYONE)], "12.5%"],
  ["a rule for everyone at 100% is everyone", [rule("All", 100, EVERYONE)], "Everyone"],
  ["one targeted rule shows its name", [rule("Staff", 100, STAFF)], "Staff"],
  [
    "targeted rules before the rest show both",
    [rule("Staff", 100, STAFF), rule("Beta", 5, STAFF), rule("All", 10, EVERYONE)],
    "2 rules + 10%",
  ],
  ["rules behind one for everyone are never reached", [rule("All", 10, EVERYONE), rule("Staff", 100, STAFF)], "10%"],
  ["rules of other environments do not count", [rule("All", 100, EVERYONE, ["staging"])], "No one"],
  ["an empty list of environments means all", [rule("All", 100, EVERYONE, [])], "Everyone"],
])("%s", (_title, rules, text) => {
  expect(state(...rules).text).toBe(text);
});

test("a rule that is switched off does not count", () => {
  expect(
    environmentState({ status: "In Progress", rules: [{ ...rule("All", 100, EVERYONE), isEnabled: false } as never] }, "staging").text,
  ).toBe("No one");
});

test.each([
  ["Disabled", "Off"],
  ["Archived", "Off"],
  ["Launched", "Everyone"],
] as const)("a gate that is %s shows %s, no matter how its rules are set", (status, text) => {
  expect(environmentState({ status, rules: [rule("All", 50, EVERYONE)] }, "production").text).toBe(text);
});
