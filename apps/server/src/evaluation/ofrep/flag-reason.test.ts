import { expect, test } from "vitest";
import { condition, spec } from "../../../test/support/ruleset.ts";
import { specReason, storeReason } from "./flag-reason.ts";

const everyone = { id: "everyone", conditions: [condition("public")] };
const staff = { id: "staff", conditions: [condition("user_field", { field: "email" })] };
const half = { id: "half", passPercentage: 50, conditions: [condition("public")] };

const findReason = (rules: object[], ruleID: string) => specReason(spec("gate", { rules }), "recognised", ruleID);

test("a disabled flag is DISABLED, and one with unsupported rules is UNKNOWN", () => {
  expect(specReason(spec("gate"), "disabled", "disabled")).toBe("DISABLED");
  expect(specReason(spec("gate"), "unsupported", "staff")).toBe("UNKNOWN");
});

test("a flag without rules, and one whose first rule is for everyone, are STATIC", () => {
  expect(findReason([], "default")).toBe("STATIC");
  expect(findReason([everyone, staff], "everyone")).toBe("STATIC");
  expect(findReason([{ ...everyone, passPercentage: 0 }], "everyone")).toBe("STATIC");
});

test("a rule that evaluates the context, a later rule, and no matching rule are TARGETING_MATCH", () => {
  expect(findReason([staff, everyone], "staff")).toBe("TARGETING_MATCH");
  expect(findReason([staff, everyone], "everyone")).toBe("TARGETING_MATCH");
  expect(findReason([staff], "default")).toBe("TARGETING_MATCH");
});

test("a rule that passes part of its units is SPLIT", () => {
  expect(findReason([half], "half")).toBe("SPLIT");
});

test("groups and buckets are SPLIT", () => {
  expect(findReason([{ id: "group", isExperimentGroup: true }], "group")).toBe("SPLIT");
  expect(findReason([{ id: "assigned", conditions: [condition("user_bucket")] }], "assigned")).toBe("SPLIT");
});

test("a param store of constants is STATIC", () => {
  const store = { value: {}, reason: "recognised" } as const;
  expect(storeReason({ ...store, isStatic: true })).toBe("STATIC");
  expect(storeReason({ ...store, isStatic: false })).toBe("TARGETING_MATCH");
});
