import { describe, expect, test } from "vitest";
import { AppError } from "../../common/errors.ts";
import { type Rule, toRules, type WritableRule } from "./rule.ts";

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
  const stored = only(toRules([given]));
  const [one, two] = stored.variants as [NonNullable<Rule["variants"]>[0], NonNullable<Rule["variants"]>[0]];

  test("rules that are sent back unchanged stay unchanged", () => {
    expect(toRules([stored], [stored])).toEqual([stored]);
  });

  test("an edited returnValue beside the stored text replaces the text", () => {
    const rule = only(toRules([{ ...stored, returnValue: { a: 2 } }], [stored]));
    expect(rule).toEqual({ ...stored, returnValue: { a: 2 }, returnValueJson5: '{"a":2}' });
  });

  test("an edited text beside the stored returnValue replaces the returnValue", () => {
    const rule = only(toRules([{ ...stored, returnValueJson5: "{ a: 3 } // three" }], [stored]));
    expect(rule).toEqual({ ...stored, returnValue: { a: 3 }, returnValueJson5: "{ a: 3 } // three" });
  });

  test("variants are matched by their id, whatever their order", () => {
    const rule = only(toRules([{ ...stored, variants: [{ ...two, returnValue: { b: 3 } }, one] }], [stored]));
    expect(rule.variants).toEqual([{ ...two, returnValue: { b: 3 }, returnValueJson5: '{"b":3}' }, one]);
  });

  test("without an id, or if both differ, a contradiction is rejected at its place", () => {
    const { id: _id, ...unnamed } = stored;
    const edits: WritableRule[] = [
      { ...unnamed, name: "new", returnValue: { a: 2 } },
      { ...stored, variants: [one, { ...two, returnValue: { b: 4 }, returnValueJson5: "{ b: 5 }" }] },
    ];
    expect(() => toRules(edits, [stored])).toThrow(AppError);
    const violations = catchViolations(() => toRules(edits, [stored]));
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
  expect(catchViolations(() => toRules([{ ...given, variants }]))).toEqual([
    { property: "rules[0].variants", errorMessage: "must have pass percentages that sum to 100, not 99.9" },
  ]);
});

test("names and ids of variants are unique within their rule", () => {
  const variant = { id: "v", name: "one", passPercentage: 50 };
  expect(catchViolations(() => toRules([{ ...given, variants: [variant, variant] }]))).toEqual([
    { property: "rules[0].variants[1].name", errorMessage: "must be unique in rules[0].variants, but one is given twice" },
    { property: "rules[0].variants[1].id", errorMessage: "must be unique in rules[0].variants, but v is given twice" },
  ]);
});

function catchViolations(work: () => unknown) {
  try {
    work();
  } catch (error) {
    return (error as AppError).violations;
  }
  return [];
}
