import { describe, expect, test } from "vitest";
import type { Violation } from "../../common/errors.ts";
import { checkCondition } from "./condition.ts";

type Condition = Parameters<typeof checkCondition>[0];

function refusals(condition: Condition): string[] {
  const violations: Violation[] = [];
  checkCondition(condition, "at", violations);
  return violations.map(({ property, errorMessage }) => `${property} ${errorMessage}`);
}

describe("checkCondition", () => {
  test.each<Condition>([
    { type: "public" },
    { type: "passes_gate", targetValue: "checkout" },
    { type: "email", operator: "any", targetValue: ["a@example.com"] },
    { type: "email", operator: "str_matches", targetValue: "@example" },
    { type: "time", operator: "after", targetValue: 1 },
    { type: "email", operator: "is_null" },
    { type: "email", operator: "is_null", targetValue: null },
    { type: "custom_field", field: "plan", operator: "any", targetValue: [] },
    { type: "unit_id", customID: "companyID", operator: "any", targetValue: [] },
    { type: "environment_tier", targetValue: "production" },
    { type: "environment_tier", targetValue: ["production"] },
    { type: "environment_tier", operator: "", targetValue: ["production"] },
    { type: "public", operator: "", targetValue: [] },
    { type: "public", operator: null, targetValue: null },
    { type: "passes_gate", operator: "", targetValue: ["checkout"] },
    { type: "fails_segment", operator: null, targetValue: ["staff"] },
    { type: "email", operator: "is_not_null", targetValue: [] },
    { type: "email", operator: "str_matches", targetValue: ["@example"] },
    { type: "app_version", operator: "version_gt", targetValue: ["1.1.1"] },
    { type: "custom_field", field: "age", operator: "gt", targetValue: ["31"] },
    { type: "custom_field", field: "age", operator: "gt", targetValue: [31] },
    { type: "custom_field", field: "age", operator: "gt", targetValue: "-3.5e2" },
    { type: "time", operator: "before", targetValue: "1763700000000" },
    { type: "user_id", operator: "in_segment_list", targetValue: ["staff"] },
    { type: "email", operator: "any", targetValue: "a@example.com" },
    { type: "custom_field", field: "seats", operator: "none", targetValue: 5 },
    { type: "environment_tier", operator: "any", targetValue: "production" },
    { type: "app_version", operator: "version_lt", targetValue: 94 },
    { type: "app_version", operator: "version_lt", targetValue: [94.1] },
    { type: "app_version", operator: "version_eq", targetValue: "1.2.3+45" },
    { type: "app_version", operator: "version_eq", targetValue: "2-beta" },
  ])("lets %j through", (condition) => {
    expect(refusals(condition)).toEqual([]);
  });

  test.each<[Condition, string[]]>([
    [{ type: "email", operator: "any" }, ["at.targetValue must be a list with operator any"]],
    [
      { type: "app_version", operator: "version_gt", targetValue: "v1.2.3" },
      ["at.targetValue must begin with a number, such as 2.10.3. SDKs match no version with v1.2.3"],
    ],
    [
      { type: "app_version", operator: "version_lt", targetValue: "latest" },
      ["at.targetValue must begin with a number, such as 2.10.3. SDKs match no version with latest"],
    ],
    [{ type: "time", operator: "before", targetValue: "noon" }, ["at.targetValue must be a number with operator before"]],
    [{ type: "time", operator: "before", targetValue: "" }, ["at.targetValue must be a number with operator before"]],
    [{ type: "time", operator: "before", targetValue: "0x10" }, ["at.targetValue must be a number with operator before"]],
    [{ type: "time", operator: "before", targetValue: "1e999" }, ["at.targetValue must be a number with operator before"]],
    [{ type: "time", operator: "before", targetValue: ["1", "2"] }, ["at.targetValue must be a number with operator before"]],
    [{ type: "time", operator: "before", targetValue: [] }, ["at.targetValue must be a number with operator before"]],
    [{ type: "time", operator: "before", targetValue: null }, ["at.targetValue must be a number with operator before"]],
    [{ type: "email", operator: "is_not_null", targetValue: [""] }, ["at.targetValue must be left out with operator is_not_null"]],
    [
      { type: "app_version", operator: "version_gt", targetValue: ["1", "2"] },
      ["at.targetValue must be one string with operator version_gt"],
    ],
    [{ type: "passes_gate", operator: "", targetValue: ["a", "b"] }, ["at.targetValue must be one string with type passes_gate"]],
    [{ type: "email", operator: "", targetValue: ["a"] }, ["at.operator is required with type email"]],
    [{ type: "fails_segment" }, ["at.targetValue must be one string with type fails_segment"]],
    [
      { type: "public", operator: "any", targetValue: ["a"] },
      ["at.operator must be left out with type public", "at.targetValue must be left out with type public"],
    ],
    [
      { type: "ip_address", operator: "any", targetValue: ["10.0.0.0/8", "2001:db8::/32"] },
      ["at.targetValue must have IPv4 ranges only, such as 10.0.0.0/8. SDKs can't match the range 2001:db8::/32"],
    ],
    [
      { type: "ip_address", operator: "none", targetValue: "10.0.0.0/8" },
      ["at.targetValue cannot have ranges with operator none. Use any, or a segment with any for the opposite"],
    ],
    [{ type: "custom_field" }, ["at.operator is required with type custom_field", "at.field is required with type custom_field"]],
    [{ type: "unit_id" }, ["at.operator is required with type unit_id", "at.customID is required with type unit_id"]],
  ])("refuses %j", (condition, expected) => {
    expect(refusals(condition)).toEqual(expected);
  });
});
