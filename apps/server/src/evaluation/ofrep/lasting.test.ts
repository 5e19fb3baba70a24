import { expect, test } from "vitest";
import { condition, ruleset, spec } from "../../../test/support/ruleset.ts";
import { isLasting } from "./lasting.ts";

test("answers of a ruleset that looks at users alone last", () => {
  const targeted = spec("targeted", { rules: [{ conditions: [condition("user_field", { operator: "any" })] }] });
  expect(isLasting(ruleset({ feature_gates: [targeted] }))).toBe(true);
});

test("answers of a ruleset that looks at the time do not", () => {
  const timed = spec("timed", { rules: [{ conditions: [condition("public"), condition("current_time", { operator: "after" })] }] });
  expect(isLasting(ruleset({ feature_gates: [timed] }))).toBe(false);
  expect(isLasting(ruleset({ dynamic_configs: [spec("still"), timed] }))).toBe(false);
  expect(isLasting(ruleset({ layer_configs: [timed] }))).toBe(false);
});
