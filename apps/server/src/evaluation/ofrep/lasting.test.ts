import { expect, test } from "vitest";
import { compiled, condition, spec } from "../../../test/support/ruleset.ts";
import { isLasting } from "./lasting.ts";

test("answers of a ruleset that looks at users alone last", () => {
  const targeted = spec("targeted", { rules: [{ conditions: [condition("user_field", { operator: "any" })] }] });
  expect(isLasting(compiled({ feature_gates: [targeted] }))).toBe(true);
});

test("answers of a ruleset that looks at the time do not", () => {
  const timed = spec("timed", { rules: [{ conditions: [condition("public"), condition("current_time", { operator: "after" })] }] });
  expect(isLasting(compiled({ feature_gates: [timed] }))).toBe(false);
  expect(isLasting(compiled({ dynamic_configs: [spec("still"), timed] }))).toBe(false);
  expect(isLasting(compiled({ layer_configs: [timed] }))).toBe(false);
});
