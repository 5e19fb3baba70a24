import { expect, test } from "vitest";
import { compiled, condition, spec } from "../../../test/support/ruleset.ts";
import { isTimeIndependent } from "./time-independence.ts";

test("a ruleset that evaluates only users is independent of the time", () => {
  const targeted = spec("targeted", { rules: [{ conditions: [condition("user_field", { operator: "any" })] }] });
  expect(isTimeIndependent(compiled({ feature_gates: [targeted] }))).toBe(true);
});

test("a ruleset with conditions on the current time is not", () => {
  const timed = spec("timed", { rules: [{ conditions: [condition("public"), condition("current_time", { operator: "after" })] }] });
  expect(isTimeIndependent(compiled({ feature_gates: [timed] }))).toBe(false);
  expect(isTimeIndependent(compiled({ dynamic_configs: [spec("still"), timed] }))).toBe(false);
  expect(isTimeIndependent(compiled({ layer_configs: [timed] }))).toBe(false);
});
