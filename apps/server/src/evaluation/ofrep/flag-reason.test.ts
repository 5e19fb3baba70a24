import { expect, test } from "vitest";
import { condition, spec } from "../../../test/support/ruleset.ts";
import { specReason, storeReason } from "./flag-reason.ts";

const everyone = { id: "everyone", conditions: [condition("public")] };
const staff = { id: "staff", conditions: [condition("user_field", { field: "email" })] };
const half = { id: "half", passPercentage: 50, conditions: [condition("public")] };

const reasonOf = (rules: object[], ruleID: string) => specReason(spec("gate", { rules }), "recognised", ruleID);

test("a flag that is off is disabled, and one whose rules cannot be followed is unknown", () => {
  expect(specReason(spec("gate"), "disabled", "disabled")).toBe("DISABLED");
  expect(specReason(spec("gate"), "unsupported", "staff")).toBe("UNKNOWN");
});

test("without rules, and by a first rule for everyone, it is the same for each context", () => {
  expect(reasonOf([], "default")).toBe("STATIC");
  expect(reasonOf([everyone, staff], "everyone")).toBe("STATIC");
  expect(reasonOf([{ ...everyone, passPercentage: 0 }], "everyone")).toBe("STATIC");
});

test("a rule that looks at the context, one behind it, and none of them, depend on the context", () => {
  expect(reasonOf([staff, everyone], "staff")).toBe("TARGETING_MATCH");
  expect(reasonOf([staff, everyone], "everyone")).toBe("TARGETING_MATCH");
  expect(reasonOf([staff], "default")).toBe("TARGETING_MATCH");
});

test("a rule that lets part of its units pass divides them, on whichever side they are", () => {
  expect(reasonOf([half], "half")).toBe("SPLIT");
});

test("groups and buckets divide units", () => {
  expect(reasonOf([{ id: "group", isExperimentGroup: true }], "group")).toBe("SPLIT");
  expect(reasonOf([{ id: "assigned", conditions: [condition("user_bucket")] }], "assigned")).toBe("SPLIT");
});

test("a param store of constants is the same for each context", () => {
  const store = { value: {}, reason: "recognised" } as const;
  expect(storeReason({ ...store, isStatic: true })).toBe("STATIC");
  expect(storeReason({ ...store, isStatic: false })).toBe("TARGETING_MATCH");
});
