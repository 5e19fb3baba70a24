import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyRules } from "./arbitrary.ts";
import {
  addCondition,
  addRule,
  chooseEveryone,
  duplicateRule,
  editRule,
  isChanged,
  moveRule,
  moveRules,
  type RulesDraft,
  removeCondition,
  removeRule,
  renameRule,
  setEnabled,
  setEnvironments,
  setPassPercentage,
  toDraft,
  toRules,
  toWrittenRules,
  updateCondition,
} from "./rule-draft.ts";
import type { Rule } from "./types.ts";

const staff: Rule = {
  id: "r1",
  baseID: "r0",
  name: "Staff",
  passPercentage: 100,
  conditions: [{ type: "email", operator: "str_ends_with_any", targetValue: ["@example.com"] }],
  environments: null,
};
const beta: Rule = { id: "r2", baseID: "r2", name: "Beta", passPercentage: 10, conditions: [], environments: ["staging"] };

const names = (draft: RulesDraft) => toRules(draft).map(({ name }) => name);
const keys = ({ items }: RulesDraft) => items.map(({ key }) => key);
const findKey = (draft: RulesDraft, name: string) => draft.items.find(({ rule }) => rule.name === name)?.key ?? "";

describe("toDraft and toRules", () => {
  test("give back the rules as they were, but with null for an empty list of environments", () => {
    expect(toRules(toDraft([staff, { ...beta, environments: [] }]))).toEqual([staff, { ...beta, environments: null }]);
  });

  test("after a save, rules keep the keys that they had in the draft", () => {
    const draft = addRule(moveRule(toDraft([staff, beta]), 1, 0), { name: "New" });
    const saved = toRules(draft).map((rule) => (rule.id ? rule : { ...rule, id: "r3", baseID: "r3" }));
    expect(toDraft(saved, draft).items.map(({ key }) => key)).toEqual(keys(draft));
    expect(toDraft(saved, draft).items.map(({ conditionKeys }) => conditionKeys)).toEqual(draft.items.map((item) => item.conditionKeys));
  });

  test("a rule that arrives during an edit gets a key that was never used", () => {
    const draft = removeRule(toDraft([staff, beta]), findKey(toDraft([staff, beta]), "Beta"));
    const [, other] = keys(toDraft([staff, { ...beta, id: "r9", name: "Other" }], draft));
    expect(keys(toDraft([staff, beta]))).not.toContain(other);
  });
});

test("isChanged compares with what is stored", () => {
  const stored = [staff, { ...beta, environments: [] }];
  const draft = toDraft(stored);
  expect(isChanged(draft, stored)).toBe(false);
  const key = findKey(draft, "Beta");
  expect(isChanged(renameRule(draft, key, "B"), stored)).toBe(true);
  expect(isChanged(renameRule(renameRule(draft, key, "B"), key, "Beta"), stored)).toBe(false);
});

describe("addRule", () => {
  test("adds a rule for everyone at the end, under a free name", () => {
    const draft = addRule(addRule(toDraft([staff])), { name: "Staff", passPercentage: 5 });
    expect(toRules(draft).slice(1)).toEqual([
      { name: "New rule", passPercentage: 100, conditions: [], environments: null },
      { name: "Staff 2", passPercentage: 5, conditions: [], environments: null },
    ]);
    expect(names(addRule(draft))).toEqual(["Staff", "New rule", "Staff 2", "New rule 2"]);
  });
});

describe("a rule that needs an audience", () => {
  const draft = addRule(toDraft([]), { needsAudience: true });
  const [key = ""] = keys(draft);

  test("keeps its need when the draft is merged with another version, and when its only condition is removed", () => {
    expect(toRules(toDraft(toRules(draft)))[0]?.needsAudience).toBe(true);
    const withCondition = addCondition(draft, key, { type: "public" });
    expect(toRules(removeCondition(withCondition, key, 0))[0]).toEqual(toRules(draft)[0]);
  });

  test("is written without this property, and is for everyone once that is chosen", () => {
    const written = { passPercentage: 100, conditions: [], environments: null, name: "New rule" };
    expect(toWrittenRules(draft)).toEqual([{ ...written, id: draft.items[0]?.newID }]);
    expect(toRules(chooseEveryone(draft, key))).toEqual([written]);
  });
});

describe("duplicateRule", () => {
  test("puts a copy behind the rule: the same except for its name, without IDs and past rollouts", () => {
    const variants = [{ id: "v1", name: "Blue", passPercentage: 100, returnValue: { color: "blue" } }];
    const pending = [{ time: 5, passPercent: 50 }];
    const full = { ...staff, variants, pendingAutomatedRollouts: pending, completedAutomatedRollouts: [{ time: 1, passPercent: 1 }] };
    const draft = toDraft([full, beta]);
    expect(toRules(duplicateRule(draft, findKey(draft, "Staff")))).toEqual([
      full,
      {
        name: "Staff copy",
        passPercentage: 100,
        conditions: staff.conditions,
        environments: null,
        variants: [{ name: "Blue", passPercentage: 100, returnValue: { color: "blue" } }],
        pendingAutomatedRollouts: pending,
      },
      beta,
    ]);
  });

  test("counts copies, including copies of copies", () => {
    let draft = toDraft([staff]);
    for (const name of ["Staff", "Staff", "Staff copy 2"]) draft = duplicateRule(draft, findKey(draft, name));
    expect(names(draft)).toEqual(["Staff", "Staff copy 2", "Staff copy 3", "Staff copy"]);
  });

  test("cuts a name that would be too long", () => {
    const draft = toDraft([{ ...staff, name: "é".repeat(100) }]);
    expect(names(duplicateRule(draft, keys(draft)[0] ?? ""))[1]).toBe(`${"é".repeat(95)} copy`);
  });
});

describe("edits", () => {
  const draft = toDraft([staff, beta]);
  const key = findKey(draft, "Staff");

  test("setPassPercentage keeps to 0–100 in steps of 0.01", () => {
    const percentages = [12.345, -1, 101, Number.NaN, 0.07].map(
      (given) => toRules(setPassPercentage(draft, key, given))[0]?.passPercentage,
    );
    expect(percentages).toEqual([12.35, 0, 100, 0, 0.07]);
  });

  test("setEnvironments, setEnabled and renameRule change their field of this rule alone", () => {
    expect(toRules(setEnvironments(draft, key, ["a", "b", "a"]))).toEqual([{ ...staff, environments: ["a", "b"] }, beta]);
    expect(toRules(setEnvironments(draft, findKey(draft, "Beta"), null))).toEqual([staff, { ...beta, environments: null }]);
    expect(toRules(setEnabled(draft, key, false))).toEqual([{ ...staff, isEnabled: false }, beta]);
    expect(toRules(renameRule(draft, key, "Employees"))).toEqual([{ ...staff, name: "Employees" }, beta]);
  });

  test("conditions are added at the end, changed and removed, and the others keep their keys", () => {
    const added = addCondition(addCondition(draft, key, { type: "public" }), key, { type: "passes_gate", targetValue: "beta" });
    const [first, second, third] = added.items[0]?.conditionKeys ?? [];
    expect(new Set([first, second, third]).size).toBe(3);
    const removed = removeCondition(added, key, 1);
    expect(removed.items[0]?.conditionKeys).toEqual([first, third]);
    const updated = updateCondition(removed, key, 1, (condition) => ({ ...condition, targetValue: "alpha" }));
    expect(toRules(updated)[0]?.conditions).toEqual([...staff.conditions, { type: "passes_gate", targetValue: "alpha" }]);
    const again = addCondition(removeCondition(updated, key, 1), key, { type: "public" });
    expect(again.items[0]?.conditionKeys).not.toContain(third);
  });

  test("editRule leaves conditions to their own edits, so that each keeps its key", () => {
    expect(toRules(editRule(draft, key, (rule) => ({ ...rule, name: "X", conditions: [] })))[0]).toEqual({ ...staff, name: "X" });
  });
});

describe("moves", () => {
  const indexes = fc.nat({ max: 9 });

  test("moveRule puts the rule at the index and keeps the order of the others", () => {
    fc.assert(
      fc.property(anyRules({ stored: true }), indexes, indexes, (rules, from, to) => {
        const draft = toDraft(rules);
        const moved = moveRule(draft, from, to);
        const item = draft.items[from];
        if (item === undefined || to >= rules.length) {
          expect(moved).toEqual(draft);
          return;
        }
        expect(moved.items[to]).toEqual(item);
        expect(removeRule(moved, item.key)).toEqual(removeRule(draft, item.key));
        expect(moveRule(moved, to, from)).toEqual(draft);
      }),
    );
  });

  test("moveRules puts rules together beside the target and keeps the order of all others", () => {
    fc.assert(
      fc.property(
        anyRules({ stored: true }),
        fc.subarray([0, 1, 2, 3, 4, 5, 6, 7]),
        indexes,
        fc.boolean(),
        (rules, chosen, at, isBefore) => {
          const draft = toDraft(rules);
          const moving = chosen.flatMap((index) => keys(draft)[index] ?? []);
          const target = keys(draft)[at];
          fc.pre(target !== undefined && !moving.includes(target));
          const moved = keys(moveRules(draft, moving, target, isBefore ? "before" : "after"));
          const rest = keys(draft).filter((key) => !moving.includes(key));
          expect(moved.filter((key) => !moving.includes(key))).toEqual(rest);
          const group = isBefore ? [...moving, target] : [target, ...moving];
          expect(moved.slice(moved.indexOf(group[0] ?? "")).slice(0, group.length)).toEqual(group);
        },
      ),
    );
  });

  test("moveRules changes nothing if the target is one of them, or unknown", () => {
    const draft = toDraft([staff, beta]);
    const [first = "", second = ""] = keys(draft);
    expect(moveRules(draft, [first, second], first, "after")).toEqual(draft);
    expect(moveRules(draft, [first], "unknown", "after")).toEqual(draft);
  });
});

test("after any edits, keys and names are distinct, and every condition has a unique key", () => {
  type Edit = (draft: RulesDraft, key: string) => RulesDraft;
  const edit = fc.constantFrom<Edit>(
    (draft) => addRule(draft),
    (draft, key) => duplicateRule(draft, key),
    (draft, key) => removeRule(draft, key),
    (draft, key) => addCondition(draft, key, { type: "public" }),
    (draft, key) => removeCondition(draft, key, 0),
    (draft) => moveRule(draft, 0, draft.items.length - 1),
  );
  fc.assert(
    fc.property(anyRules({ stored: false }), fc.array(fc.tuple(edit, fc.nat())), (rules, edits) => {
      const draft = edits.reduce(
        (result, [apply, at]) => apply(result, keys(result)[at % Math.max(1, result.items.length)] ?? ""),
        toDraft(rules),
      );
      const all = [...keys(draft), ...draft.items.flatMap(({ conditionKeys }) => conditionKeys)];
      expect(new Set(all).size).toBe(all.length);
      expect(new Set(names(draft)).size).toBe(draft.items.length);
      for (const { rule, conditionKeys } of draft.items) expect(conditionKeys.length).toBe(rule.conditions.length);
    }),
  );
});
