import { expect, test } from "vitest";
import { condition, ruleset, spec } from "./ruleset-for-tests.ts";
import { isLasting } from "./lasting.ts";

test("answers of a ruleset that looks at users alone last", () => {
  const targeted = spec("targeted", { rules: [{ conditions: [condition("user_field", { operator: "any" })] }] });
  expect(isLasting(ruleset({ feature_gates: [targeted] }))).toBe(true);
});

test.each([
  ["looks at the time", condition("current_time", { operator: "after" })],
  ["looks into an id list", condition("unit_id", { operator: "in_segment_list" })],
  ["looks past an id list", condition("unit_id", { operator: "not_in_segment_list" })],
])("answers of a ruleset that %s do not", (_, changing) => {
  const moving = spec("moving", { rules: [{ conditions: [condition("public"), changing] }] });
  expect(isLasting(ruleset({ feature_gates: [moving] }))).toBe(false);
  expect(isLasting(ruleset({ dynamic_configs: [spec("still"), moving] }))).toBe(false);
  expect(isLasting(ruleset({ layer_configs: [moving] }))).toBe(false);
});
