import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyRules, ENVIRONMENTS } from "./arbitrary.ts";
import { environmentsTouched } from "./environments-touched.ts";
import { type RulesDraft, toDraft, toRules, toWrittenRules } from "./rule-draft.ts";
import { separateRule } from "./separate-rule.ts";
import { isOnIn, removeRuleFrom, setEnabledIn } from "./single-environment.ts";
import type { Rule } from "./types.ts";

const rule = (name: string, environments: string[] | null, more: Partial<Rule> = {}): Rule => ({
  ...{ id: name, baseID: name, name, passPercentage: 50, conditions: [], environments },
  ...more,
});
const overview = (draft: RulesDraft) =>
  toRules(draft).map(
    ({ name, environments, isEnabled }) => `${name}: ${environments?.join(", ") ?? "all"}${isEnabled === false ? ", off" : ""}`,
  );
const firstKey = (draft: RulesDraft) => draft.items[0]?.key ?? "";
const asFlag = (rules: readonly Rule[]) => ({ flag: { rules, isEnabled: true, status: "In Progress" as const } });
const touched = (before: readonly Rule[], after: RulesDraft) =>
  environmentsTouched(asFlag(before), asFlag(toWrittenRules(after)), ENVIRONMENTS);

describe("setEnabledIn", () => {
  const off = { isEnabled: false };

  test.each<[string, Rule, boolean, string]>([
    ["off: others keep it", rule("A", null), false, "A: production, development"],
    ["off: it applies in no other", rule("A", ["staging"]), false, "A: staging, off"],
    ["on: others keep it", rule("A", ["production"]), true, "A: production, staging"],
    ["on: it was off everywhere", rule("A", null, off), true, "A: staging"],
    ["on: it was off elsewhere", rule("A", ["production"], off), true, "A: staging"],
    ["on: it was off in its only environment", rule("A", ["staging"], off), true, "A: staging"],
    ["on: it is on already", rule("A", ["Staging"]), true, "A: Staging"],
  ])("%s", (_, given, isOn, expected) => {
    const draft = toDraft([given]);
    expect(overview(setEnabledIn(draft, firstKey(draft), "staging", isOn, ENVIRONMENTS))).toEqual([expected]);
  });

  test("decides only in that environment", () => {
    fc.assert(
      fc.property(anyRules({ stored: true }), fc.boolean(), (rules, isOn) => {
        const draft = toDraft(rules);
        const after = setEnabledIn(draft, firstKey(draft), "staging", isOn, ENVIRONMENTS);
        expect(["staging"]).toEqual(expect.arrayContaining(touched(rules, after)));
        for (const one of toRules(after).slice(0, 1)) expect(isOnIn(one, "staging")).toBe(isOn);
      }),
    );
  });
});

test("removeRuleFrom changes only that environment, and deletes a rule that applies in no other", () => {
  const draft = toDraft([rule("A", null), rule("B", ["staging"])]);
  expect(overview(removeRuleFrom(draft, firstKey(draft), "staging", ENVIRONMENTS))).toEqual(["A: production, development", "B: staging"]);
  expect(overview(removeRuleFrom(draft, draft.items[1]?.key ?? "", "staging", ENVIRONMENTS))).toEqual(["A: all"]);
});

describe("separateRule", () => {
  test("gives one environment a separate rule in the same editor, for the same users, and leaves the stored rule to the others", () => {
    const conditions = [{ type: "country" as const, operator: "any" as const, targetValue: ["NO"] }];
    const pendingAutomatedRollouts = [{ time: 1, passPercent: 80 }];
    const before = [rule("A", null, { baseID: "base", conditions, pendingAutomatedRollouts }), rule("B", null)];
    const draft = toDraft(before);
    const after = separateRule(draft, firstKey(draft), "staging", ENVIRONMENTS);
    const [part, ...others] = toWrittenRules(after);
    expect(part).toEqual({ ...before[0], id: part?.id, name: "A (staging)", environments: ["staging"] });
    expect(part?.id).toMatch(/^[\da-f]{32}$/);
    expect(others).toEqual([{ ...before[0], environments: ["production", "development"] }, before[1]]);
    expect(touched(before, after)).toEqual([]);
    expect(after.items[0]).toMatchObject({ key: draft.items[0]?.key, conditionKeys: draft.items[0]?.conditionKeys });
    expect(new Set(after.items.map(({ key }) => key)).size).toBe(3);
  });

  test("keeps the users of a rule that is not stored yet, and leaves a rule of one environment as it is", () => {
    const { id: _id, baseID: _baseID, ...unsaved } = rule("A", ["staging", "production"]);
    const draft = toDraft([unsaved]);
    const [part, rest] = toWrittenRules(separateRule(draft, firstKey(draft), "staging", ENVIRONMENTS));
    expect(rest).toEqual({ ...unsaved, id: draft.items[0]?.newID, environments: ["production"] });
    expect(part?.baseID).toBe(rest?.id);
    const single = toDraft([rule("B", ["staging"])]);
    expect(separateRule(single, firstKey(single), "staging", ENVIRONMENTS)).toBe(single);
  });
});
