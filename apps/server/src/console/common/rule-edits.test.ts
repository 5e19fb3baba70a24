import { describe, expect, test } from "vitest";
import type { AppError } from "../../common/errors.ts";
import { MAX_RULES, type Rule, toRules } from "./rule.ts";
import { addedRules, findRule, patchedRules, withAddedRule, withPatchedRule } from "./rule-edits.ts";

const given = { passPercentage: 100, conditions: [] };
const NOW = 1_700_000_000_000;
const rules = toRules(
  [
    { ...given, id: "one", name: "One" },
    { ...given, id: "two", baseID: "one", name: "Two" },
    { ...given, id: "three", baseID: "third", name: "Three" },
  ],
  [],
  NOW,
);
const [one, two, three] = rules as [Rule, Rule, Rule];

test("a rule is found by its id or else by its baseID", () => {
  expect([findRule(rules, "one"), findRule(rules, "third"), findRule(rules, "fourth")]).toEqual([0, 2, undefined]);
});

describe("rules that are added", () => {
  const named = (index: number) => ({ ...given, name: `rule ${index}` });
  const full = toRules(
    Array.from({ length: MAX_RULES - 1 }, (_, index) => named(index)),
    [],
    NOW,
  );

  test("may fill the list", () => {
    expect([withAddedRule(full, named(-1), NOW).length, addedRules(full, [named(-1)], NOW).length]).toEqual([1_000, 1_000]);
  });

  test("are rejected beyond the most rules of an entity", () => {
    const violation = (property: string, count: string) => ({
      property,
      errorMessage: `must not exceed 1,000 rules in total, but there would be ${count}`,
    });
    expect(catchViolations(() => addedRules(full, [named(-1), named(-2)], NOW))).toEqual([violation("rules", "1,001")]);
    expect(catchViolations(() => withAddedRule([...full, ...full], named(-1), NOW))).toEqual([violation("body", "1,999")]);
  });
});

describe("a patch of one rule", () => {
  test("changes the given fields, and may repeat the rule's ids", () => {
    const patch = { id: "two", baseID: "one", name: "Two", passPercentage: 5 };
    expect(withPatchedRule(rules, 1, patch, NOW)).toEqual([one, { ...two, passPercentage: 5 }, three]);
  });

  test("reports violations by their place in the patch", () => {
    const variants = [{ name: "v", passPercentage: 100, returnValueJson5: "{" }];
    const patch = { id: "other", baseID: "other", name: "One", passPercentage: 0.001, variants };
    const violations = catchViolations(() => withPatchedRule(rules, 1, patch, NOW));
    expect(violations.map(({ property }) => property)).toEqual(["id", "baseID", "passPercentage", "variants[0].returnValueJson5", "name"]);
  });
});

describe("patches of several rules", () => {
  test("keep the order, and may swap names", () => {
    const patched = patchedRules(
      rules,
      [
        { id: "third", name: "One" },
        { id: "one", name: "Three" },
      ],
      NOW,
    );
    expect(patched).toEqual([{ ...one, name: "Three" }, two, { ...three, name: "One" }]);
  });

  test("report violations by their place in the patches", () => {
    const violations = catchViolations(() =>
      patchedRules(rules, [{ id: "three", name: "One" }, { id: "three" }, { baseID: "nope" }, { id: "two", passPercentage: 0.001 }], NOW),
    );
    expect(violations).toEqual([
      { property: "rules[1].id", errorMessage: "must not identify the same rule as an earlier item" },
      { property: "rules[2].id", errorMessage: "must be the id or baseID of an existing rule" },
      { property: "rules[3].passPercentage", errorMessage: "must be in steps of 0.01" },
      { property: "rules[0].name", errorMessage: "must be unique among the rules, but One belongs to another rule" },
    ]);
  });
});

function catchViolations(work: () => unknown) {
  try {
    work();
  } catch (error) {
    return (error as AppError).violations ?? [];
  }
  return [];
}
