import { expect, test } from "vitest";
import { condition, ruleset, spec } from "../../../test/support/ruleset.ts";
import { flagIndex } from "../flag-index.ts";
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
  const constant = { param_type: "string", ref_type: "static", value: "x" } as const;
  const gated = { param_type: "boolean", ref_type: "gate", gate_name: "g", pass_value: true, fail_value: false } as const;
  expect(storeReason({ parameters: { constant } })).toBe("STATIC");
  expect(storeReason({ parameters: { constant, gated } })).toBe("TARGETING_MATCH");
});

test("of names that clash the first kind is the flag, and segments and holdouts are none", () => {
  const clashing = ruleset({
    feature_gates: [spec("a"), spec("segment:s", { entity: "segment" }), spec("h", { entity: "holdout" })],
    dynamic_configs: [spec("a", { entity: "experiment" }), spec("b", { entity: "experiment" }), spec("c", { entity: "dynamic_config" })],
    layer_configs: [spec("c", { entity: "layer" }), spec("d", { entity: "layer" })],
    param_stores: { d: { parameters: {} }, e: { parameters: {} } },
  });
  const kinds = Array.from(flagIndex(clashing).flags.values(), ({ key, kind }) => [key, kind]);
  expect(kinds).toEqual([
    ["a", "gate"],
    ["b", "experiment"],
    ["c", "dynamic_config"],
    ["d", "layer"],
    ["e", "param_store"],
  ]);
});
