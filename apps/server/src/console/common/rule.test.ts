import { describe, expect, test } from "vitest";
import { AppError } from "../../common/errors.ts";
import { type Rule, toRules, type WritableRule } from "./rule.ts";

const NOW = 1_700_000_000_000;

const given: WritableRule = {
  name: "Staff",
  passPercentage: 100,
  conditions: [],
  returnValueJson5: "{ a: 1 } // one",
  variants: [
    { name: "one", passPercentage: 50, returnValue: { b: 1 } },
    { name: "two", passPercentage: 50, returnValueJson5: "{ b: 2 } // two" },
  ],
};

function only([rule]: Rule[]): Rule {
  return rule as Rule;
}

describe("toRules with stored rules", () => {
  const stored = only(toRules([given], [], NOW));
  const [one, two] = stored.variants as [NonNullable<Rule["variants"]>[0], NonNullable<Rule["variants"]>[0]];

  test("rules that are sent back unchanged stay unchanged", () => {
    expect(toRules([stored], [stored], NOW)).toEqual([stored]);
  });

  test("an edited returnValue beside the stored text replaces the text", () => {
    const rule = only(toRules([{ ...stored, returnValue: { a: 2 } }], [stored], NOW));
    expect(rule).toEqual({ ...stored, returnValue: { a: 2 }, returnValueJson5: '{"a":2}' });
  });

  test("an edited text beside the stored returnValue replaces the returnValue", () => {
    const rule = only(toRules([{ ...stored, returnValueJson5: "{ a: 3 } // three" }], [stored], NOW));
    expect(rule).toEqual({ ...stored, returnValue: { a: 3 }, returnValueJson5: "{ a: 3 } // three" });
  });

  test("variants are matched by ID in any order", () => {
    const rule = only(toRules([{ ...stored, variants: [{ ...two, returnValue: { b: 3 } }, one] }], [stored], NOW));
    expect(rule.variants).toEqual([{ ...two, returnValue: { b: 3 }, returnValueJson5: '{"b":3}' }, one]);
  });

  test("without an id, or if both differ, a contradiction is rejected at its place", () => {
    const { id: _id, ...unnamed } = stored;
    const edits: WritableRule[] = [
      { ...unnamed, name: "new", returnValue: { a: 2 } },
      { ...stored, variants: [one, { ...two, returnValue: { b: 4 }, returnValueJson5: "{ b: 5 }" }] },
    ];
    expect(() => toRules(edits, [stored], NOW)).toThrow(AppError);
    const violations = catchViolations(() => toRules(edits, [stored], NOW));
    expect(violations).toEqual([
      {
        property: "rules[0].returnValueJson5",
        errorMessage: "must mean the same as rules[0].returnValue. Omit one of them",
      },
      {
        property: "rules[1].variants[1].returnValueJson5",
        errorMessage: "must mean the same as rules[1].variants[1].returnValue. Omit one of them",
      },
    ]);
  });
});

test("the message shows the sum of variants without the rounding errors of binary fractions", () => {
  const variants = ["a", "b", "c"].map((name) => ({ name, passPercentage: 33.3 }));
  expect(catchViolations(() => toRules([{ ...given, variants }], [], NOW))).toEqual([
    { property: "rules[0].variants", errorMessage: "must have pass percentages that sum to 100, not 99.9" },
  ]);
});

test("names and ids of variants are unique within their rule", () => {
  const variant = { id: "v", name: "one", passPercentage: 50 };
  expect(catchViolations(() => toRules([{ ...given, variants: [variant, variant] }], [], NOW))).toEqual([
    { property: "rules[0].variants[1].name", errorMessage: "must be unique in rules[0].variants, but one is given twice" },
    { property: "rules[0].variants[1].id", errorMessage: "must be unique in rules[0].variants, but v is given twice" },
  ]);
});

describe("new rollouts", () => {
  const rollout = { time: NOW + 1, passPercent: 50 };
  const place = (index: number) => `rules[0].pendingAutomatedRollouts[${index}].time`;

  test("must be in the future", () => {
    const pendingAutomatedRollouts = [rollout, { ...rollout, time: NOW }, { ...rollout, time: 0 }];
    expect(catchViolations(() => toRules([{ ...given, pendingAutomatedRollouts }], [], NOW))).toEqual([
      { property: place(1), errorMessage: "must be in the future" },
      { property: place(2), errorMessage: "must be in the future" },
    ]);
  });

  test("may be repeated once their time has passed, since they wait while a gate is paused or archived", () => {
    const [stored] = toRules([{ ...given, id: "one", pendingAutomatedRollouts: [rollout] }], [], NOW) as [Rule];
    expect(toRules([stored], [stored], NOW + 5)).toEqual([stored]);
    const later = { ...stored, pendingAutomatedRollouts: [rollout, { ...rollout, time: NOW + 2 }] };
    expect(catchViolations(() => toRules([later], [stored], NOW + 5))).toEqual([
      { property: place(1), errorMessage: "must be in the future" },
    ]);
  });
});

function catchViolations(work: () => unknown) {
  try {
    work();
  } catch (error) {
    return (error as AppError).violations;
  }
  return [];
}
