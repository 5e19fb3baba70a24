import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCondition } from "./arbitrary.ts";
import { newCondition, withExtra, withOperator, withType, withValue } from "./condition-draft.ts";
import { findFaults } from "./condition-faults.ts";
import { CONDITION_TYPES, offeredOperators } from "./condition-types.ts";
import type { Condition, ConditionType } from "./types.ts";

const TYPES = Object.keys(CONDITION_TYPES) as ConditionType[];
const email: Condition = { type: "email", operator: "any", targetValue: ["a@example.com"] };

describe("newCondition", () => {
  test("has the first operator and the empty fields that the type needs", () => {
    expect(newCondition("public")).toEqual({ type: "public" });
    expect(newCondition("email")).toEqual({ type: "email", operator: "any", targetValue: [] });
    expect(newCondition("app_version")).toEqual({ type: "app_version", operator: "version_eq" });
    expect(newCondition("custom_field")).toEqual({ type: "custom_field", operator: "any", targetValue: [], field: "" });
    expect(newCondition("unit_id")).toEqual({ type: "unit_id", operator: "any", targetValue: [], customID: "" });
    expect(newCondition("passes_gate")).toEqual({ type: "passes_gate" });
  });
});

describe("withType", () => {
  test("keeps operator and values where the new type takes the same", () => {
    expect(withType(email, "user_id")).toEqual({ ...email, type: "user_id" });
    expect(withType({ type: "passes_gate", targetValue: "beta" }, "fails_gate")).toEqual({ type: "fails_gate", targetValue: "beta" });
  });

  test("drops what the new type does not take", () => {
    expect(withType(email, "country")).toEqual({ type: "country", operator: "any", targetValue: [] });
    expect(withType({ type: "passes_gate", targetValue: "beta" }, "passes_segment")).toEqual({ type: "passes_segment" });
    expect(withType({ type: "custom_field", operator: "gt", targetValue: 3, field: "age" }, "email")).toEqual({
      type: "email",
      operator: "any",
      targetValue: [3],
    });
  });
});

describe("withOperator", () => {
  test.each<[Condition, Condition["operator"], Condition["targetValue"]]>([
    [email, "none", ["a@example.com"]],
    [email, "str_matches", "a@example.com"],
    [{ type: "email", operator: "str_matches", targetValue: "@x" }, "any", ["@x"]],
    [{ ...email, targetValue: ["a", "b"] }, "str_matches", undefined],
    [email, "is_null", undefined],
    [{ type: "custom_field", field: "f", operator: "any", targetValue: ["3"] }, "gt", 3],
    [{ type: "custom_field", field: "f", operator: "any", targetValue: ["three"] }, "gt", undefined],
    [{ type: "custom_field", field: "f", operator: "gt", targetValue: 3 }, "version_gt", "3"],
    [{ type: "custom_field", field: "f", operator: "before", targetValue: 3 }, "on", 3],
    [{ type: "custom_field", field: "f", operator: "gt", targetValue: 3 }, "before", undefined],
    [{ type: "user_id", operator: "any", targetValue: ["a"] }, "in_segment_list", undefined],
    [{ type: "environment_tier", targetValue: "staging" }, "none", ["staging"]],
  ])("%j with %s has the value %j", (condition, operator, value) => {
    const changed = withOperator(condition, operator as never);
    expect(changed.operator).toBe(operator);
    expect(changed.targetValue).toEqual(value);
    expect(changed.field).toBe(condition.field);
  });
});

test("withValue takes the value away for null and an empty text", () => {
  const matching: Condition = { type: "email", operator: "str_matches", targetValue: "x" };
  for (const nothing of [null, undefined, ""]) expect(withValue(matching, nothing)).toEqual({ type: "email", operator: "str_matches" });
  expect(withValue(email, ["b"])).toEqual({ ...email, targetValue: ["b"] });
});

test("withExtra names what the type needs; another experiment has other groups", () => {
  expect(withExtra(newCondition("custom_field"), "plan")).toMatchObject({ field: "plan" });
  expect(withExtra(newCondition("unit_id"), "companyID")).toMatchObject({ customID: "companyID" });
  const inGroup: Condition = { type: "experiment_group", field: "wording", operator: "any", targetValue: ["Test"] };
  expect(withExtra(inGroup, "color")).toEqual({ ...inGroup, field: "color", targetValue: [] });
  expect(withExtra(inGroup, "wording")).toEqual(inGroup);
  expect(withExtra(email, "plan")).toEqual(email);
});

test("for any type and operator that a person chooses, only empty values are errors", () => {
  fc.assert(
    fc.property(anyCondition, fc.constantFrom(...TYPES), fc.nat(), (condition, type, choice) => {
      const retyped = withType(condition, type);
      const operators = offeredOperators(retyped);
      const operator = operators[choice % Math.max(1, operators.length)];
      const changed = operator === undefined ? retyped : withOperator(retyped, operator);
      const isBlank = changed.targetValue === undefined || (Array.isArray(changed.targetValue) && changed.targetValue.length === 0);
      const unexpected = findFaults(changed).filter(
        ({ property, level }) =>
          level === "error" && !(property === "targetValue" && isBlank) && property !== CONDITION_TYPES[type].extra?.property,
      );
      expect(unexpected).toEqual([]);
    }),
  );
});
