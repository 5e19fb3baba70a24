import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyRules, ENVIRONMENTS } from "./arbitrary.ts";
import type { Flag } from "./entity-changes.ts";
import { environmentsInWords, environmentsTouched } from "./environments-touched.ts";
import { toDraft, toRules } from "./rule-draft.ts";
import { copyToEnvironments } from "./rule-environments.ts";
import type { OverrideLists, Rule } from "./types.ts";

const rule = (name: string, environments: string[] | null, more: Partial<Rule> = {}): Rule => ({
  id: name,
  baseID: name,
  name,
  passPercentage: 10,
  conditions: [],
  environments,
  ...more,
});
const staging = rule("S", ["Staging"]);
const everywhere = rule("E", null);
const gate = (rules: Rule[], more: Partial<Flag> = {}): Flag => ({ rules, isEnabled: true, status: "In Progress", ...more });
const touched = (before: Flag, after: Flag) => environmentsTouched({ flag: before }, { flag: after }, ENVIRONMENTS);
const NO_OVERRIDES: OverrideLists = {
  passingUserIDs: [],
  failingUserIDs: [],
  passingCustomIDs: [],
  failingCustomIDs: [],
  environmentOverrides: [],
  version: 0,
  createdTime: 0,
};

describe("environmentsTouched", () => {
  const ALL = ENVIRONMENTS;

  test.each<[string, Flag, Flag, string[]]>([
    ["a rule for one environment changes", gate([staging, everywhere]), gate([{ ...staging, passPercentage: 5 }, everywhere]), ["staging"]],
    ["a rule for all changes", gate([everywhere]), gate([{ ...everywhere, passPercentage: 5 }]), ALL],
    ["a rule is shared with another environment", gate([staging]), gate([rule("S", ["staging", "production"])]), ["production"]],
    ["all environments are listed in place of null", gate([everywhere]), gate([rule("E", ALL)]), []],
    [
      "rules change places that no environment has both of",
      gate([staging, rule("P", ["production"])]),
      gate([rule("P", ["production"]), staging]),
      [],
    ],
    ["rules change places", gate([staging, everywhere]), gate([everywhere, staging]), ["staging"]],
    ["names, descriptions, and tags change", gate([staging]), gate([{ ...staging, name: "T" }], { description: "x", tags: ["a"] }), []],
    ["a rule is switched off", gate([staging, everywhere]), gate([{ ...staging, isEnabled: false }, everywhere]), ["staging"]],
    [
      "a rule that is off changes",
      gate([{ ...staging, isEnabled: false }]),
      gate([{ ...staging, isEnabled: false, passPercentage: 1 }]),
      [],
    ],
    [
      "a rollout is scheduled",
      gate([staging]),
      gate([{ ...staging, pendingAutomatedRollouts: [{ time: 1, passPercent: 2 }] }]),
      ["staging"],
    ],
    ["units are divided again", gate([staging]), gate([{ ...staging, baseID: "other" }]), ["staging"]],
    ["the gate is switched off", gate([staging]), gate([staging], { isEnabled: false, status: "Disabled" }), ["staging"]],
    ["the gate is off in one environment", gate([everywhere]), gate([everywhere], { disabledEnvironments: ["staging"] }), ["staging"]],
    ["the gate is launched", gate([staging]), gate([staging], { status: "Launched" }), ALL],
    ["a gate that is off changes", gate([staging], { isEnabled: false }), gate([everywhere], { isEnabled: false }), []],
    ["an archived gate changes", gate([staging], { status: "Archived" }), gate([everywhere], { status: "Archived" }), []],
    ["units of another type are divided", gate([staging]), gate([staging], { idType: "companyID" }), ["staging"]],
    ["a holdout holds the gate", gate([staging]), gate([staging], { holdoutIDs: ["h"] }), ["staging"]],
    ["the default value changes", gate([], { defaultValue: { a: 1 } }), gate([], { defaultValue: { a: 2 } }), ALL],
    [
      "the default value changes while the config is off",
      gate([], { isEnabled: false }),
      gate([], { isEnabled: false, defaultValue: {} }),
      ALL,
    ],
    ["other apps get it", gate([]), gate([], { targetApps: ["web"] }), ALL],
  ])("%s", (_, before, after, expected) => {
    expect(touched(before, after)).toEqual(expected);
    expect(touched(after, before)).toEqual(expected);
  });

  test.each<[string, Partial<OverrideLists>, string[]]>([
    ["ids of one environment", { environmentOverrides: [{ environment: "Staging", passingIDs: ["a"], failingIDs: [] }] }, ["staging"]],
    ["ids of all environments", { failingUserIDs: ["a"] }, ALL],
  ])("overrides: %s", (_, given, expected) => {
    const flag = gate([everywhere]);
    const after = { ...NO_OVERRIDES, ...given };
    expect(environmentsTouched({ flag, overrides: NO_OVERRIDES }, { flag, overrides: after }, ENVIRONMENTS)).toEqual(expected);
    expect(environmentsTouched({ flag }, { flag, overrides: NO_OVERRIDES }, ENVIRONMENTS)).toEqual([]);
    const off = gate([everywhere], { isEnabled: false });
    expect(environmentsTouched({ flag: off, overrides: NO_OVERRIDES }, { flag: off, overrides: after }, ENVIRONMENTS)).toEqual([]);
  });

  test("a creation and a deletion touch every environment", () => {
    expect(environmentsTouched(null, { flag: gate([]) }, ENVIRONMENTS)).toEqual(ENVIRONMENTS);
    expect(environmentsTouched({ flag: gate([]) }, null, ENVIRONMENTS)).toEqual(ENVIRONMENTS);
  });

  test("copying rules to an environment touches no other, and nothing touches none", () => {
    fc.assert(
      fc.property(anyRules({ stored: true }), fc.constantFrom("share" as const, "copy" as const), (rules, mode) => {
        const { draft } = copyToEnvironments(toDraft(rules), "staging", ["production"], mode);
        expect(["production"]).toEqual(expect.arrayContaining(touched(gate(rules), gate(toRules(draft)))));
        expect(touched(gate(rules), gate(rules.map((one) => ({ ...one }))))).toEqual([]);
      }),
    );
  });
});

test.each([
  [[], "no environment"],
  [["staging"], "staging"],
  [["production", "staging"], "production and staging"],
  [ENVIRONMENTS, "all environments (production, staging, and development)"],
])("environmentsInWords(%j) is %j", (names, expected) => {
  expect(environmentsInWords(names, ENVIRONMENTS)).toBe(expected);
});
